internal import CNetlink

/// Room for records, reserved once: nothing is allocated while recording.
///
/// Records are laid out as in the file; their checks are computed when a copy is taken.
@safe
final class RecordBuffer {
    private let space: UnsafeMutableRawBufferPointer
    /// Bytes of whole records.
    private(set) var count = 0
    /// Whole records.
    private(set) var records = 0
    /// Where the next byte of the open record goes.
    private var end = 0
    private var hasOverflowed = false

    /// Reserves room. The pages behind it are taken from the system as they are first written.
    init(capacity: Int) {
        unsafe space = .allocate(byteCount: capacity, alignment: 16)
    }

    deinit {
        unsafe space.deallocate()
    }

    /// Bytes for records and room.
    var capacity: Int { unsafe space.count }

    /// Bytes that are free.
    var room: Int { capacity - count }

    /// Forgets everything.
    func clear() {
        count = 0
        records = 0
    }

    /// Appends a record whose payload `body` puts.
    /// - Returns: whether it fitted; where it did not, nothing has changed.
    @discardableResult
    func append(_ kind: RecordFormat.Kind, at time: Int64, _ body: (RecordBuffer) -> Void = { _ in }) -> Bool
    {
        end = count
        hasOverflowed = false
        put(UInt32(0))
        put(kind.rawValue)
        put(UInt16(0))
        put(time)
        put(UInt32(0))
        body(self)
        guard !hasOverflowed else { return false }
        set(UInt32(end - count - RecordFormat.recordHeaderBytes), at: count)
        count = end
        records += 1
        return true
    }

    /// A copy of all records, with their checks.
    var checked: [UInt8] {
        var bytes = unsafe Array(space[..<count])
        var offset = 0
        while offset < bytes.count {
            let payload = offset + RecordFormat.recordHeaderBytes
            let length = bytes[offset..<(offset + 4)].reversed().reduce(0) { $0 << 8 | Int($1) }
            var check = CRC32()
            check.add(bytes[offset..<(payload - 4)])
            check.add(bytes[payload..<(payload + length)])
            for byte in 0..<4 {
                bytes[payload - 4 + byte] = UInt8(truncatingIfNeeded: check.value >> UInt32(8 * byte))
            }
            offset = payload + length
        }
        return bytes
    }
}

// What a payload is made of.
extension RecordBuffer {
    func put(_ number: some FixedWidthInteger & BitwiseCopyable) {
        let size = number.bitWidth / 8
        guard unsafe space.count - end >= size else { return hasOverflowed = true }
        unsafe space.storeBytes(of: number.littleEndian, toByteOffset: end, as: type(of: number))
        end += size
    }

    func put(_ bytes: UnsafeRawBufferPointer) {
        guard unsafe space.count - end >= bytes.count else { return hasOverflowed = true }
        unsafe UnsafeMutableRawBufferPointer(rebasing: space[end...]).copyMemory(from: bytes)
        end += bytes.count
    }

    /// A text with its length; what is longer than a byte can count is cut off.
    func put(_ text: String?) {
        guard var text else { return put(RecordFormat.noText) }
        text.withUTF8 { bytes in
            let length = min(bytes.count, Int(RecordFormat.noText) - 1)
            put(UInt8(length))
            unsafe put(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(bytes)[..<length]))
        }
    }

    /// A text that may be longer, with its length.
    func put(long text: String) {
        putWithLength(UInt16.self) {
            for byte in text.utf8.prefix(Int(UInt16.max)) { put(byte) }
        }
    }

    /// What `body` puts, after its length.
    func putWithLength<Length: FixedWidthInteger & BitwiseCopyable>(
        _ type: Length.Type, _ body: () -> Void
    ) {
        let start = end
        put(Length.zero)
        body()
        guard !hasOverflowed, let length = Length(exactly: end - start - Length.bitWidth / 8) else {
            return hasOverflowed = true
        }
        set(length, at: start)
    }

    /// So many things as `body` says it has put, after their number.
    func putWithCount(_ body: () -> UInt32) {
        let start = end
        put(UInt32(0))
        let number = body()
        if !hasOverflowed { set(number, at: start) }
    }

    /// A netlink message, without the attributes that are long and decide nothing.
    func put(_ message: RawMessage) {
        let start = end
        unsafe message.withBytes { bytes in
            guard message.isAboutLink else { return unsafe put(bytes) }
            var kept = 0
            var offset = MemoryLayout<nlmsghdr>.size + MemoryLayout<ifinfomsg>.size
            while offset + 4 <= bytes.count {
                let length = unsafe Int(bytes.loadUnaligned(fromByteOffset: offset, as: UInt16.self))
                let type = unsafe bytes.loadUnaligned(fromByteOffset: offset + 2, as: UInt16.self)
                guard length >= 4, offset + length <= bytes.count else { break }
                let next = min((offset + length + 3) & ~3, bytes.count)
                if Self.isLeftOut(type) {
                    unsafe put(UnsafeRawBufferPointer(rebasing: bytes[kept..<offset]))
                    kept = next
                }
                offset = next
            }
            unsafe put(UnsafeRawBufferPointer(rebasing: bytes[kept...]))
        }
        if !hasOverflowed { setNative(UInt32(end - start), at: start) }
    }

    private static func isLeftOut(_ type: UInt16) -> Bool {
        type < 64 && leftOut >> UInt64(type) & 1 == 1
    }

    /// The attributes of links that no decoder here reads, and that are half of a message and more.
    private static let leftOut: UInt64 = [
        IFLA_STATS, IFLA_STATS64, IFLA_MAP, IFLA_AF_SPEC, IFLA_VFINFO_LIST, IFLA_VF_PORTS,
    ].reduce(0) { $0 | 1 << UInt64($1) }

    private func set(_ number: some FixedWidthInteger & BitwiseCopyable, at offset: Int) {
        setNative(number.littleEndian, at: offset)
    }

    private func setNative(_ number: some FixedWidthInteger & BitwiseCopyable, at offset: Int) {
        unsafe space.storeBytes(of: number, toByteOffset: offset, as: type(of: number))
    }
}
