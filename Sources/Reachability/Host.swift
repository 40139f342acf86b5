/// A host as people write it: an address, or a name that the DNS or /etc/hosts knows.
///
///     try Host("Example.COM.")   // .name("example.com."), asked for as it is
///     try Host("2001:db8::1")    // .address, never asked for
///     try Host("192.0.2.300")    // HostFault.noAddress
public enum Host: Hashable, Sendable {
    /// An address.
    case address(IPAddress)
    /// A name in small letters. With a dot at its end it is complete: no search domain is tried.
    case name(String)

    /// The longest name without the dot at its end (RFC 1035, section 2.3.4, as text).
    static let nameBytesMax = 253
    /// The longest part between two dots (RFC 1035, section 2.3.4).
    static let labelBytesMax = 63

    /// Reads an address or a name: letters, digits, `-` and `_` (RFC 1123, section 2.1; the underscore, which
    /// some networks use, is taken too).
    public init(_ text: String) throws(HostFault) {
        if let address = IPAddress(text) {
            self = .address(address)
            return
        }
        // Before the letters are made small: the Kelvin sign would become a k.
        guard text.utf8.allSatisfy({ $0 < 0x80 }) else { throw .notASCII }
        let name = text.lowercased()
        let isComplete = name.utf8.last == UInt8(ascii: ".")
        let bytes = isComplete ? name.utf8.dropLast() : name.utf8[...]
        guard !bytes.isEmpty else { throw .empty }
        guard bytes.count <= Self.nameBytesMax else { throw .tooLong }
        // A colon stands in addresses alone: this one is wrong, or carries a zone or a port.
        guard !bytes.contains(UInt8(ascii: ":")) else { throw .noAddress }
        let labels = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        for label in labels { try Self.check(label) }
        // No top-level domain is a number; what looks like one is an address that some readers would take
        // for another one (010.0.0.1, 127.1).
        if let last = labels.last, Self.isNumber(last) { throw .noAddress }
        self = .name(name)
    }

    private static func check(_ label: Substring.UTF8View) throws(HostFault) {
        guard (1...labelBytesMax).contains(label.count) else { throw .labelLength }
        let hyphen = UInt8(ascii: "-")
        guard label.first != hyphen, label.last != hyphen, label.allSatisfy(isAllowed) else {
            throw .character
        }
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
            UInt8(ascii: "-"), UInt8(ascii: "_"):
            return true
        default: return false
        }
    }

    /// Whether a reader in the manner of inet_aton(3) takes the part for a number.
    private static func isNumber(_ label: Substring.UTF8View) -> Bool {
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        if label.allSatisfy(digits.contains) { return true }
        guard label.starts(with: "0x".utf8) else { return false }
        return label.dropFirst(2).allSatisfy { digits.contains($0) || (0x61...0x66).contains($0) }
    }
}

extension Host: CustomStringConvertible {
    /// The address or name.
    public var description: String {
        switch self {
        case .address(let address): return address.description
        case .name(let name): return name
        }
    }
}

/// Why a text is no host.
public enum HostFault: Error, Hashable, Sendable, CaseIterable, CustomStringConvertible {
    /// There is nothing.
    case empty
    /// It has more than 253 bytes.
    case tooLong
    /// It has letters beyond ASCII.
    case notASCII
    /// A part between dots is empty or has more than 63 bytes.
    case labelLength
    /// A character that no name has, or a hyphen at an end of a part.
    case character
    /// It looks like an address, and is none.
    case noAddress

    /// The fault in a sentence's words.
    public var description: String {
        switch self {
        case .empty: return "a host's name cannot be empty"
        case .tooLong: return "a host's name has at most \(Host.nameBytesMax) bytes"
        case .notASCII: return "a host's name is ASCII: write an international name in its xn-- form"
        case .labelLength: return "the parts of a host's name have 1 to \(Host.labelBytesMax) bytes each"
        case .character:
            return "the parts of a host's name are letters, digits, '-' and '_', with no '-' at their ends"
        case .noAddress: return "this looks like an address, but is no IPv4 or IPv6 address"
        }
    }
}
