/// Reads bytes from the front to the end; what would go beyond the end is a file that was cut off.
struct ByteCursor {
    private(set) var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) {
        rest = bytes
    }

    /// Where it stands, from the beginning of the file.
    var position: Int { rest.startIndex }

    var isAtEnd: Bool { rest.isEmpty }

    /// Takes so many bytes.
    mutating func take(_ count: Int) throws(FileFault) -> ArraySlice<UInt8> {
        guard count <= rest.count else { throw .cutOff }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }

    mutating func byte() throws(FileFault) -> UInt8 {
        guard let byte = rest.popFirst() else { throw .cutOff }
        return byte
    }

    /// A number of so many bytes, the highest first.
    mutating func bigEndian(_ bytes: Int) throws(FileFault) -> Int {
        try take(bytes).reduce(0) { $0 << 8 | Int($1) }
    }

    /// A number of so many bytes, the lowest first.
    mutating func littleEndian(_ bytes: Int) throws(FileFault) -> Int {
        try take(bytes).reversed().reduce(0) { $0 << 8 | Int($1) }
    }

    /// Goes to the next byte of this value, leaving it to be read.
    mutating func skip(to value: UInt8) throws(FileFault) {
        guard let place = rest.firstIndex(of: value) else { throw .cutOff }
        rest = rest[place...]
    }
}
