/// A day of the week, Monday first (ISO 8601).
public enum Weekday: Int, CaseIterable, Comparable, Sendable {
    case monday, tuesday, wednesday, thursday, friday, saturday, sunday

    /// Three letters, as in dayparts: `mon`.
    public var word: String {
        switch self {
        case .monday: "mon"
        case .tuesday: "tue"
        case .wednesday: "wed"
        case .thursday: "thu"
        case .friday: "fri"
        case .saturday: "sat"
        case .sunday: "sun"
        }
    }

    /// Monday comes first.
    public static func < (left: Weekday, right: Weekday) -> Bool {
        left.rawValue < right.rawValue
    }
}

/// A date of the proleptic Gregorian calendar.
public struct CivilDate: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The year; 0 is the one before 1.
    public let year: Int
    /// 1 for January.
    public let month: Int
    /// From 1.
    public let day: Int

    /// Creates a date, or nil when there is no such day.
    public init?(year: Int, month: Int, day: Int) {
        guard (-9_999...9_999).contains(year), (1...12).contains(month),
            (1...CivilDate.days(inMonth: month, of: year)).contains(day)
        else { return nil }
        (self.year, self.month, self.day) = (year, month, day)
    }

    /// The date so many days after 1970-01-01.
    ///
    /// Years are counted from March, so that the leap day is the last: 146,097 days are 400 years, and within
    /// a year five months have 153 days.
    public init(daysSinceEpoch: Int64) {
        let days = daysSinceEpoch + CivilDate.daysToEpoch
        let dayOfEra = days.modulo(146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        month = Int(monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9)
        day = Int(dayOfYear - (153 * monthFromMarch + 2) / 5 + 1)
        year = Int(yearOfEra + days.floored(by: 146_097) * 400) + (month <= 2 ? 1 : 0)
    }

    /// Days from 0000-03-01 to 1970-01-01.
    private static let daysToEpoch: Int64 = 719_468

    /// Days since 1970-01-01, negative before.
    public var daysSinceEpoch: Int64 {
        CivilDate.days(year: year, month: month, day: day)
    }

    /// The same for a day of any year and month; a day beyond the month's end goes on in the next.
    static func days(year: Int, month: Int, day: Int) -> Int64 {
        let yearFromMarch = Int64(month <= 2 ? year - 1 : year)
        let yearOfEra = yearFromMarch.modulo(400)
        let monthFromMarch = Int64(month > 2 ? month - 3 : month + 9)
        let dayOfYear = (153 * monthFromMarch + 2) / 5 + Int64(day) - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return yearFromMarch.floored(by: 400) * 146_097 + dayOfEra - CivilDate.daysToEpoch
    }

    /// The day of the week.
    public var weekday: Weekday { Weekday(daysSinceEpoch: daysSinceEpoch) }

    /// Whether a year has a 29 February.
    public static func isLeap(_ year: Int) -> Bool {
        year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
    }

    /// How many days a month has.
    public static func days(inMonth month: Int, of year: Int) -> Int {
        switch month {
        case 2: isLeap(year) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// `2026-03-29`.
    public var description: String {
        (year < 0 ? "-" : "") + CivilDate.padded(Int(year.magnitude), 4)
            + "-\(CivilDate.padded(month, 2))-\(CivilDate.padded(day, 2))"
    }

    static func padded(_ number: Int, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
    }

    /// The earlier of two dates comes first.
    public static func < (left: CivilDate, right: CivilDate) -> Bool {
        (left.year, left.month, left.day) < (right.year, right.month, right.day)
    }
}

extension Weekday {
    /// The weekday so many days after 1970-01-01, a Thursday.
    init(daysSinceEpoch: Int64) {
        self = Weekday.allCases[Int((daysSinceEpoch + 3).modulo(7))]
    }
}

/// Date and time of day as a clock on the wall shows them, without a zone.
///
/// It counts seconds as if the zone had no offset and never changed: arithmetic on it knows no DST.
public struct LocalTime: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// Seconds since 1970-01-01T00:00:00 of the same clock.
    public let seconds: Int64

    /// Wraps seconds since 1970-01-01T00:00:00 of the same clock, brought into the years 1 to 9999.
    public init(seconds: Int64) {
        // A day more on both sides than the wall clock has, for the offsets.
        let range = Limits.wallMilliseconds
        self.seconds = min(max(seconds, range.lowerBound / 1_000 - 90_000), range.upperBound / 1_000 + 90_000)
    }

    /// Creates a time on a day, or nil when the clock has no such time.
    public init?(_ date: CivilDate, hour: Int = 0, minute: Int = 0, second: Int = 0) {
        guard (0...23).contains(hour), (0...59).contains(minute), (0...59).contains(second) else {
            return nil
        }
        seconds = date.daysSinceEpoch * 86_400 + Int64(hour * 3_600 + minute * 60 + second)
    }

    /// The date.
    public var date: CivilDate { CivilDate(daysSinceEpoch: seconds.floored(by: 86_400)) }
    /// Seconds since midnight.
    public var secondOfDay: Int { Int(seconds.modulo(86_400)) }
    /// Seconds since Monday, midnight; 1970-01-01 was a Thursday.
    public var secondOfWeek: Int { Int((seconds + LocalTime.mondayShift).modulo(604_800)) }

    /// From Monday, 1969-12-29, to 1970-01-01, in seconds.
    static let mondayShift: Int64 = 3 * 86_400

    /// `2026-03-29T01:59:59`.
    public var description: String {
        let (hour, rest) = secondOfDay.quotientAndRemainder(dividingBy: 3_600)
        let figures = [hour, rest / 60, rest % 60].map { CivilDate.padded($0, 2) }
        return "\(date)T\(figures.joined(separator: ":"))"
    }

    /// The earlier by the clock comes first.
    public static func < (left: LocalTime, right: LocalTime) -> Bool {
        left.seconds < right.seconds
    }
}
