/// A range of addresses that share their first bits, as in a route: `10.0.0.0/8`, `2001:db8::/32`.
public struct AddressPrefix: Hashable, Sendable {
    /// The first address of the range; the bits after the prefix are zero.
    public let address: IPAddress

    /// How many leading bits are shared, from 0 to the bits of the family.
    public let length: Int

    /// The range around `address`; nil when the length does not suit the family.
    public init?(_ address: IPAddress, length: Int) {
        guard (0...address.family.bits).contains(length) else { return nil }
        let hostBits = UInt128(address.family.bits - length)
        // A shift by all 128 bits yields 0, which is what an empty prefix needs.
        self.address = IPAddress(family: address.family, value: (address.value >> hostBits) << hostBits)
        self.length = length
    }

    /// Reads `ADDRESS/LENGTH`, or an address alone as the range of just itself.
    public init?(_ text: some StringProtocol) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard let first = parts.first, parts.count <= 2, let address = IPAddress(first) else { return nil }
        guard parts.count == 2 else {
            self.init(address, length: address.family.bits)
            return
        }
        guard let length = Int(parts[1]), String(length) == parts[1] else { return nil }
        self.init(address, length: length)
    }

    /// Whether an address lies in the range. Families never contain each other.
    public func contains(_ other: IPAddress) -> Bool {
        guard other.family == address.family else { return false }
        let hostBits = UInt128(address.family.bits - length)
        return other.value >> hostBits == address.value >> hostBits
    }
}

extension AddressPrefix: CustomStringConvertible {
    /// The canonical text, `ADDRESS/LENGTH`.
    public var description: String { "\(address)/\(length)" }
}

extension AddressPrefix: Comparable {
    /// By address, then the wider range first.
    public static func < (left: AddressPrefix, right: AddressPrefix) -> Bool {
        (left.address, left.length) < (right.address, right.length)
    }
}
