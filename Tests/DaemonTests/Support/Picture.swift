/// Pictures that are made.
enum Picture {
    /// A PNG with one grey row after the other (PNG Specification): stored, not compressed.
    static func png(_ width: Int, _ height: Int) -> [UInt8] {
        func four(_ number: Int) -> [UInt8] { (0..<4).map { UInt8(number >> (24 - 8 * $0) & 0xFF) } }
        func chunk(_ type: String, _ data: [UInt8]) -> [UInt8] {
            let content = Array(type.utf8) + data
            return four(data.count) + content + four(Int(checksum(content)))
        }
        let header = four(width) + four(height) + [8, 0, 0, 0, 0]
        // Nobody looks at the picture itself here.
        return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + chunk("IHDR", header)
            + chunk("IDAT", Array(repeating: 0, count: 64)) + chunk("IEND", [])
    }

    /// A GIF of 320 by 50 with so many bytes of comment.
    static func noise(_ count: Int) -> [UInt8] {
        var bytes = Array("GIF89a".utf8) + [0x40, 1, 50, 0, 0, 0, 0, 0x21, 0xFE]
        for block in 0..<count / 200 {
            bytes.append(200)
            bytes += (0..<200).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ block) }
        }
        return bytes + [0, 0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0, 0x3B]
    }

    /// CRC-32 (PNG Specification, annex D).
    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        var value = UInt32.max
        for byte in bytes {
            value ^= UInt32(byte)
            for _ in 0..<8 { value = value & 1 == 1 ? 0xEDB8_8320 ^ (value >> 1) : value >> 1 }
        }
        return ~value
    }
}
