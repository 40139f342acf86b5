extension Markup {
    /// Whether something is fetched without encryption as soon as the ad is drawn: by an attribute, but where
    /// a link or a form only leads; by a style; by what a script writes as markup or a style, as far as that
    /// shows. What a script asks for by itself is not seen.
    var loadsUnencrypted: Bool {
        MarkupElements(bytes).contains { element in
            element.attributes.contains { Self.loadsUnencrypted($0.name, of: element.name, $0.value) }
                || Self.hasUnencrypted(Array(element.content), inStyle: element.name == "style")
        }
    }

    private static func loadsUnencrypted(_ name: String, of element: String, _ value: [UInt8]) -> Bool {
        if leading.contains(name) || name.hasPrefix("xmlns") { return false }
        if name == "href" || name == "xlink:href", ["a", "area"].contains(element) { return false }
        let decoded = decoded(value)
        // An address that is set by a script is judged as what it writes.
        if name.hasPrefix("on") { return hasUnencrypted(decoded, inStyle: false) }
        let before = element == "meta" ? separators + [UInt8(ascii: "=")] : separators
        // Browsers take line ends out of addresses.
        return hasUnencrypted(decoded, after: before)
            || hasUnencrypted(decoded.filter { ![0x09, 0x0A, 0x0D].contains($0) }, after: before)
    }

    /// Attributes that name an address which is gone to, or none at all.
    private static let leading: Set<String> = [
        "action", "alt", "cite", "formaction", "itemid", "itemtype", "longdesc", "title", "typeof", "vocab",
    ]

    /// What stands before an address that is not a part of another one.
    private static let separators = Array(" \t\r\n\u{C},\"'(;".utf8)

    /// Whether an address of an unencrypted scheme begins in a text, at its beginning or behind one of these.
    private static func hasUnencrypted(_ text: [UInt8], after separators: [UInt8]) -> Bool {
        schemes(in: text).contains { $0 == 0 || separators.contains(text[$0 - 1]) }
    }

    /// Whether a style, or markup that a script writes, loads by such an address.
    private static func hasUnencrypted(_ text: [UInt8], inStyle: Bool) -> Bool {
        schemes(in: text).contains { place in
            var before = place
            while before > 0, text[before - 1].isMarkupSpace || "\"'\\".utf8.contains(text[before - 1]) {
                before -= 1
            }
            func ends(with word: StaticString) -> Bool {
                stands(word, in: text, at: before - word.utf8CodeUnitCount)
            }
            if ends(with: "url(") || inStyle && ends(with: "@import") { return true }
            guard ends(with: "=") else { return false }
            before -= 1
            while before > 0, text[before - 1].isMarkupSpace { before -= 1 }
            return ends(with: "src") || ends(with: "srcset") || ends(with: "poster")
        }
    }

    /// Where `http://` and `ws://` stand.
    private static func schemes(in text: [UInt8]) -> [Int] {
        text.indices.filter { stands("http://", in: text, at: $0) || stands("ws://", in: text, at: $0) }
    }

    /// A value with its character references replaced, those that could hide an address.
    private static func decoded(_ value: [UInt8]) -> [UInt8] {
        var decoded: [UInt8] = []
        var rest = value[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "&") else {
                decoded.append(byte)
                continue
            }
            let word = rest.prefix { $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: "&") }.prefix(12)
            guard let (character, length) = reference(String(decoding: word, as: UTF8.self)) else {
                decoded.append(byte)
                continue
            }
            decoded.append(character)
            rest = rest.dropFirst(length)
            if rest.first == UInt8(ascii: ";") { rest = rest.dropFirst() }
        }
        return decoded
    }

    /// The character of ASCII that a reference stands for, and how many bytes of it belong to it.
    private static func reference(_ text: String) -> (character: UInt8, length: Int)? {
        if let character = named[text] { return (character, text.utf8.count) }
        guard text.hasPrefix("#") else { return nil }
        let isHexadecimal = text.dropFirst().first.map { $0 == "x" || $0 == "X" } ?? false
        let digits = text.dropFirst(isHexadecimal ? 2 : 1).prefix {
            isHexadecimal ? $0.isHexDigit : $0.isNumber
        }
        guard let number = UInt32(digits, radix: isHexadecimal ? 16 : 10), number < 0x80 else { return nil }
        return (UInt8(number), (isHexadecimal ? 2 : 1) + digits.utf8.count)
    }

    private static let named: [String: UInt8] = [
        "amp": 0x26, "colon": 0x3A, "sol": 0x2F, "Tab": 0x09, "NewLine": 0x0A, "quot": 0x22, "apos": 0x27,
    ]
}
