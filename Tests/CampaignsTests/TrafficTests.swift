import Testing

@testable import Campaigns

@Suite("The profile of past traffic")
struct TrafficTests {
    @Test("Nothing known is an even week")
    func unknown() {
        #expect(Set(TrafficProfile().weights).count == 1)
    }

    @Test("Hours that were never counted weigh what the same hour weighs on other days, or the mean")
    func gaps() {
        var profile = TrafficProfile()
        profile.learn(hourOfWeek: 20, count: 300)
        profile.learn(hourOfWeek: 3, count: 100)
        let weights = profile.weights
        #expect(weights[20] == weights[5 * 24 + 20] && weights[3] == weights[6 * 24 + 3])
        #expect(abs(weights[20] - 3 * weights[3]) <= 3)
        #expect(abs(weights[12] - 2 * weights[3]) <= 3)
    }

    @Test("A new count changes a known hour by a fifth, and no hour falls to nothing")
    func smoothing() {
        var profile = TrafficProfile()
        for _ in 0..<5 { profile.learn(hourOfWeek: 0, count: 100) }
        #expect(abs(profile.estimates[0] - 100) < 1e-9)
        profile.learn(hourOfWeek: 0, count: 0)
        #expect(abs(profile.estimates[0] - 80) < 1e-9)
        for hour in 1..<168 { profile.learn(hourOfWeek: hour, count: 0) }
        let weights = profile.weights
        #expect(weights[1] == Int(TrafficProfile.floor * TrafficProfile.meanWeight))
        #expect(weights[0] > 100 * weights[1])
    }

    @Test("What cannot have been learned is refused")
    func checked() {
        let known = Array(repeating: 1, count: 168)
        #expect(TrafficProfile(estimates: Array(repeating: 1, count: 168), observations: known) != nil)
        #expect(TrafficProfile(estimates: Array(repeating: 1, count: 167), observations: known) == nil)
        #expect(TrafficProfile(estimates: Array(repeating: .nan, count: 168), observations: known) == nil)
        #expect(TrafficProfile(estimates: Array(repeating: -1, count: 168), observations: known) == nil)
    }

    @Test("A day is learned when it is over, hours without traffic too, and not the one cut at its start")
    func days() {
        var (profile, count) = (TrafficProfile(), TrafficCount())
        let start = LocalTime(text: "2026-11-30T09:30")
        var learned = 0
        for minute in stride(from: 0, to: 36 * 60, by: 1) {
            let local = LocalTime(seconds: start.seconds + Int64(minute) * 60)
            if local.secondOfDay >= 43_200, count.add(at: local, to: &profile) { learned += 1 }
        }
        #expect(learned == 1)
        // Counting began at 12:00, so Monday 13:00 is the first whole hour.
        #expect(
            profile.observations.prefix(26).enumerated().filter { $0.element > 0 }.map(\.offset)
                == Array(13..<24))
        #expect(profile.estimates[13] == 60)
        #expect(count.since == start.seconds / 86_400 * 24 + 24)
        #expect(count.hours.keys.min() == start.seconds / 86_400 * 24 + 36)
    }

    @Test("After a month off only the last week is learned; a clock put back for days starts the count anew")
    func gapsInTime() {
        var (profile, count) = (TrafficProfile(), TrafficCount())
        let start = LocalTime(text: "2026-11-30T10:00")
        #expect(!count.add(at: start, to: &profile))
        #expect(count.add(at: LocalTime(seconds: start.seconds + 30 * 86_400), to: &profile))
        #expect(profile.observations.allSatisfy { $0 == 1 })
        #expect(!count.add(at: LocalTime(seconds: start.seconds - 3 * 86_400), to: &profile))
        #expect(count.hours.count == 1)
    }
}
