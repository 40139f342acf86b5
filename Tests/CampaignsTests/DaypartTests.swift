import Simulation
import Testing

@testable import Campaigns

@Suite("Dayparts")
struct DaypartTests {
    private static let berlin = try? ZoneFile.rule("CET-1CEST,M3.5.0,M10.5.0/3").rules

    @Test(
        "They are read from text, and written so that they can be read again",
        arguments: [
            ("mon-fri 16:00-01:00", "mon,tue,wed,thu,fri 16:00-01:00"), ("06:30-09:00", "06:30-09:00"),
            ("sat,sun 08:00-24:00", "sat,sun 08:00-24:00"),
            ("SAT-mon 08:00-00:00", "mon,sat,sun 08:00-24:00"),
            ("mon-sun 00:00-24:00", "00:00-24:00"),
        ])
    func text(text: String, written: String) throws {
        let daypart = try Daypart(text)
        #expect(daypart.description == written)
        #expect(try Daypart(written) == daypart)
    }

    @Test(
        "What is none is refused with its reason",
        arguments: [
            ("", DaypartError.malformed), ("mon", .malformed), ("mon 8-9", .malformed),
            ("foo 08:00-09:00", .malformed),
            ("mon, 08:00-09:00", .malformed), ("mon-tue-wed 08:00-09:00", .malformed),
            ("mon tue 08:00-09:00", .malformed),
            ("08:00", .malformed), ("08:00-09:00-10:00", .malformed), ("+8:00-09:00", .malformed),
            ("08:60-09:00", .noSuchTime), ("24:00-01:00", .noSuchTime), ("08:00-24:01", .noSuchTime),
            ("08:00-08:00", .empty),
        ])
    func refused(text: String, error: DaypartError) {
        #expect(throws: error) { try Daypart(text) }
        #expect(throws: DaypartError.noWeekday) { try Daypart(weekdays: [], startMinute: 0, endMinute: 60) }
    }

    @Test("16:00-01:00 plays, and ends on the next day (xibo#1275)")
    func acrossMidnight() throws {
        let pattern = WeekPattern(dayparts: [try Daypart("fri 16:00-01:00")])
        let times = [
            ("2026-12-04T15:59", false), ("2026-12-04T16:00", true), ("2026-12-04T23:59", true),
            ("2026-12-05T00:59", true), ("2026-12-05T01:00", false), ("2026-12-05T16:00", false),
            // The morning of the day itself belongs to Thursday's.
            ("2026-12-04T00:30", false),
        ]
        for (text, isActive) in times {
            #expect(pattern.isActive(at: .utc(text), in: .utc) == isActive, "\(text)")
        }
        #expect(pattern.nextChange(after: .utc("2026-12-04T17:00"), in: .utc) == .utc("2026-12-05T01:00"))
        #expect(pattern.nextChange(after: .utc("2026-12-05T01:00"), in: .utc) == .utc("2026-12-11T16:00"))
    }

    @Test("From Sunday it goes on into Monday")
    func acrossWeeks() throws {
        let pattern = WeekPattern(dayparts: [try Daypart("sun 22:00-02:00")])
        #expect(pattern.isActive(at: .utc("2026-12-07T01:59"), in: .utc))
        #expect(!pattern.isActive(at: .utc("2026-12-07T02:00"), in: .utc))
        #expect(pattern.nextChange(after: .utc("2026-12-06T23:00"), in: .utc) == .utc("2026-12-07T02:00"))
    }

    @Test("The missing hour is skipped and the next day is right (xibo#3040)")
    func springForward() throws {
        let berlin = try #require(Self.berlin)
        let pattern = WeekPattern(dayparts: [try Daypart("02:30-03:30")])
        // 31 March 2030: 02:00 becomes 03:00. What is left of it is 03:00 to 03:30.
        #expect(!pattern.isActive(at: .utc("2030-03-31T00:59"), in: berlin))
        #expect(pattern.isActive(at: .utc("2030-03-31T01:00"), in: berlin))
        #expect(!pattern.isActive(at: .utc("2030-03-31T01:30"), in: berlin))
        #expect(pattern.nextChange(after: .utc("2030-03-31T00:00"), in: berlin) == .utc("2030-03-31T01:00"))
        #expect(pattern.nextChange(after: .utc("2030-03-31T01:30"), in: berlin) == .utc("2030-04-01T00:30"))
        // Wholly within the missing hour it does not play, and is there on the next day at its time.
        let missing = WeekPattern(dayparts: [try Daypart("02:15-02:45")])
        #expect(missing.nextChange(after: .utc("2030-03-31T00:00"), in: berlin) == .utc("2030-04-01T00:15"))
    }

