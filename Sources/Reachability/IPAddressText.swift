extension IPAddress {
    /// Reads an address from text: a strict dotted quad, or RFC 4291 section 2.2 for IPv6, the form with an
    /// embedded IPv4 address included.
    ///
    /// Returns nil for anything else: leading zeros in a quad, zones (`%eth0`), prefixes, spaces.
    public init?(_ text: some StringProtocol) {
        let characters = Array(text.utf8)
        guard characters.count <= Self.textBytesMax else { return nil }
        if characters.contains(UInt8(ascii: ":")) {
            guard let value = Self.ipv6Value(characters) else { return nil }
            self.init(family: .ipv6, value: value)
        } else {
            guard let value = Self.ipv4Value(characters[...]) else { return nil }
            self.init(family: .ipv4, value: UInt128(value))
        }
    }

    /// The longest text of an address: eight groups, of which the last two are a dotted quad.
    private static let textBytesMax = 45

    private static func ipv4Value(_ text: ArraySlice<UInt8>) -> UInt32? {
        let parts = text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 4 else { return nil }
        var value: UInt32 = 0
        for part in parts {
            guard let octet = octet(part) else { return nil }
            value = value << 8 | UInt32(octet)
        }
        return value
    }

    /// Reads 0 to 255; a leading zero is refused because some readers take it for octal.
    private static func octet(_ text: ArraySlice<UInt8>) -> UInt8? {
        guard (1...3).contains(text.count), text.count == 1 || text.first != UInt8(ascii: "0") else {
            return nil
        }
        var value = 0
        for character in text {
            guard let digit = hexadecimalDigit(character), digit < 10 else { return nil }
            value = value * 10 + Int(digit)
        }
        return UInt8(exactly: value)
    }

    private static func ipv6Value(_ text: [UInt8]) -> UInt128? {
        let colon = UInt8(ascii: ":")
        let gap = text.indices.dropLast().first { text[$0] == colon && text[$0 + 1] == colon }
        guard let gap else {
            guard let groups = groups(text[...]), groups.count == 8 else { return nil }
            return number(groups)
        }
        guard let head = groups(text[..<gap], mayEndInQuad: false), let tail = groups(text[(gap + 2)...]),
            head.count + tail.count < 8
        else { return nil }
        return number(head + Array(repeating: 0, count: 8 - head.count - tail.count) + tail)
    }

    /// Reads groups of hexadecimal digits between single colons; a dotted quad at the end makes two groups.
    private static func groups(_ text: ArraySlice<UInt8>, mayEndInQuad: Bool = true) -> [UInt16]? {
        guard !text.isEmpty else { return [] }
        var groups: [UInt16] = []
        let parts = text.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        for (position, part) in parts.enumerated() {
            if let group = group(part) {
                groups.append(group)
            } else if mayEndInQuad, position == parts.count - 1, let quad = ipv4Value(part) {
                groups += [UInt16(quad >> 16), UInt16(truncatingIfNeeded: quad)]
            } else {
                return nil
            }
        }
        return groups
    }

    private static func group(_ text: ArraySlice<UInt8>) -> UInt16? {
        guard (1...4).contains(text.count) else { return nil }
        var value: UInt16 = 0
        for character in text {
            guard let digit = hexadecimalDigit(character) else { return nil }
            value = value << 4 | UInt16(digit)
        }
        return value
    }

    private static func hexadecimalDigit(_ character: UInt8) -> UInt8? {
        switch character {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): return character - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): return character - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): return character - UInt8(ascii: "A") + 10
        default: return nil
        }
    }

    private static func number(_ groups: [UInt16]) -> UInt128 {
        groups.reduce(0) { $0 << 16 | UInt128($1) }
    }
}

extension IPAddress: CustomStringConvertible {
    /// The one canonical text: a dotted quad, or RFC 5952 for IPv6 (IPv4-mapped addresses in mixed form).
    public var description: String {
        switch family {
        case .ipv4: return quad
        case .ipv6: return value >> 32 == 0xFFFF ? "::ffff:\(quad)" : hexadecimalGroups
        }
    }

    /// The low 32 bits as a dotted quad.
    private var quad: String {
        [24, 16, 8, 0].map { String(UInt8(truncatingIfNeeded: value >> UInt128($0))) }.joined(separator: ".")
    }

    private var hexadecimalGroups: String {
        let groups = (0..<8).map { UInt16(truncatingIfNeeded: value >> UInt128(112 - 16 * $0)) }
        let texts = groups.map { String($0, radix: 16) }
        guard let zeros = Self.longestZeroRun(groups) else { return texts.joined(separator: ":") }
        let head = texts[..<zeros.lowerBound].joined(separator: ":")
        let tail = texts[zeros.upperBound...].joined(separator: ":")
        return "\(head)::\(tail)"
    }

    /// The first of the longest runs of zero groups; one group alone is not shortened (RFC 5952, 4.2.2).
    private static func longestZeroRun(_ groups: [UInt16]) -> Range<Int>? {
        var longest = 0..<1
        var start = 0
        for (position, group) in groups.enumerated() {
            if group != 0 {
                start = position + 1
            } else if position + 1 - start > longest.count {
                longest = start..<(position + 1)
            }
        }
        return longest.count > 1 ? longest : nil
    }
}
