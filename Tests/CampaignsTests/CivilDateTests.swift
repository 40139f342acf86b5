import Testing

@testable import Campaigns

@Suite("The calendar")
struct CivilDateTests {
    @Test("Every day of a thousand years follows the one before it, and comes back from its number")
    func days() throws {
        var (year, month, day) = (1599, 12, 31)
        let first = try #require(CivilDate(year: year, month: month, day: day)).daysSinceEpoch
        var weekday = try #require(CivilDate(year: year, month: month, day: day)).weekday
        for number in (first + 1)...(first + 365_243) {
            day += 1
            if day > CivilDate.days(inMonth: month, of: year) { (month, day) = (month + 1, 1) }
            if month > 12 { (year, month) = (year + 1, 1) }
            weekday = weekday == .sunday ? .monday : Weekday.allCases[weekday.rawValue + 1]
            let date = CivilDate(daysSinceEpoch: number)
            guard (date.year, date.month, date.day) == (year, month, day), date.daysSinceEpoch == number,
                date.weekday == weekday
            else {
                Issue.record("day \(number) is \(date)")
                return
            }
        }
        #expect((year, month, day) == (2599, 12, 31))
    }

    @Test(
        "Known days",
        arguments: [
            ("1970-01-01", 0, Weekday.thursday), ("2000-02-29", 11_016, .tuesday),
            ("1969-12-31", -1, .wednesday), ("0001-01-01", -719_162, .monday),
            ("9999-12-31", 2_932_896, .friday), ("2026-11-30", 20_787, .monday),
        ])
    func known(text: String, days: Int64, weekday: Weekday) {
        let date = LocalTime(text: text).date
        #expect(date.daysSinceEpoch == days)
        #expect(date.weekday == weekday)
        #expect(date.description == text)
    }

    @Test("Days and times that do not exist are none")
    func none() throws {
        #expect(CivilDate(year: 2026, month: 2, day: 29) == nil)
        #expect(CivilDate(year: 1900, month: 2, day: 29) == nil)
        #expect(CivilDate(year: 2026, month: 13, day: 1) == nil)
        #expect(CivilDate(year: 2026, month: 4, day: 31) == nil)
        let date = try #require(CivilDate(year: 2026, month: 4, day: 30))
        #expect(LocalTime(date, hour: 24) == nil)
        #expect(LocalTime(date, hour: 23, minute: 60) == nil)
    }

    @Test("Times beyond the years 1 to 9999 are brought into them")
    func bounds() {
        #expect(WallTime(seconds: .max) == WallTime(milliseconds: .max))
        #expect(WallTime(seconds: .min) == WallTime.utc("0001-01-01"))
        #expect(LocalTime(seconds: .min).date.year == 0)
        #expect(LocalTime(seconds: .max).date.year == 10_000)
        #expect(WallTime(milliseconds: -1).seconds == -1)
    }
}
