/// The elements of an ad's markup, as far as it matters what they load: start tags with their attributes, and
/// the content of styles and scripts. It follows the HTML standard's tokenization (13.2.5) in what is usual,
/// and takes anything.
struct MarkupElements: Sequence, IteratorProtocol {
    /// A start tag.
    struct Element {
        /// Its name, in lower case.
        let name: String
        /// Its attributes, names in lower case.
        var attributes: [(name: String, value: [UInt8])] = []
        /// What stands in a style or a script.
        var content: ArraySlice<UInt8> = []
    }

    private var rest: ArraySlice<UInt8>

    init(_ markup: [UInt8]) {
        rest = markup[...]
    }

    mutating func next() -> Element? {
        while let start = rest.firstIndex(of: UInt8(ascii: "<")) {
            rest = rest[(start + 1)...]
            if rest.starts(with: "!--".utf8) {
                skip(past: "-->")
            } else if let first = rest.first, (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(first | 0x20) {
                return element()
            }
        }
        return nil
    }

    private mutating func element() -> Element {
        var element = Element(name: word(endingAt: "/>"))
        while true {
            rest = rest.drop { $0.isMarkupSpace || $0 == UInt8(ascii: "/") }
            guard let first = rest.first else { return element }
            if first == UInt8(ascii: ">") { break }
            element.attributes.append(attribute())
        }
        rest = rest.dropFirst()
        if ["style", "script"].contains(element.name) {
            let content = rest
            skip(past: "</\(element.name)")
            element.content = content[content.startIndex..<rest.startIndex]
        }
        return element
    }

    private mutating func attribute() -> (name: String, value: [UInt8]) {
        // A name may begin with an equals sign, and is then no value.
        let first = rest.prefix(1)
        rest = rest.dropFirst()
        let name = String(decoding: first, as: UTF8.self) + word(endingAt: "/>=")
        let behind = rest.drop(while: \.isMarkupSpace)
        guard behind.first == UInt8(ascii: "=") else { return (name.lowercased(), []) }
        rest = behind.dropFirst().drop(while: \.isMarkupSpace)
        if let quote = rest.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
            rest = rest.dropFirst()
            let value = rest.prefix { $0 != quote }
            rest = rest.dropFirst(value.count + 1)
            return (name.lowercased(), Array(value))
        }
        let value = rest.prefix { !$0.isMarkupSpace && $0 != UInt8(ascii: ">") }
        rest = rest.dropFirst(value.count)
        return (name.lowercased(), Array(value))
    }

    private mutating func word(endingAt ends: StaticString) -> String {
        let ends = ends.description.utf8
        let word = rest.prefix { !$0.isMarkupSpace && !ends.contains($0) }
        rest = rest.dropFirst(word.count)
        return String(decoding: word, as: UTF8.self).lowercased()
    }

    /// Goes behind a text of lower case, in whatever case it stands there; without it to the end.
    private mutating func skip(past text: String) {
        let wanted = Array(text.utf8)
        guard let first = wanted.first else { return }
        while let place = rest.firstIndex(where: { $0 == first }) {
            rest = rest[place...]
            let isThere =
                rest.count >= wanted.count
                && zip(rest, wanted).allSatisfy { byte, letter in
                    byte == letter
                        || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) && byte | 0x20 == letter
                }
            rest = rest.dropFirst(isThere ? wanted.count : 1)
            if isThere { return }
        }
        rest = rest[rest.endIndex...]
    }
}

extension UInt8 {
    /// White space of HTML.
    var isMarkupSpace: Bool { [0x20, 0x09, 0x0A, 0x0C, 0x0D].contains(self) }
}
