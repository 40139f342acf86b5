/// What names a row for ever and everywhere: a UUID of version 7 (RFC 9562, section 5.7), so that rows of
/// several devices can be put together, and in order.
public struct EntryID: Hashable, Sendable, CustomStringConvertible {
    /// The sixteen bytes, the most significant first.
    public let bytes: [UInt8]

    private static let byteCount = 16

    /// Makes a new one.
    ///
    /// - Parameters:
    ///   - wall: The moment, in microseconds since the Unix epoch. Where the clock is wrong the 74 random
    ///     bits still make it the only one.
    ///   - generator: Where those come from.
    init(at wall: Int64, using generator: inout some RandomNumberGenerator) {
        let milliseconds = UInt64(max(0, wall)) / 1_000
        let high = milliseconds << 16 | 0x7000 | UInt64.random(in: 0...0x0FFF, using: &generator)
        let low = 1 << 63 | UInt64.random(in: 0...(1 << 62 - 1), using: &generator)
        bytes = [high, low].flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> (56 - 8 * $0)) }
        }
    }

    /// Takes up one that was kept; `nil` where it has another length.
    init?(bytes: [UInt8]) {
        guard bytes.count == Self.byteCount else { return nil }
        self.bytes = bytes
    }

    /// `0196a3f2-7c5e-7d10-8a4b-0123456789ab`.
    public var description: String {
        var text = ""
        for (index, byte) in bytes.enumerated() {
            if [4, 6, 8, 10].contains(index) { text += "-" }
            text += (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }
        return text
    }
}
