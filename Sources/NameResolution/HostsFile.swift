internal import Reachability

/// A hosts file (hosts(5)), kept as it is read: lists of blocked names can be long, and are searched seldom.
struct HostsFile {
    private let content: [UInt8]

    init(_ content: [UInt8]) {
        self.content = content
    }

    /// The addresses that the file gives to a name in small letters, without a dot at its end.
    func addresses(of name: String) -> [IPAddress] {
        let name = Array(name.utf8)
        var found: [IPAddress] = []
        for line in content.split(separator: UInt8(ascii: "\n")) {
            // Most lines are about something else, so they are not taken apart.
            guard line.count > name.count else { continue }
            let words = line.prefix { $0 != UInt8(ascii: "#") }.split(whereSeparator: Self.isSpace)
            guard let first = words.first, words.dropFirst().contains(where: { Self.equal($0, name) }),
                let address = IPAddress(String(decoding: first, as: UTF8.self)), !found.contains(address)
            else { continue }
            found.append(address)
            if found.count == Limits.addressesPerNameMax { break }
        }
        return found
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") || byte == UInt8(ascii: "\r")
    }

    private static func equal(_ word: ArraySlice<UInt8>, _ name: [UInt8]) -> Bool {
        word.count == name.count && zip(word, name).allSatisfy { lower($0) == $1 }
    }

    private static func lower(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }
}
