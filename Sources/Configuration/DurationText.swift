/// Spans of time as they stand in configuration files and scenarios: `250ms`, `1.5s`, `5min`, `1h 30min`,
/// after systemd.time(7); a bare number counts seconds.
public enum DurationText {
    private static let units: [(name: String, microseconds: Int64)] = [
        ("us", 1), ("ms", 1_000), ("s", 1_000_000), ("min", 60_000_000), ("h", 3_600_000_000),
        ("d", 86_400_000_000),
    ]

    /// The longest span that is read: a hundred years, so that sums of spans never overflow.
    static let microsecondsMax: Int64 = 100 * 365 * 86_400_000_000

    /// Reads a span of time, exact to the microsecond.
    /// - Returns: nil when the text is none, or names more than a hundred years.
    public static func parse(_ text: some StringProtocol) -> Duration? {
        let parts = text.split(separator: " ")
        guard !parts.isEmpty else { return nil }
        var total: Int64 = 0
        for part in parts {
            guard let microseconds = parsePart(part) else { return nil }
            let (sum, overflow) = total.addingReportingOverflow(microseconds)
            guard !overflow, sum <= microsecondsMax else { return nil }
            total = sum
        }
        return .microseconds(total)
    }

    private static func parsePart(_ part: some StringProtocol) -> Int64? {
        let number = part.prefix { $0.isASCII && $0.isNumber || $0 == "." }
        let unitName = part.dropFirst(number.count)
        let scale: Int64
        if unitName.isEmpty {
            scale = 1_000_000
        } else if let unit = units.first(where: { $0.name == unitName }) {
            scale = unit.microseconds
        } else {
            return nil
        }
        let pieces = number.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard let whole = pieces.first.flatMap({ Int64($0) }) else { return nil }
        let (scaled, overflow) = whole.multipliedReportingOverflow(by: scale)
        guard !overflow else { return nil }
        guard pieces.count == 2 else { return scaled }
        // Digits finer than a microsecond cannot be kept, so they are refused rather than rounded.
        var digit = scale
        var fraction: Int64 = 0
        guard !pieces[1].isEmpty else { return nil }
        for character in pieces[1] {
            guard let value = character.wholeNumberValue.map(Int64.init), digit % 10 == 0 else { return nil }
            digit /= 10
            fraction += value * digit
        }
        let (sum, sumOverflow) = scaled.addingReportingOverflow(fraction)
        return sumOverflow ? nil : sum
    }

    /// Writes a span in the largest unit that says it in whole or short decimal numbers: `1.5s`, `3min`.
    public static func format(_ duration: Duration) -> String {
        let (seconds, attoseconds) = duration.components
        let microseconds = seconds * 1_000_000 + attoseconds / 1_000_000_000_000
        for unit in units.reversed() where microseconds >= unit.microseconds {
            if microseconds % unit.microseconds == 0 {
                return "\(microseconds / unit.microseconds)\(unit.name)"
            }
            let tenths = microseconds * 10
            if unit.microseconds >= 10, tenths % unit.microseconds == 0 {
                let value = tenths / unit.microseconds
                return "\(value / 10).\(value % 10)\(unit.name)"
            }
        }
        return "0"
    }
}
