import Testing

@testable import Campaigns

@Suite("Time zones")
struct TimeZoneTests {
    /// From tzdata: the second before a change and the change itself, in UTC, and what clocks showed.
    static let changes: [(zone: String, at: String, before: String, after: String)] = [
        ("Europe/Berlin", "2024-03-31T01:00", "2024-03-31T01:59", "2024-03-31T03:00"),
        ("Europe/Berlin", "2024-10-27T01:00", "2024-10-27T02:59", "2024-10-27T02:00"),
        ("America/New_York", "2025-03-09T07:00", "2025-03-09T01:59", "2025-03-09T03:00"),
        ("America/New_York", "2025-11-02T06:00", "2025-11-02T01:59", "2025-11-02T01:00"),
        // Half an hour.
        ("Australia/Lord_Howe", "2024-04-06T15:00", "2024-04-07T01:59", "2024-04-07T01:30"),
        ("Australia/Lord_Howe", "2024-10-05T15:30", "2024-10-06T01:59", "2024-10-06T02:30"),
        // Back in Ramadan: standard time is the one in summer.
        ("Africa/Casablanca", "2024-03-10T02:00", "2024-03-10T02:59", "2024-03-10T02:00"),
        ("Africa/Casablanca", "2024-04-14T02:00", "2024-04-14T01:59", "2024-04-14T03:00"),
        // 30 December 2011 never came.
        ("Pacific/Apia", "2011-12-30T10:00", "2011-12-29T23:59", "2011-12-31T00:00"),
        ("Europe/Dublin", "2024-03-31T01:00", "2024-03-31T00:59", "2024-03-31T02:00"),
        // Two hours.
        ("Antarctica/Troll", "2024-03-31T01:00", "2024-03-31T00:59", "2024-03-31T03:00"),
    ]

    @Test(
        "Local clocks change when they did", .enabled(if: ZoneFiles.arePresent, "no /usr/share/zoneinfo"),
        arguments: changes.indices)
    func known(index: Int) throws {
        let (zone, at, before, after) = Self.changes[index]
        let rules = try ZoneFiles.rules(zone)
        let change = WallTime.utc(at)
        #expect(rules.local(at: change + -60) == LocalTime(text: before))
        #expect(rules.local(at: change) == LocalTime(text: after))
        #expect(rules.nextTransition(after: change.seconds - 86_400) == change.seconds)
        let next = try #require(rules.nextTransition(after: change.seconds))
        #expect(next > change.seconds && rules.offset(at: next) != rules.offset(at: change.seconds))
    }

    @Test(
        "Every second of a local clock is found again, also where it jumps",
        .enabled(if: ZoneFiles.arePresent, "no /usr/share/zoneinfo"), arguments: ZoneFiles.names)
    func resolution(zone: String) throws {
        let rules = try ZoneFiles.rules(zone)
        for (name, at, _, _) in Self.changes where name == zone {
            let change = WallTime.utc(at).seconds
            for second in stride(from: change - 100_000, to: change + 100_000, by: 300) {
                let time = WallTime(seconds: second)
                switch rules.resolve(rules.local(at: time)) {
                case .once(let found): #expect(found == time)
                case .twice(let first, let last): #expect(first < last && (first == time || last == time))
                case .skipped: Issue.record("\(zone): \(second) is shown, and yet skipped")
                }
            }
        }
    }