    @Test("An hour that comes twice counts twice by the local clock")
    func fallBack() throws {
        let berlin = try #require(Self.berlin)
        let pattern = WeekPattern(dayparts: [try Daypart("02:15-02:45")])
        var changes: [WallTime] = []
        var time = WallTime.utc("2030-10-26T12:00")
        for _ in 0..<6 {
            time = try #require(pattern.nextChange(after: time, in: berlin))
            changes.append(time)
        }
        let expected = [
            "2030-10-27T00:15", "2030-10-27T00:45", "2030-10-27T01:15", "2030-10-27T01:45",
            "2030-10-28T01:15", "2030-10-28T01:45",
        ]
        #expect(changes == expected.map(WallTime.utc))
    }

    @Test("Several count together; all of the week, and no daypart, never change")
    func several() throws {
        let pattern = WeekPattern(dayparts: [try Daypart("08:00-12:00"), try Daypart("mon 11:00-14:00")])
        #expect(pattern.nextChange(after: .utc("2026-11-30T09:00"), in: .utc) == .utc("2026-11-30T14:00"))
        #expect(pattern.nextChange(after: .utc("2026-12-01T09:00"), in: .utc) == .utc("2026-12-01T12:00"))
        let whole = WeekPattern(dayparts: [try Daypart("00:00-12:00"), try Daypart("12:00-00:00")])
        #expect(whole == .always && whole.nextChange(after: .monday, in: .utc) == nil)
        #expect(whole.isActive(at: .monday, in: .utc))
    }

    /// The rule as people say it, minute by minute.
    private func isActive(_ dayparts: [Daypart], _ local: LocalTime) -> Bool {
        let minute = local.secondOfDay / 60
        let today = local.date.weekday
        let yesterday = Weekday.allCases[(today.rawValue + 6) % 7]
        return dayparts.contains { daypart in
            let crosses = daypart.endMinute <= daypart.startMinute
            let begun = daypart.weekdays.contains(today) && minute >= daypart.startMinute
            return crosses
                ? begun || daypart.weekdays.contains(yesterday) && minute < daypart.endMinute
                : begun && minute < daypart.endMinute
        }
    }

    @Test("Random ones agree with the rule at every minute of weeks with DST changes", arguments: 1...8)
    func random(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let zones = [
            "CET-1CEST,M3.5.0,M10.5.0/3", "<+1030>-10:30<+11>-11,M10.1.0,M4.1.0", "EST5EDT,M3.2.0,M11.1.0",
        ]
        let zone = try ZoneFile.rule(zones.randomElement(using: &random) ?? "UTC0").rules
        var dayparts: [Daypart] = []
        for _ in 0..<Int.random(in: 1...3, using: &random) {
            let days = Weekday.allCases.filter { _ in Bool.random(using: &random) }
            let daypart = try? Daypart(
                weekdays: Set(days), startMinute: Int.random(in: 0..<1_440, using: &random),
                endMinute: Int.random(in: 0...1_440, using: &random))
            if let daypart { dayparts.append(daypart) }
        }
        guard !dayparts.isEmpty else { return }
        let pattern = WeekPattern(dayparts: dayparts)
        let spring = try #require(zone.nextTransition(after: WallTime.utc("2030-01-01").seconds))
        let start = WallTime(seconds: spring - 4 * 86_400)
        var expected: [WallTime] = []
        var wasActive = isActive(dayparts, zone.local(at: start))
        for minute in Int64(1)..<(8 * 1_440) {
            let time = start + minute * 60
            let active = isActive(dayparts, zone.local(at: time))
            guard pattern.isActive(at: time, in: zone) == active else {
                Issue.record("seed \(seed): \(dayparts) at \(zone.local(at: time))")
                return
            }
            if active != wasActive { expected.append(time) }
            wasActive = active
        }
        var found: [WallTime] = []
        while found.count < expected.count,
            let change = pattern.nextChange(after: found.last ?? start, in: zone)
        {
            found.append(change)
        }
        #expect(found == expected, "seed \(seed): \(dayparts)")
    }
}
