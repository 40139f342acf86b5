/// One of the two families of the Internet Protocol.
public enum AddressFamily: Sendable, Hashable, CaseIterable {
    /// IPv4 (RFC 791), addresses of 4 bytes.
    case ipv4
    /// IPv6 (RFC 8200), addresses of 16 bytes.
    case ipv6

    /// How long an address of this family is, in bits.
    public var bits: Int {
        switch self {
        case .ipv4: return 32
        case .ipv6: return 128
        }
    }
}

/// An IPv4 or IPv6 address, without port or zone.
///
///     IPAddress("2606:4700:4700:0:0:0:0:1111")?.description  // "2606:4700:4700::1111"
public struct IPAddress: Hashable, Sendable {
    /// The family that the address belongs to.
    public let family: AddressFamily

    /// The address as a number; an IPv4 address fills the low 32 bits.
    let value: UInt128

    /// Wraps a number that already fits the family.
    init(family: AddressFamily, value: UInt128) {
        self.family = family
        self.value = value
    }

    /// Reads an address as it stands in a message: 4 or 16 bytes in network order.
    ///
    /// Returns nil for any other number of bytes.
    public init?(_ bytes: some Collection<UInt8>) {
        switch bytes.count {
        case 4: family = .ipv4
        case 16: family = .ipv6
        default: return nil
        }
        value = bytes.reduce(0) { $0 << 8 | UInt128($1) }
    }

    /// The address as two numbers; an IPv4 address fills the low 32 bits of the second.
    public var halves: (high: UInt64, low: UInt64) {
        (UInt64(truncatingIfNeeded: value >> 64), UInt64(truncatingIfNeeded: value))
    }

    /// The bytes of the address in network order, 4 or 16 of them.
    public var bytes: [UInt8] {
        var bytes = [UInt8](repeating: 0, count: family.bits / 8)
        var rest = value
        for index in bytes.indices.reversed() {
            bytes[index] = UInt8(truncatingIfNeeded: rest)
            rest >>= 8
        }
        return bytes
    }
}

extension IPAddress: Comparable {
    /// IPv4 comes before IPv6; within a family the numerically smaller address comes first.
    public static func < (left: IPAddress, right: IPAddress) -> Bool {
        switch (left.family, right.family) {
        case (.ipv4, .ipv6): return true
        case (.ipv6, .ipv4): return false
        case (.ipv4, .ipv4), (.ipv6, .ipv6): return left.value < right.value
        }
    }
}

extension IPAddress {
    /// True for 0.0.0.0 and ::.
    public var isUnspecified: Bool { value == 0 }

    /// True in 127.0.0.0/8 (RFC 1122) and for ::1 (RFC 4291).
    public var isLoopback: Bool {
        switch family {
        case .ipv4: return value >> 24 == 127
        case .ipv6: return value == 1
        }
    }

    /// True in 169.254.0.0/16 (RFC 3927) and fe80::/10 (RFC 4291).
    public var isLinkLocal: Bool {
        switch family {
        case .ipv4: return value >> 16 == 0xA9FE
        case .ipv6: return value >> 118 == 0x3FA
        }
    }

    /// True in 224.0.0.0/4 (RFC 5771) and ff00::/8 (RFC 4291).
    public var isMulticast: Bool {
        switch family {
        case .ipv4: return value >> 28 == 0xE
        case .ipv6: return value >> 120 == 0xFF
        }
    }
}
