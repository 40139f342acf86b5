internal import LinuxSupport

/// Moments as RFC 3339 writes them, in the proleptic Gregorian calendar.
enum WallText {
    private static let microsecondsPerDay: Int64 = 86_400_000_000

    /// Reads `2026-11-30`, `2026-11-30T12:00`, `2026-11-30T12:00:30Z` or with an offset `+01:00`; without one
    /// it is UTC, or by the clock of the local zone.
    /// - Returns: microseconds since the Unix epoch, `nil` where the text is no such moment.
    static func parse(_ text: String, isLocal: Bool = false) -> Int64? {
        let bytes = Array(text.utf8)
        guard bytes.count >= 10, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"),
            let year = number(bytes[0..<4]), let month = number(bytes[5..<7]),
            let day = number(bytes[8..<10]),
            (1...12).contains(month), (1...daysOf(month, year)).contains(day)
        else { return nil }
        let midnight = days(year, month, day) * microsecondsPerDay
        guard bytes.count > 10 else {
            return isLocal ? local(midnight) : midnight
        }
        guard bytes[10] == UInt8(ascii: "T") || bytes[10] == UInt8(ascii: " ") else { return nil }
        var time = bytes[11...]
        let whole = time.count
        guard let offset = takeOffset(&time) else { return nil }
        let parts = time.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        guard (2...3).contains(parts.count), parts.allSatisfy({ $0.count == 2 }) else { return nil }
        let values = parts.map { number($0) }
        guard let hour = values[0], let minute = values[1], let second = parts.count == 3 ? values[2] : 0,
            hour < 24, minute < 60, second < 60
        else { return nil }
        let moment = midnight + ((hour * 60 + minute - offset) * 60 + second) * 1_000_000
        return isLocal && time.count == whole ? local(moment) : moment
    }

    /// The moment at which the local clock says what the one of UTC says at another.
    private static func local(_ moment: Int64) -> Int64 {
        var (day, rest) = moment.quotientAndRemainder(dividingBy: microsecondsPerDay)
        if rest < 0 { (day, rest) = (day - 1, rest + microsecondsPerDay) }
        let (year, month, date) = date(day)
        let seconds = Int32(rest / 1_000_000)
        return SystemClock.realtime(
            localYear: Int32(year), month: Int32(month), day: Int32(date), hour: seconds / 3_600,
            minute: seconds / 60 % 60, second: seconds % 60)
    }

    /// Writes `2026-11-30T12:00:30.250000Z`; without the fraction where it is none.
    static func format(_ microseconds: Int64) -> String {
        var (day, rest) = microseconds.quotientAndRemainder(dividingBy: microsecondsPerDay)
        if rest < 0 { (day, rest) = (day - 1, rest + microsecondsPerDay) }
        let (year, month, date) = date(day)
        let seconds = rest / 1_000_000
        var text = "\(padded(year, 4))-\(padded(month))-\(padded(date))"
        text += "T\(padded(seconds / 3_600)):\(padded(seconds / 60 % 60)):\(padded(seconds % 60))"
        if rest % 1_000_000 > 0 { text += ".\(padded(rest % 1_000_000, 6))" }
        return text + "Z"
    }

    /// Takes the zone from the end of a time; minutes east of UTC.
    private static func takeOffset(_ time: inout ArraySlice<UInt8>) -> Int64? {
        if time.last == UInt8(ascii: "Z") {
            time.removeLast()
            return 0
        }
        guard let sign = time.lastIndex(where: { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "-") }) else {
            return 0
        }
        let zone = time[(sign + 1)...]
        guard zone.count == 5, zone[sign + 3] == UInt8(ascii: ":"),
            let hours = number(zone[sign + 1...sign + 2]),
            let minutes = number(zone[sign + 4...sign + 5]), hours < 24, minutes < 60
        else { return nil }
        let isWest = time[sign] == UInt8(ascii: "-")
        time = time[..<sign]
        return (hours * 60 + minutes) * (isWest ? -1 : 1)
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int64? {
        guard !digits.isEmpty, digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return digits.reduce(0) { $0 * 10 + Int64($1) - 0x30 }
    }

    private static func padded(_ number: Int64, _ width: Int = 2) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, width - text.utf8.count)) + text
    }

    private static func daysOf(_ month: Int64, _ year: Int64) -> Int64 {
        let next = month == 12 ? days(year + 1, 1, 1) : days(year, month + 1, 1)
        return next - days(year, month, 1)
    }

    /// Days since the Unix epoch. Years are counted from March, so that the leap day comes last, in eras of
    /// 400 years, which are all of one length.
    private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        let shifted = month <= 2 ? year - 1 : year
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    private static func date(_ days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let day = shifted - era * 146_097
        let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365
        let dayOfYear = day - (365 * year + year / 4 - year / 100)
        let march = (5 * dayOfYear + 2) / 153
        let month = march < 10 ? march + 3 : march - 9
        return (year + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * march + 2) / 5 + 1)
    }
}
