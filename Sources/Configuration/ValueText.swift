internal import AdSlots
internal import Reachability

/// Values as they stand behind a key. Each reader throws a sentence that names what was expected.
enum ValueText {
    static func yesOrNo(_ text: String) throws(ConfigurationFault) -> Bool {
        switch text {
        case "yes", "true", "on", "1": return true
        case "no", "false", "off", "0": return false
        default: throw ConfigurationFault("expected yes or no, found '\(text)'")
        }
    }

    static func duration(
        _ text: String, in range: ClosedRange<Duration>
    ) throws(ConfigurationFault) -> Duration {
        guard let duration = DurationText.parse(text) else {
            throw ConfigurationFault("expected a time such as 250ms, 30s, 5min or 2h, found '\(text)'")
        }
        guard range.contains(duration) else {
            let bounds = (DurationText.format(range.lowerBound), DurationText.format(range.upperBound))
            throw ConfigurationFault("'\(text)' is out of range: it can be \(bounds.0) to \(bounds.1)")
        }
        return duration
    }

    /// Words between spaces; at least one.
    static func words(_ text: String) throws(ConfigurationFault) -> [String] {
        let words = text.split(whereSeparator: { $0 == " " || $0 == "\t" }).map(String.init)
        guard !words.isEmpty else { throw ConfigurationFault("expected at least one value") }
        return words
    }

    static func choice<Value: RawRepresentable<String> & CaseIterable>(
        _ text: String, of type: Value.Type, except excluded: Value? = nil
    ) throws(ConfigurationFault) -> Value {
        guard text != excluded?.rawValue, let value = Value(rawValue: text) else {
            let known = Value.allCases.map(\.rawValue).filter { $0 != excluded?.rawValue }
            throw ConfigurationFault("expected one of \(known.joined(separator: ", ")); found '\(text)'")
        }
        return value
    }

    static func address(_ text: String) throws(ConfigurationFault) -> IPAddress {
        guard let address = IPAddress(text) else {
            throw ConfigurationFault("expected an IPv4 or IPv6 address, found '\(text)'")
        }
        guard !address.isUnspecified, !address.isLoopback, !address.isMulticast, !address.isLinkLocal else {
            throw ConfigurationFault("'\(text)' is no address of the internet")
        }
        return address
    }

    /// A host's name, or an address of one that can be somewhere else.
    static func host(_ text: String) throws(ConfigurationFault) -> Host {
        let host: Host
        do throws(HostFault) {
            host = try Host(text)
        } catch {
            throw ConfigurationFault("\(error.description); found '\(text)'")
        }
        switch host {
        case .address: return .address(try address(text))
        case .name: return host
        }
    }

