/// Reads a fixture: bytes in hexadecimal, with white space as one likes; `#` begins a comment.
func hex(_ text: String) -> [UInt8] {
    text.split(separator: "\n").flatMap { line -> [UInt8] in
        let bytes = line.prefix { $0 != "#" }.split(separator: " ")
        return bytes.map { byte in
            guard let value = UInt8(byte, radix: 16) else { preconditionFailure("'\(byte)' is no byte") }
            return value
        }
    }
}

extension [UInt8] {
    /// The same bytes with other ones from `offset` on.
    func replacing(at offset: Int, with bytes: [UInt8]) -> [UInt8] {
        var copy = self
        copy.replaceSubrange(offset..<(offset + bytes.count), with: bytes)
        return copy
    }

    /// The same bytes with another 16-bit number, in the machine's order, at `offset`.
    func replacing(at offset: Int, with number: UInt16) -> [UInt8] {
        replacing(
            at: offset, with: [UInt8(truncatingIfNeeded: number), UInt8(truncatingIfNeeded: number >> 8)])
    }

    /// The same bytes with the length that the header of their one message should have.
    var withRightLength: [UInt8] {
        replacing(at: 0, with: UInt16(count))
    }
}
