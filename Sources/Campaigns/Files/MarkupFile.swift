/// Markup: text in UTF-8 with at least one tag, comment or declaration. Whether all of it is there cannot be
/// seen: each beginning of a page is a page.
enum MarkupFile {
    static func check(_ bytes: [UInt8]) throws(FileFault) {
        guard String(validating: bytes, as: UTF8.self) != nil else { throw .unknownFormat }
        let begins = zip(bytes, bytes.dropFirst()).contains { first, second in
            first == UInt8(ascii: "<")
                && ((0x61...0x7A).contains(second | 0x20) || second == UInt8(ascii: "!"))
        }
        guard begins else { throw .unknownFormat }
        guard !bytes.contains(0) else { throw .broken(.html, "it has a NUL") }
    }
}