    /// A URL of HTTP that can be asked for as it stands: a scheme, a host, and no credentials, which would be
    /// sent in clear text and show in logs.
    static func webAddress(_ text: String) throws(ConfigurationFault) -> String {
        let scheme = text.prefix { $0 != ":" }.lowercased()
        guard scheme == "http" || scheme == "https", text.dropFirst(scheme.count).hasPrefix("://") else {
            throw ConfigurationFault("expected a URL of http or https, found '\(text)'")
        }
        guard text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }), text.utf8.count <= Limits.urlBytesMax
        else {
            throw ConfigurationFault(
                "a URL has at most \(Limits.urlBytesMax) visible characters of ASCII; found '\(text)'")
        }
        let authority = text.dropFirst(scheme.count + 3).prefix { !"/?#".contains($0) }
        guard !authority.contains("@") else {
            throw ConfigurationFault("credentials are not allowed in a URL; found '\(text)'")
        }
        guard isHostAndPort(authority) else {
            throw ConfigurationFault("'\(text)' names no host, or a port that is none")
        }
        return text
    }

    private static func isHostAndPort(_ authority: Substring) -> Bool {
        var rest = authority
        if rest.hasPrefix("[") {
            guard let end = rest.firstIndex(of: "]"),
                let address = IPAddress(rest[rest.index(after: rest.startIndex)..<end]),
                address.family == .ipv6
            else { return false }
            rest = rest[rest.index(after: end)...]
        } else {
            let host = rest.prefix { $0 != ":" }
            let isName = host.allSatisfy { $0.isLetter || $0.isNumber || "-._".contains($0) }
            guard isName, host.contains(where: { $0.isLetter || $0.isNumber }) else { return false }
            rest = rest.dropFirst(host.count)
        }
        guard !rest.isEmpty else { return true }
        let digits = rest.dropFirst()
        guard rest.hasPrefix(":"), digits.allSatisfy(\.isNumber) else { return false }
        return UInt16(digits).map { $0 > 0 } ?? false
    }

    static func number(_ text: String, in range: ClosedRange<Int>) throws(ConfigurationFault) -> Int {
        guard text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            let number = Int(text), range.contains(number)
        else {
            throw ConfigurationFault(
                "expected a number from \(range.lowerBound) to \(range.upperBound), found '\(text)'")
        }
        return number
    }

    /// A number of bytes, with K, M, G or T for powers of 1024 as in systemd's files.
    static func bytes(_ text: String, in range: ClosedRange<Int64>) throws(ConfigurationFault) -> Int64 {
        let suffixes = ["K", "M", "G", "T"]
        let power = suffixes.firstIndex { text.hasSuffix($0) }.map { $0 + 1 } ?? 0
        let digits = power > 0 ? text.dropLast() : text[...]
        let isNumber = digits.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        let (bytes, overflow) = (Int64(digits) ?? .max).multipliedReportingOverflow(by: 1 << (10 * power))
        guard isNumber, !digits.isEmpty, !overflow, range.contains(bytes) else {
            let bounds = (format(bytes: range.lowerBound), format(bytes: range.upperBound))
            throw ConfigurationFault("expected a size from \(bounds.0) to \(bounds.1), found '\(text)'")
        }
        return bytes
    }

    private static func format(bytes: Int64) -> String {
        var (value, suffix) = (bytes, "")
        for next in ["K", "M", "G", "T"] where value >= 1_024 && value % 1_024 == 0 {
            (value, suffix) = (value / 1_024, next)
        }
        return "\(value)\(suffix)"
    }

    /// The name of a time zone; whether there is one of that name the system's database says.
    static func timeZone(_ text: String) throws(ConfigurationFault) -> String {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        let isName = parts.allSatisfy { part in
            !part.isEmpty && part.utf8.first != UInt8(ascii: ".")
                && part.utf8.allSatisfy { byte in
                    switch byte {
                    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"),
                        UInt8(ascii: "+"), UInt8(ascii: "."):
                        true
                    default: false
                    }
                }
        }
        guard isName, text.utf8.count <= Limits.timeZoneBytesMax else {
            throw ConfigurationFault("expected a time zone such as Europe/Berlin, found '\(text)'")
        }
        return text
    }

    /// `WIDTHxHEIGHT` in density-independent pixels.
    static func size(_ text: String) throws(ConfigurationFault) -> Size {
        let sides = text.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
        guard sides.count == 2, let width = sides[0], let height = sides[1] else {
            throw ConfigurationFault("expected a size such as 320x50, found '\(text)'")
        }
        let allowed = AdSlots.Limits.sidePixels
        guard allowed.contains(width), allowed.contains(height) else {
            throw ConfigurationFault(
                "'\(text)' is out of range: sides can be \(allowed.lowerBound) to \(allowed.upperBound)")
        }
        return Size(width: width, height: height)
    }

    /// A pattern for names of links. The kernel allows no white space in them, so one with white space would
    /// never match.
    static func linkPattern(_ text: String) throws(ConfigurationFault) -> String {
        guard !text.contains(where: \.isWhitespace) else {
            throw ConfigurationFault("a link's name has no spaces; found '\(text)'")
        }
        return text
    }

    /// Names of slots, sources and groups: letters, digits, `-`, `_` and `.`, so that they need no quoting
    /// anywhere.
    static func name(_ text: some StringProtocol, of what: String) throws(ConfigurationFault) -> String {
        let isPlain = text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"),
                UInt8(ascii: "."):
                true
            default: false
            }
        }
        guard isPlain, !text.isEmpty, text.utf8.count <= Limits.nameBytesMax else {
            throw ConfigurationFault(
                "a \(what) has 1 to \(Limits.nameBytesMax) letters, digits, '-', '_' or '.'; found '\(text)'")
        }
        return String(text)
    }
}
