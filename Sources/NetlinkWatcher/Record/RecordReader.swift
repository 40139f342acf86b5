internal import Reachability

/// One record of a file.
struct Record {
    /// What happened.
    enum Content {
        case snapshot(ReachabilityModel)
        /// Where the netlink message stands in the file.
        case message(Range<Int>)
        case findings(index: Int, FlightRecorder.Findings)
        case dump
        case dumped(Range<Int>)
        case dumpEnd
        case lost
        case lookup(RouteQuery, RouteAnswer)
        case farEnd(TunnelQuery, TunnelEnd?)
        case judged
        case timer
        case settings(ReachabilitySettings)
        case link(Link)
        case target(Target?)
        case answer(question: Int, ConnectivityAnswer)
        case metered(Bool)
        case cut
        case overgrown
    }

    let content: Content
    /// Microseconds of CLOCK_BOOTTIME.
    let time: Int64
    /// Where the record begins in the file.
    let offset: Int
}

/// The question for the far end of a tunnel.
struct TunnelQuery: Hashable {
    /// The index of the tunnel.
    let tunnel: Int
    let destination: IPAddress
}

/// Takes a file apart. Whatever the bytes are, it does not trap.
struct RecordReader {
    /// When the record was taken, by both clocks.
    let boottime, realtime: Int64
    private(set) var records: [Record] = []

    /// Reads a whole file.
    init(_ bytes: [UInt8]) throws(RecordError) {
        guard bytes.count <= Limits.recordFileBytesMax else {
            throw RecordError(.tooLong, at: Limits.recordFileBytesMax)
        }
        var cursor = ByteCursor(bytes[...])
        let header = try RecordFormat.readHeader(&cursor)
        boottime = header.boottime
        realtime = header.realtime
        var number: UInt64 = 0
        reading: while true {
            let start = cursor.offset
            switch try Self.next(&cursor) {
            case .content(let content, let time):
                records.append(Record(content: content, time: time, offset: start))
            case .skipped: break
            case .end(number): break reading
            case .end: throw RecordError(.impossible("another number of records"), at: start)
            }
            number += 1
        }
        guard cursor.isAtEnd else { throw RecordError(.trailingBytes, at: cursor.offset) }
    }

    private enum Item {
        case content(Record.Content, time: Int64)
        /// One that this version does not know and need not.
        case skipped
        case end(count: UInt64)
    }

    private static func next(_ cursor: inout ByteCursor) throws(RecordError) -> Item {
        let start = cursor.offset
        let length = Int(try cursor.number(UInt32.self))
        let kind = try cursor.number(UInt16.self)
        _ = try cursor.number(UInt16.self)
        let time = try cursor.number(Int64.self)
        let checked = cursor.bytes[start..<cursor.offset]
        let check = try cursor.number(UInt32.self)
        var payload = ByteCursor(try cursor.take(length))
        var sum = CRC32()
        sum.add(checked)
        sum.add(payload.bytes)
        guard sum.value == check else { throw RecordError(.damaged, at: start) }
        guard RecordFormat.times.contains(time) else {
            throw RecordError(.impossible("its time"), at: start)
        }
        guard let known = RecordFormat.Kind(rawValue: kind) else {
            guard kind & RecordFormat.optionalBit != 0 else {
                throw RecordError(.unknownKind(Int(kind)), at: start)
            }
            return .skipped
        }
        if known == .end { return .end(count: try payload.number(UInt64.self)) }
        return .content(try content(known, &payload), time: time)
    }

    private static func content(
        _ kind: RecordFormat.Kind, _ payload: inout ByteCursor
    ) throws(RecordError) -> Record.Content {
        switch kind {
        case .snapshot: return .snapshot(try payload.model())
        case .message: return .message(payload.bytes.startIndex..<payload.bytes.endIndex)
        case .findings:
            let index = Int(try payload.number(UInt32.self))
            let isWireless = try payload.number(UInt8.self) & 1 != 0
            let deviceType = try payload.optionalText()
            return .findings(
                index: index, FlightRecorder.Findings(deviceType: deviceType, isWireless: isWireless))
        case .dump: return .dump
        case .dumped: return .dumped(payload.bytes.startIndex..<payload.bytes.endIndex)
        case .dumpEnd: return .dumpEnd
        case .lost: return .lost
        case .lookup:
            let (query, answer) = try payload.lookup()
            return .lookup(query, answer)
        case .farEnd:
            let (query, end) = try payload.farEnd()
            return .farEnd(query, end)
        case .judged: return .judged
        case .timer: return .timer
        case .settings: return .settings(try payload.settings())
        case .link: return .link(try payload.link())
        case .target: return .target(try payload.target())
        case .answer:
            let (question, answer) = try payload.answer()
            return .answer(question: question, answer)
        case .metered: return .metered(try payload.number(UInt8.self) != 0)
        case .cut: return .cut
        case .overgrown: return .overgrown
        case .end: preconditionFailure("the end holds nothing")
        }
    }
}

extension RecordFormat {
    /// The header of a file.
    static func header(boottime: Int64, realtime: Int64) -> [UInt8] {
        var bytes = magic
        func append(_ number: some FixedWidthInteger & BitwiseCopyable) {
            bytes += nativeBytes(number.littleEndian)
        }
        append(major)
        append(minor)
        append(UInt32(headerBytes))
        append(boottime)
        append(realtime)
        bytes += nativeBytes(byteOrderMark)
        var check = CRC32()
        check.add(bytes[...])
        append(check.value)
        return bytes
    }

    private static func nativeBytes(_ number: some BitwiseCopyable) -> [UInt8] {
        unsafe withUnsafeBytes(of: number) { unsafe Array($0) }
    }

    /// Reads the header, and leaves the cursor behind it.
    fileprivate static func readHeader(
        _ cursor: inout ByteCursor
    ) throws(RecordError) -> (boottime: Int64, realtime: Int64) {
        guard cursor.bytes.starts(with: magic) else {
            // An empty file, or the beginning of a record, has been cut short.
            let isBeginning = magic.starts(with: cursor.bytes)
            throw RecordError(isBeginning ? .truncated : .foreign, at: isBeginning ? cursor.bytes.count : 0)
        }
        _ = try cursor.take(magic.count)
        let version = try cursor.number(UInt16.self)
        guard version == major else { throw RecordError(.version(Int(version)), at: magic.count) }
        _ = try cursor.number(UInt16.self)
        let length = Int(try cursor.number(UInt32.self))
        guard length >= headerBytes else { throw RecordError(.impossible("a short header"), at: 12) }
        let boottime = try cursor.number(Int64.self)
        let realtime = try cursor.number(Int64.self)
        let order = try cursor.number(UInt32.self)
        // The check stands at the end of the header, wherever newer versions have moved that.
        _ = try cursor.take(length - headerBytes)
        var sum = CRC32()
        sum.add(cursor.bytes[..<cursor.offset])
        guard try cursor.number(UInt32.self) == sum.value else { throw RecordError(.damaged, at: 0) }
        guard order == UInt32(littleEndian: byteOrderMark) else {
            throw RecordError(.byteOrder, at: 32)
        }
        guard times.contains(boottime), times.contains(realtime) else {
            throw RecordError(.impossible("its time"), at: 16)
        }
        return (boottime, realtime)
    }
}
