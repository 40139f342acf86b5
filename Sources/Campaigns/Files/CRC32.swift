/// The checksum of PNG, Ethernet and zip (ISO 3309; PNG Specification, annex D): it finds damage, and
/// identical files, and is no protection against anybody's intent.
public enum CRC32 {
    /// The checksum of bytes.
    public static func checksum(of bytes: some Sequence<UInt8>) -> UInt32 {
        let table = table
        var value = UInt32.max
        for byte in bytes { value = table[Int(UInt8(truncatingIfNeeded: value) ^ byte)] ^ (value >> 8) }
        return ~value
    }

    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index)) { value, _ in
            value & 1 == 1 ? 0xEDB8_8320 ^ (value >> 1) : value >> 1
        }
    }
}
