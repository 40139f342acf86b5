import Testing

@testable import Timeline

@Suite("The axis")
struct AxisTests {
    private static let hour = Sample.hour

    private func axis(_ since: Int64, hours: Int64, _ zone: LocalZone = Sample.berlin, lines: Int64 = 15)
        -> Axis
    {
        Axis(Extent(since: since, until: since + hours * Self.hour, now: since), zone, linesMax: lines)
    }

    @Test("A day has lines at round hours of the local clock")
    func day() {
        let labels = axis(Sample.midnight, hours: 24).lines.map(\.label)
        #expect(
            labels == [
                "00:00", "02:00", "04:00", "06:00", "08:00", "10:00", "12:00", "14:00", "16:00", "18:00",
                "20:00",
                "22:00", "00:00",
            ])
    }

    @Test("A day that begins anywhere names the day that begins in it")
    func days() {
        let lines = axis(Sample.midnight - 7 * Self.hour - 123_456, hours: 24).lines
        #expect(lines.first?.label == "18:00")
        #expect(lines.compactMap(\.day) == ["Mon 30 Nov"])
        #expect(lines.first { $0.day != nil }?.time == Sample.midnight)
    }

    @Test("Where the clock goes back an hour comes twice, an hour apart")
    func back() {
        let start: Int64 = 1_792_879_200_000_000
        let lines = axis(start, hours: 6, lines: 10).lines
        #expect(lines.map(\.label) == ["00:00", "01:00", "02:00", "02:00", "03:00", "04:00", "05:00"])
        for (left, right) in zip(lines, lines.dropFirst()) { #expect(right.time - left.time == Self.hour) }
    }

    @Test("Where the clock goes forward an hour is missing")
    func forward() {
        // 2026-03-29, 00:00 in Berlin.
        let start: Int64 = 1_774_738_800_000_000
        #expect(
            axis(start, hours: 5, lines: 8).lines.map(\.label)
                == ["00:00", "01:00", "03:00", "04:00", "05:00", "06:00"])
        // Every second hour: the one that is skipped has its line where the clock lands.
        #expect(
            axis(start, hours: 8, lines: 5).lines.map(\.label) == [
                "00:00", "03:00", "04:00", "06:00", "08:00",
            ])
        #expect(
            Sample.berlin.name(Extent(since: start, until: start + 24 * Self.hour, now: start))
                == "CET, UTC+1 until 2026-03-29 02:00, then CEST, UTC+2")
    }

    @Test("A midnight that does not exist still begins its day")
    func midnightSkipped() {
        // A zone whose clock goes from 23:59 to 01:00.
        let change = Sample.midnight
        let zone = LocalZone { $0 < change ? (3_600, "A") : (7_200, "B") }
        let lines = axis(change - 12 * Self.hour, hours: 24, zone).lines
        #expect(lines.compactMap(\.day) == ["Mon 30 Nov"])
        #expect(lines.first { $0.day != nil }?.time == change)
    }

    @Test(
        "There are never more lines than there is room for, and always some",
        arguments: [1, 7, 60, 3_600, 86_400, 30 * 86_400, 366 * 86_400] as [Int64],
        [0, 19_800, -12_600, 45_900] as [Int])
    func room(seconds: Int64, offset: Int) {
        let zone = LocalZone { _ in (offset, "") }
        let since = Sample.midnight + 12_345_678
        let extent = Extent(since: since, until: since + seconds * 1_000_000, now: since)
        let lines = Axis(extent, zone, linesMax: 15).lines
        #expect(lines.count <= 17 && lines.count >= min(Int(seconds), 3), "\(lines.count)")
        #expect(lines.allSatisfy { $0.time >= since && $0.time <= extent.until })
    }

    @Test(
        "Zones are named",
        arguments: [
            (3_600, "CET", "CET, UTC+1"), (0, "UTC", "UTC"), (0, "GMT", "GMT, UTC"),
            (-12_600, "NST", "NST, UTC−3:30"),
            (20_700, "", "UTC+5:45"),
        ] as [(Int, String, String)])
    func zones(offset: Int, name: String, text: String) {
        let zone = LocalZone { _ in (offset, name) }
        #expect(zone.name(Extent(since: 0, until: Self.hour, now: 0)) == text)
    }

    @Test(
        "Durations are said in two units",
        arguments: [
            (0, "0 s"), (1, "1 ms"), (40_000, "40 ms"), (3_250_000, "3.2 s"), (59_999_999, "59 s"),
            (725_000_000, "12 min 5 s"), (60_000_000, "1 min"), (86_400_000_000, "24 h"),
            (22_320_000_000, "6 h 12 min"), (180_000_000_000, "2 d 2 h"),
        ] as [(Int64, String)])
    func durations(microseconds: Int64, text: String) {
        #expect(microseconds.durationText == text)
    }
}
