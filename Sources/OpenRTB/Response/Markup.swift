/// What is read from the markup of an ad. It is never trusted: hosts show it in a sandbox.
struct Markup {
    let bytes: [UInt8]

    init(_ text: String) {
        bytes = Array(text.utf8)
    }

    /// Where the first link leads, where that is a URL that may be handed on.
    var clickURL: String? {
        guard let value = attribute("href", ofFirst: "a") else { return nil }
        let url = value.replacing("&amp;", with: "&")
        return WebAddress.isAcceptable(url) ? url : nil
    }

    private func has(_ word: StaticString, at place: Int) -> Bool {
        Self.stands(word, in: bytes, at: place)
    }

    /// Whether a word of lower case stands at a place, in whatever case.
    static func stands(_ word: StaticString, in text: [UInt8], at place: Int) -> Bool {
        guard place >= 0, place + word.utf8CodeUnitCount <= text.count else { return false }
        return word.description.utf8.enumerated().allSatisfy { offset, wanted in
            let byte = text[place + offset]
            let isCapital = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
            return byte == wanted || isCapital && byte | 0x20 == wanted
        }
    }

    /// The value of an attribute of the first element of a name.
    private func attribute(_ name: StaticString, ofFirst element: StaticString) -> String? {
        let (length, start) = (element.utf8CodeUnitCount, UInt8(ascii: "<"))
        guard
            let tag = bytes.indices.first(where: { place in
                bytes[place] == start && has(element, at: place + 1) && place + 1 + length < bytes.count
                    && bytes[place + 1 + length].isMarkupSpace
            })
        else { return nil }
        var position = tag + 1 + length
        while position < bytes.count, bytes[position] != UInt8(ascii: ">") {
            let isName = bytes[position - 1].isMarkupSpace && has(name, at: position)
            let end = position + (isName ? name.utf8CodeUnitCount : 0)
            if isName, let value = value(at: end) { return value }
            position = skipped(position)
        }
        return nil
    }

    /// The position after a character, or after a quoted value that begins there.
    private func skipped(_ position: Int) -> Int {
        let byte = bytes[position]
        guard byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") else { return position + 1 }
        return (bytes[(position + 1)...].firstIndex(of: byte) ?? bytes.count - 1) + 1
    }

    /// What stands behind an equals sign.
    private func value(at position: Int) -> String? {
        var rest = bytes[position...].drop(while: \.isMarkupSpace)
        guard rest.first == UInt8(ascii: "=") else { return nil }
        rest = rest.dropFirst().drop(while: \.isMarkupSpace)
        guard let first = rest.first else { return nil }
        if first == UInt8(ascii: "\"") || first == UInt8(ascii: "'") {
            let inside = rest.dropFirst()
            return inside.firstIndex(of: first).map { String(decoding: inside[..<$0], as: UTF8.self) }
        }
        return String(decoding: rest.prefix { !$0.isMarkupSpace && $0 != UInt8(ascii: ">") }, as: UTF8.self)
    }
}
