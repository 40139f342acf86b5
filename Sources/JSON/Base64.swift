/// Base64 (RFC 4648, section 4): how bytes travel in JSON.
public enum Base64 {
    /// Encodes bytes, padded.
    public static func encode(_ bytes: ArraySlice<UInt8>) -> String {
        let alphabet = alphabet
        var characters: [UInt8] = []
        characters.reserveCapacity((bytes.count + 2) / 3 * 4)
        var index = bytes.startIndex
        while index < bytes.endIndex {
            let left = bytes.endIndex - index
            let second = left > 1 ? UInt32(bytes[index + 1]) : 0
            let third = left > 2 ? UInt32(bytes[index + 2]) : 0
            let group = UInt32(bytes[index]) << 16 | second << 8 | third
            characters.append(alphabet[Int(group >> 18)])
            characters.append(alphabet[Int(group >> 12 & 63)])
            characters.append(left > 1 ? alphabet[Int(group >> 6 & 63)] : padding)
            characters.append(left > 2 ? alphabet[Int(group & 63)] : padding)
            index += min(left, 3)
        }
        return String(decoding: characters, as: UTF8.self)
    }

    /// Decodes padded text; nil for anything else.
    public static func decode(_ text: String) -> [UInt8]? {
        let characters = Array(text.utf8)
        guard characters.count % 4 == 0 else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(characters.count / 4 * 3)
        for start in stride(from: 0, to: characters.count, by: 4) {
            let isLast = start + 4 == characters.count
            let padded =
                isLast ? characters[start..<(start + 4)].reversed().prefix { $0 == padding }.count : 0
            guard padded <= 2 else { return nil }
            var group: UInt32 = 0
            for character in characters[start..<(start + 4 - padded)] {
                guard let value = values[Int(character)] else { return nil }
                group = group << 6 | UInt32(value)
            }
            group <<= UInt32(6 * padded)
            // What the padding cuts off must be zero, so that each text has one form.
            guard group & (padded == 0 ? 0 : padded == 1 ? 0xFF : 0xFFFF) == 0 else { return nil }
            for byte in 0..<(3 - padded) {
                bytes.append(UInt8(truncatingIfNeeded: group >> UInt32(16 - 8 * byte)))
            }
        }
        return bytes
    }

    private static let padding = UInt8(ascii: "=")
    private static let alphabet = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    private static let values: [UInt8?] = {
        var values = [UInt8?](repeating: nil, count: 256)
        for (value, character) in alphabet.enumerated() { values[Int(character)] = UInt8(value) }
        return values
    }()
}
