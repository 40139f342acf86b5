/// Reads time zone files (TZif, RFC 8536 with the later versions' rules).
struct TZifReader {
    private let bytes: [UInt8]
    private var offset = 0

    /// The numbers of a header (section 3.1).
    private struct Header {
        var version: UInt8
        var utIndicators: Int
        var standardIndicators: Int
        var leapSeconds: Int
        var transitions: Int
        var types: Int
        var designationBytes: Int
    }

    init(_ bytes: [UInt8]) throws(TimeZoneError) {
        guard bytes.count <= Limits.zoneBytesMax else { throw .tooLarge(bytesMax: Limits.zoneBytesMax) }
        self.bytes = bytes
    }

    /// The zone: of version 1 its only block, of later ones the second with 64-bit times, and the footer.
    mutating func read() throws(TimeZoneError) -> TimeZoneRules {
        let first = try header()
        guard first.version >= UInt8(ascii: "2") else {
            return try block(first, timeBytes: 4)
        }
        // Nothing of the first block counts; it may be a stub.
        offset +=
            first.transitions * 5 + first.types * 6 + first.designationBytes + first.leapSeconds * 8
            + first.standardIndicators + first.utIndicators
        let second = try header()
        guard second.version == first.version else {
            throw .malformed(field: "the versions of the two headers differ", offset: offset)
        }
        var rules = try block(second, timeBytes: 8)
        rules.footer = try footer()
        return rules
    }

    private mutating func header() throws(TimeZoneError) -> Header {
        guard try take(4).elementsEqual("TZif".utf8) else { throw .notTZif }
        let version = try take(1).first ?? 0
        guard version == 0 || version >= UInt8(ascii: "2") else {
            throw .malformed(field: "unknown version \(version)", offset: offset - 1)
        }
        _ = try take(15)
        var counts: [Int] = []
        for _ in 0..<6 { counts.append(Int(try integer(4))) }
        guard counts.allSatisfy({ (0...Limits.zoneTransitionsMax).contains($0) }) else {
            throw .malformed(field: "a count is out of range", offset: offset - 24)
        }
        return Header(
            version: version, utIndicators: counts[0], standardIndicators: counts[1],
            leapSeconds: counts[2], transitions: counts[3], types: counts[4], designationBytes: counts[5])
    }

    /// A data block (section 3.2).
    private mutating func block(_ header: Header, timeBytes: Int) throws(TimeZoneError) -> TimeZoneRules {
        guard header.leapSeconds == 0 else { throw .leapSeconds }
        guard (1...256).contains(header.types) else {
            throw .malformed(field: "no local time type, or more than 256", offset: offset)
        }
        var times: [Int64] = []
        times.reserveCapacity(header.transitions)
        for _ in 0..<header.transitions {
            let time = try integer(timeBytes)
            guard time.magnitude <= 1 << 60 else {
                throw .malformed(field: "a transition out of range", offset: offset - timeBytes)
            }
            if let last = times.last, last >= time {
                throw .malformed(field: "transitions are not in order", offset: offset - timeBytes)
            }
            times.append(time)
        }
        let typesOffset = offset
        let indexes = try take(header.transitions)
        guard indexes.allSatisfy({ $0 < header.types }) else {
            throw .malformed(field: "a transition to an unknown local time type", offset: typesOffset)
        }
        let offsets = try localTimeTypes(header)
        _ = try take(header.designationBytes + header.standardIndicators + header.utIndicators)
        return TimeZoneRules(
            transitions: times, offsets: indexes.map { offsets[Int($0)] }, initialOffset: offsets[0])
    }

    private mutating func localTimeTypes(_ header: Header) throws(TimeZoneError) -> [Int] {
        var offsets: [Int] = []
        for _ in 0..<header.types {
            let utOffset = Int(try integer(4))
            guard Limits.zoneOffsetSeconds.contains(utOffset) else {
                throw .malformed(field: "an offset from UTC out of range", offset: offset - 4)
            }
            let rest = [UInt8](try take(2))
            guard rest[0] <= 1 else {
                throw .malformed(field: "isdst is neither 0 nor 1", offset: offset - 2)
            }
            guard rest[1] < header.designationBytes else {
                throw .malformed(field: "an abbreviation beyond the last", offset: offset - 1)
            }
            offsets.append(utOffset)
        }
        return offsets
    }

    /// The rule for times after the last transition (section 3.3); nil when it is empty.
    private mutating func footer() throws(TimeZoneError) -> PosixTimeZone? {
        guard try take(1).first == 0x0A else {
            throw .malformed(field: "the footer does not begin with a new line", offset: offset - 1)
        }
        let start = offset
        guard let end = bytes[start...].firstIndex(of: 0x0A) else { throw .truncated(offset: bytes.count) }
        offset = end + 1
        guard end > start else { return nil }
        guard let rule = PosixTimeZone(parsing: bytes[start..<end]) else {
            throw .malformed(field: "the footer is no TZ rule", offset: start)
        }
        return rule
    }

    private mutating func take(_ count: Int) throws(TimeZoneError) -> ArraySlice<UInt8> {
        guard offset <= bytes.count, count <= bytes.count - offset else {
            throw .truncated(offset: bytes.count)
        }
        defer { offset += count }
        return bytes[offset..<(offset + count)]
    }

    /// A big-endian signed number of four or eight bytes.
    private mutating func integer(_ count: Int) throws(TimeZoneError) -> Int64 {
        var bits: UInt64 = 0
        for byte in try take(count) { bits = bits << 8 | UInt64(byte) }
        return count == 4 ? Int64(Int32(truncatingIfNeeded: bits)) : Int64(bitPattern: bits)
    }
}
