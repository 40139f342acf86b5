internal import Reachability

/// Reads a part of a record from front to back. Offsets are those of the whole file.
struct ByteCursor {
    let bytes: ArraySlice<UInt8>
    /// Where the next byte is.
    private(set) var offset: Int

    init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        offset = bytes.startIndex
    }

    var isAtEnd: Bool { offset == bytes.endIndex }

    /// The next `count` bytes.
    mutating func take(_ count: Int) throws(RecordError) -> ArraySlice<UInt8> {
        guard count <= bytes.endIndex - offset else { throw RecordError(.truncated, at: bytes.endIndex) }
        defer { offset += count }
        return bytes[offset..<(offset + count)]
    }

    /// A number.
    mutating func number<Number: FixedWidthInteger>(_ type: Number.Type) throws(RecordError) -> Number {
        let part = try take(Number.bitWidth / 8)
        var number = Number.Magnitude.zero
        for byte in part.reversed() { number = number << 8 | Number.Magnitude(byte) }
        return Number(truncatingIfNeeded: number)
    }

    /// A part that has a length of its own before it.
    mutating func part<Length: FixedWidthInteger>(_ type: Length.Type) throws(RecordError) -> ByteCursor {
        ByteCursor(try take(Int(try number(Length.self))))
    }

    /// A text that may be missing.
    mutating func optionalText() throws(RecordError) -> String? {
        let length = try number(UInt8.self)
        guard length != RecordFormat.noText else { return nil }
        return String(decoding: try take(Int(length)), as: UTF8.self)
    }

    /// A text.
    mutating func text() throws(RecordError) -> String {
        let start = offset
        guard let text = try optionalText() else { throw RecordError(.impossible("no text"), at: start) }
        return text
    }

    /// One of the words of an enumeration.
    mutating func word<Word: RawRepresentable<String>>(_ type: Word.Type) throws(RecordError) -> Word {
        let start = offset
        let text = try text()
        guard let word = Word(rawValue: text) else {
            throw RecordError(.impossible("unknown word '\(text)'"), at: start)
        }
        return word
    }

    /// An address that may be missing.
    mutating func optionalAddress() throws(RecordError) -> IPAddress? {
        let start = offset
        let length = Int(try number(UInt8.self))
        guard length > 0 else { return nil }
        guard let address = IPAddress(try take(length)) else {
            throw RecordError(.impossible("an address of \(length) bytes"), at: start)
        }
        return address
    }

    /// An address.
    mutating func address() throws(RecordError) -> IPAddress {
        let start = offset
        guard let address = try optionalAddress() else {
            throw RecordError(.impossible("no address"), at: start)
        }
        return address
    }

    /// The index of a link, nil for 0.
    mutating func optionalIndex() throws(RecordError) -> Int? {
        let index = Int(try number(UInt32.self))
        return index == 0 ? nil : index
    }

    /// A moment.
    mutating func instant() throws(RecordError) -> Instant {
        let start = offset
        let instant = Instant(microseconds: try number(Int64.self))
        guard RecordFormat.times.contains(instant.microseconds) else {
            throw RecordError(.impossible("its time"), at: start)
        }
        return instant
    }
}
