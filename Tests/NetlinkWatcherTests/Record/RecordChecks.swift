import NetlinkWatcher

/// Makes the checks of a damaged file right again, so that what lies behind them is reached.
enum RecordChecks {
    static func repair(_ bytes: inout [UInt8]) {
        let (headerBytes, recordHeaderBytes) = (40, 20)
        guard bytes.count >= headerBytes else { return }
        set(&bytes, at: headerBytes - 4, covering: [0..<(headerBytes - 4)])
        var offset = headerBytes
        while offset + recordHeaderBytes <= bytes.count {
            let length = bytes[offset..<(offset + 4)].reversed().reduce(0) { $0 << 8 | Int($1) }
            let payload = offset + recordHeaderBytes
            guard length <= bytes.count - payload else { return }
            set(&bytes, at: offset + 16, covering: [offset..<(offset + 16), payload..<(payload + length)])
            offset = payload + length
        }
    }

    private static func set(_ bytes: inout [UInt8], at place: Int, covering ranges: [Range<Int>]) {
        var check = CRC32()
        for range in ranges { check.add(bytes[range]) }
        for byte in 0..<4 {
            bytes[place + byte] = UInt8(truncatingIfNeeded: check.value >> UInt32(8 * byte))
        }
    }
}
