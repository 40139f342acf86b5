extension JSONValue {
    /// The value as JSON for people: a line for each member and element, two spaces for each level,
    /// no newline at the end.
    public var pretty: String {
        var bytes: [UInt8] = []
        writePretty(to: &bytes, indentation: 0)
        return String(decoding: bytes, as: UTF8.self)
    }

    private func writePretty(to bytes: inout [UInt8], indentation: Int) {
        switch self {
        case .null, .bool, .integer, .double, .string:
            bytes.append(contentsOf: encoded)
        case .array(let elements):
            Self.writeLines(elements, between: "[", "]", to: &bytes, indentation) { element, bytes in
                element.writePretty(to: &bytes, indentation: indentation + 2)
            }
        case .object(let object):
            Self.writeLines(object.members, between: "{", "}", to: &bytes, indentation) { member, bytes in
                bytes.append(contentsOf: JSONValue.string(member.key).encoded)
                bytes.append(contentsOf: ": ".utf8)
                member.value.writePretty(to: &bytes, indentation: indentation + 2)
            }
        }
    }

    private static func writeLines<Item>(
        _ items: [Item], between open: String, _ close: String, to bytes: inout [UInt8], _ indentation: Int,
        write: (Item, inout [UInt8]) -> Void
    ) {
        bytes.append(contentsOf: open.utf8)
        for (index, item) in items.enumerated() {
            bytes.append(contentsOf: (index == 0 ? "\n" : ",\n").utf8)
            bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: indentation + 2))
            write(item, &bytes)
        }
        if !items.isEmpty {
            bytes.append(UInt8(ascii: "\n"))
            bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: indentation))
        }
        bytes.append(contentsOf: close.utf8)
    }
}