    @Test("The hour that is skipped is the moment of the jump, and one that comes twice has two moments")
    func gapsAndOverlaps() throws {
        let berlin = try ZoneFile.rule("CET-1CEST,M3.5.0,M10.5.0/3").rules
        #expect(berlin.resolve(LocalTime(text: "2031-03-30T02:30")) == .skipped(.utc("2031-03-30T01:00")))
        #expect(berlin.first(LocalTime(text: "2031-03-30T02:30")) == .utc("2031-03-30T01:00"))
        #expect(berlin.resolve(LocalTime(text: "2031-03-30T03:00")) == .once(.utc("2031-03-30T01:00")))
        #expect(
            berlin.resolve(LocalTime(text: "2031-10-26T02:30"))
                == .twice(.utc("2031-10-26T00:30"), .utc("2031-10-26T01:30")))
        #expect(berlin.resolve(LocalTime(text: "2031-10-26T03:00")) == .once(.utc("2031-10-26T02:00")))
    }

    /// A rule, a moment, and the offset then.
    @Test(
        "Rules of POSIX go on for ever",
        arguments: [
            ("CET-1CEST,M3.5.0,M10.5.0/3", "2099-07-01", 7_200),
            ("CET-1CEST,M3.5.0,M10.5.0/3", "9998-01-01", 3_600),
            ("EST5EDT,M3.2.0,M11.1.0", "2040-03-11T06:59", -18_000),
            ("EST5EDT,M3.2.0,M11.1.0", "2040-03-11T07:00", -14_400),
            ("<+1030>-10:30<+11>-11,M10.1.0,M4.1.0", "2050-01-01", 39_600),
            ("<+1030>-10:30<+11>-11,M10.1.0,M4.1.0", "2050-06-01", 37_800),
            // Negative daylight time, as Dublin's winter.
            ("IST-1GMT0,M10.5.0,M3.5.0/1", "2050-01-01", 0),
            ("IST-1GMT0,M10.5.0,M3.5.0/1", "2050-07-01", 3_600),
            // Times of day beyond the day, as Gaza's and Godthab's.
            ("EET-2EEST,M3.4.4/50,M10.4.4/50", "2030-03-29T23:59", 7_200),
            ("EET-2EEST,M3.4.4/50,M10.4.4/50", "2030-03-30T00:00", 10_800),
            ("<-02>2<-01>,M3.5.0/-1,M10.5.0/0", "2030-03-31T00:59", -7_200),
            ("<-02>2<-01>,M3.5.0/-1,M10.5.0/0", "2030-03-31T01:00", -3_600),
            // Daylight time all year, by the Julian day and the other one.
            ("XXX3EDT4,0/0,J365/23", "2030-01-01", -14_400), ("XXX3EDT4,0/0,J365/23", "2032-12-31", -14_400),
            ("XXX3EDT4,0/0,J365/23", "2031-07-01", -14_400),
            ("AAA0BBB,J60/0,J61/0", "2028-02-29T23:59", 0), ("AAA0BBB,J60/0,J61/0", "2028-03-01", 3_600),
            ("AAA0BBB,59/0,60/0", "2028-02-29", 3_600), ("AAA0BBB,59/0,60/0", "2027-03-01", 3_600),
            ("UTC0", "2030-01-01", 0), ("<+0545>-5:45", "2030-01-01", 20_700),
        ])
    func posix(rule: String, at: String, offset: Int) throws {
        let rules = try ZoneFile.rule(rule).rules
        #expect(rules.offset(at: WallTime.utc(at).seconds) == offset)
    }

    @Test("Daylight time all year never changes")
    func constant() throws {
        #expect(try ZoneFile.rule("XXX3EDT4,0/0,J365/23").rules.nextTransition(after: 1_900_000_000) == nil)
        #expect(try ZoneFile.rule("UTC0").rules.nextTransition(after: 0) == nil)
        #expect(TimeZoneRules.utc.nextTransition(after: 0) == nil)
        #expect(TimeZoneRules.utc.local(at: .utc("2026-01-01")) == LocalTime(text: "2026-01-01"))
    }

    @Test(
        "A rule that is none is refused with its place",
        arguments: [
            "CE-1", "CET", "CET-25", "CET-1CEST,M3.5.0", "CET-1CEST", "CET-1CEST,M3.6.0,M10.5.0",
            "CET-1CEST,M13.5.0,M10.5.0", "CET-1CEST,M3.5.7,M10.5.0", "CET-1CEST,J0,J1", "CET-1CEST,366,1",
            "CET-1CEST,M3.5.0/168,M10.5.0", "<CET-1", "CET-1 ", "CET-1:60", "CET-0001",
        ])
    func noRule(rule: String) {
        let bytes = ZoneFile.rule(rule).bytes
        let error = TimeZoneError.malformed(
            field: "the footer is no TZ rule", offset: bytes.count - rule.utf8.count - 1)
        #expect(throws: error) { try TimeZoneRules(tzif: bytes) }
    }

    @Test("The rule counts after the last transition, and what stood before the first before it")
    func layers() throws {
        var file = ZoneFile.rule("EST5")
        file.types = [(3_600, 0, 0), (7_200, 1, 0)]
        file.transitions = [(1_000, 1), (2_000, 0), (3_000, 0)]
        let rules = try file.rules
        #expect([0, 999, 1_000, 2_000, 2_999].map(rules.offset) == [3_600, 3_600, 7_200, 3_600, 3_600])
        #expect(rules.offset(at: 3_000) == -18_000)
        #expect(rules.nextTransition(after: 1_000) == 2_000)
        #expect(rules.nextTransition(after: 2_000) == 3_000)
        #expect(rules.nextTransition(after: 3_000) == nil)
        // Version 1 has neither a rule nor 64-bit times, and what comes last goes on.
        file.version = 0
        #expect(try file.rules.offset(at: 4_000) == 3_600)
    }

    /// How a file is spoilt, and the field that the error names.
    struct Spoilt: Sendable, CustomTestStringConvertible {
        let field: String
        let spoil: @Sendable (inout ZoneFile) -> Void
        var testDescription: String { field }

        init(_ field: String, _ spoil: @escaping @Sendable (inout ZoneFile) -> Void) {
            self.field = field
            self.spoil = spoil
        }
    }

    static let spoilt = [
        Spoilt("an offset from UTC out of range") { $0.types[0].offset = 93_600 },
        Spoilt("isdst is neither 0 nor 1") { $0.types[0].isDaylight = 2 },
        Spoilt("an abbreviation beyond the last") { $0.types[0].designation = 4 },
        Spoilt("transitions are not in order") { $0.transitions = [(5, 0), (5, 0)] },
        Spoilt("a transition to an unknown local time type") { $0.transitions = [(5, 1)] },
        Spoilt("a transition out of range") { $0.transitions = [(Int64.min, 0)] },
        Spoilt("no local time type, or more than 256") { $0.types = [] },
        Spoilt("unknown version 49") { $0.version = 0x31 },
        Spoilt("the footer does not begin with a new line") { $0.footer = "UTC0\n" },
    ]

    @Test("Each field that is wrong has its error", arguments: spoilt)
    func malformed(spoilt: Spoilt) throws {
        var file = ZoneFile()
        spoilt.spoil(&file)
        let error = #expect(throws: TimeZoneError.self) { try file.rules }
        guard case .malformed(spoilt.field, let offset) = error else {
            Issue.record("\(String(describing: error)) instead of '\(spoilt.field)'")
            return
        }
        #expect((0...file.bytes.count).contains(offset))
    }

    @Test("Files that are no time zone, count leap seconds, or end too early")
    func others() throws {
        #expect(throws: TimeZoneError.notTZif) { try TimeZoneRules(tzif: Array("#!/bin/sh".utf8)) }
        #expect(throws: TimeZoneError.tooLarge(bytesMax: Limits.zoneBytesMax)) {
            try TimeZoneRules(tzif: Array(repeating: 0, count: Limits.zoneBytesMax + 1))
        }
        var leap = ZoneFile()
        leap.version = 0
        leap.leapSeconds = 1
        #expect(throws: TimeZoneError.leapSeconds) { try leap.rules }
        let whole = ZoneFile.rule("CET-1CEST,M3.5.0,M10.5.0/3").bytes
        for count in whole.indices {
            #expect(throws: TimeZoneError.self, "\(count) bytes") {
                try TimeZoneRules(tzif: Array(whole[..<count]))
            }
        }
    }
}
