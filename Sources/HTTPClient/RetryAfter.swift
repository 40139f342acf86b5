extension HTTPResponse {
    /// How long the server asks to be left alone: `Retry-After` in seconds, or as a date (RFC 9110, 10.2.3);
    /// `nil` without one that can be read, and nothing for a date that has passed.
    /// - Parameter now: seconds since the Unix epoch, for a date where the response has no `Date`.
    public func retryAfter(now: Int64) -> Duration? {
        guard let text = header("Retry-After") else { return nil }
        if text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) {
            // More digits than fit are a very long time.
            return text.isEmpty ? nil : .seconds(min(Int64(text) ?? .max, Limits.retryAfterSecondsMax))
        }
        guard let moment = HTTPDate.seconds(text) else { return nil }
        // By the server's own clock, where it tells it: ours may be wrong.
        let reference = header("Date").flatMap { HTTPDate.seconds($0) } ?? now
        return .seconds(min(max(0, moment - reference), Limits.retryAfterSecondsMax))
    }
}

/// Dates of HTTP in their one form for senders, `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110, 5.6.7).
enum HTTPDate {
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// Seconds since the Unix epoch, `nil` where the text is no such date.
    static func seconds(_ text: String) -> Int64? {
        let words = text.split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 6, words[0].utf8.count == 4, words[0].hasSuffix(","), words[5] == "GMT",
            let day = number(words[1], digits: 2, in: 1...31),
            let month = months.firstIndex(of: String(words[2])),
            let year = number(words[3], digits: 4, in: 1...9_999)
        else { return nil }
        let clock = words[4].split(separator: ":", omittingEmptySubsequences: false)
        guard clock.count == 3, let hour = number(clock[0], digits: 2, in: 0...23),
            let minute = number(clock[1], digits: 2, in: 0...59),
            let second = number(clock[2], digits: 2, in: 0...60)
        else { return nil }
        let days = daysSinceEpoch(year: year, month: Int64(month) + 1, day: day)
        return days * 86_400 + hour * 3_600 + minute * 60 + second
    }

    private static func number(_ text: Substring, digits: Int, in range: ClosedRange<Int64>) -> Int64? {
        guard text.utf8.count == digits,
            text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            let number = Int64(text), range.contains(number)
        else { return nil }
        return number
    }

    /// Days of the Gregorian calendar. Years begin in March here, so that the day that comes and goes is the
    /// last of its year, and months before it are counted by a straight line: 153 days in five.
    private static func daysSinceEpoch(year: Int64, month: Int64, day: Int64) -> Int64 {
        let year = month > 2 ? year : year - 1
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return 365 * year + year / 4 - year / 100 + year / 400 + dayOfYear - 719_468
    }
}
