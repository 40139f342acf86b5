import Simulation
import Testing

@testable import Campaigns

@Suite("Pacing")
struct PacingTests {
    private static let start = WallTime.monday

    /// A day of people: ten times as many at eight in the evening as at four in the night.
    private static let day = [3, 2, 2, 1, 1, 2, 4, 6, 7, 6, 5, 6, 8, 7, 6, 6, 7, 8, 9, 10, 10, 9, 7, 5]

    private func guaranteed(_ id: Int64, _ impressions: Int, days: Int64) -> Campaign {
        Campaign.sample(id).with {
            $0.domain = nil
            $0.delivery = .guaranteed(impressions: impressions)
            $0.flight = Flight(start: Self.start, end: Self.start + days * 86_400)
        }
    }

    @Test("A curve gives back the time at which so much has passed", arguments: 1...6)
    func inverse(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let weights = (0..<168).map { _ in Int.random(in: 1...50_000, using: &random) }
        let dayparts = seed == 1 ? [] : [try Daypart("fri-tue 21:45-03:10"), try Daypart("wed 10:00-10:01")]
        let curve = PacingCurve(pattern: WeekPattern(dayparts: dayparts), weights: weights)
        for _ in 0..<500 {
            let amount = Int64.random(in: -3 * curve.week...300 * curve.week, using: &random)
            let local = curve.local(at: amount)
            #expect(curve.passed(at: local) >= amount)
            #expect(curve.passed(at: LocalTime(seconds: local.seconds - 1)) < amount, "seed \(seed)")
        }
    }

    @Test("The target is the part of the flight's open traffic that has passed")
    func target() throws {
        var scheduler = try Rig([guaranteed(1, 1_000, days: 10)]).scheduler
        #expect(scheduler.target(CampaignID(1), at: Self.start + -1) == 0)
        #expect(scheduler.target(CampaignID(1), at: Self.start + 5 * 86_400) == 500)
        #expect(scheduler.target(CampaignID(1), at: Self.start + 11 * 86_400) == 1_000)
        try scheduler.upsert(
            guaranteed(1, 1_000, days: 10).with {
                $0.dayparts = [try? Daypart("12:00-16:00")].compactMap { $0 }
            })
        #expect(scheduler.target(CampaignID(1), at: Self.start + 86_400 + 43_200) == 100)
        #expect(scheduler.target(CampaignID(1), at: Self.start + 86_400 + 50_400) == 150)
        try scheduler.upsert(.sample(2))
        #expect(scheduler.target(CampaignID(2), at: Self.start) == nil)
    }

    /// Requests of some days by the day of people, with a little chance in them.
    private func live(
        _ rig: inout Rig, days: Range<Int>, perHour: Int, off: Range<Int> = 0..<0,
        random: inout SeededGenerator,
        each: (_ rig: Rig, _ hour: Int, _ shown: Int64?) -> Void = { _, _, _ in }
    ) {
        for hour in days.lowerBound * 24..<days.upperBound * 24 where !off.contains(hour) {
            let mean = Self.day[hour % 24] * perHour
            let count = Int.random(in: mean * 9 / 10...mean * 11 / 10, using: &random)
            for request in 0..<count {
                rig.steady = (Int64(hour) * 3_600_000) + Int64(request) * 3_600_000 / Int64(count)
                let shown = rig.show()
                each(rig, hour, shown)
            }
        }
    }

    /// A scheduler that has seen five weeks of the day of people.
    private func experienced(_ campaigns: [Campaign], perHour: Int) throws -> Rig {
        var memory = SchedulerMemory()
        for hour in 0..<5 * 168 {
            memory.profile.learn(hourOfWeek: hour % 168, count: Self.day[hour % 24] * perHour)
        }
        var rig = try Rig(at: Self.start)
        rig.scheduler = Scheduler(memory: memory, boot: "first", at: rig.now)
        for campaign in campaigns { try rig.scheduler.upsert(campaign) }
        return rig
    }

    @Test("Guaranteed impressions are delivered in full and never one more, over four weeks")
    func delivery() throws {
        var random = SeededGenerator(seed: 11)
        let goals = [50, 700, 2_000, 9_000]
        var rig = try experienced(
            goals.enumerated().map { guaranteed(Int64($0.offset + 1), $0.element, days: 28) }
                + [Campaign.sample(9).with { $0.domain = nil }], perHour: 5)
        var worst = 0.0
        live(&rig, days: 0..<28, perHour: 5, random: &random) { rig, hour, _ in
            guard hour % 24 == 23 else { return }
            for (place, goal) in goals.enumerated() where goal > 100 {
                let id = CampaignID(Int64(place + 1))
                let target = rig.scheduler.target(id, at: rig.now.wall) ?? 0
                worst = max(worst, abs(Double(rig.scheduler.delivered(id) - target)) / Double(goal))
            }
        }
        #expect(goals.indices.map { rig.scheduler.delivered(CampaignID(Int64($0 + 1))) } == goals)
        // Never further than half a per cent of the goal from the plan at the end of a day.
        #expect(worst <= 0.005, "\(worst)")
    }

    @Test("The budget is not gone in the small hours (brave#11057)")
    func smallHours() throws {
        var random = SeededGenerator(seed: 12)
        var rig = try experienced(
            [guaranteed(1, 700, days: 7), Campaign.sample(9).with { $0.domain = nil }], perHour: 12)
        var hours = [Int](repeating: 0, count: 24)
        live(&rig, days: 0..<7, perHour: 12, random: &random) { _, hour, shown in
            if shown == 1 { hours[hour % 24] += 1 }
        }
        #expect(hours.reduce(0, +) == 700)
        let total = Self.day.reduce(0, +)
        for (hour, count) in hours.enumerated() {
            let due = Double(700 * Self.day[hour]) / Double(total)
            #expect(abs(Double(count) - due) <= 7, "at \(hour): \(count) instead of \(due)")
        }
    }

    @Test("A profile that is learned from nothing comes to the same after some days")
    func learned() throws {
        var random = SeededGenerator(seed: 13)
        var rig = try Rig([guaranteed(1, 2_100, days: 21), Campaign.sample(9).with { $0.domain = nil }])
        var night = 0
        var evening = 0
        live(&rig, days: 0..<21, perHour: 6, random: &random) { _, hour, shown in
            guard shown == 1, hour >= 14 * 24 else { return }
            if (2..<6).contains(hour % 24) { night += 1 }
            if (18..<22).contains(hour % 24) { evening += 1 }
        }
        #expect(rig.scheduler.delivered(CampaignID(1)) == 2_100)
        // Six to thirty-eight is what the traffic says.
        #expect(evening > 5 * night && night > 0, "\(night) \(evening)")
    }

    @Test("After days off it catches up at twice the pace and not at once, and still delivers all")
    func catchUp() throws {
        var random = SeededGenerator(seed: 14)
        var rig = try experienced(
            [guaranteed(1, 1_400, days: 14), Campaign.sample(9).with { $0.domain = nil }], perHour: 6)
        var days = [Int](repeating: 0, count: 14)
        // Off on the third and fourth day.
        live(&rig, days: 0..<14, perHour: 6, off: 48..<96, random: &random) { _, hour, shown in
            if shown == 1 { days[hour / 24] += 1 }
        }
        #expect(days.reduce(0, +) == 1_400)
        #expect(days[0..<2].allSatisfy { (97...103).contains($0) } && days[2...3] == [0, 0], "\(days)")
        #expect(days.allSatisfy { $0 <= 206 } && days[4...5].allSatisfy { $0 >= 180 }, "\(days)")
        // The days off weigh a fifth in what these weekdays are expected to have.
        #expect(days[8...].allSatisfy { (80...120).contains($0) }, "\(days)")
    }

    @Test("Too little traffic is used whole, and shared by who is behind the longest")
    func scarce() throws {
        var random = SeededGenerator(seed: 15)
        var rig = try experienced([guaranteed(1, 4_000, days: 7), guaranteed(2, 4_000, days: 7)], perHour: 6)
        var requests = 0
        var blank = 0
        live(&rig, days: 0..<7, perHour: 6, random: &random) { _, hour, shown in
            requests += 1
            if shown == nil, hour > 1 { blank += 1 }
        }
        let delivered = [1, 2].map { rig.scheduler.delivered(CampaignID($0)) }
        #expect(abs(delivered[0] - delivered[1]) <= 2 && blank * 50 <= requests, "\(delivered), \(blank)")
    }

    @Test("Only open hours count, and a clock put back does not stop the pace for good")
    func hoursAndSteps() throws {
        var random = SeededGenerator(seed: 16)
        let campaign = guaranteed(1, 700, days: 7).with {
            $0.dayparts = [try? Daypart("18:00-02:00")].compactMap { $0 }
        }
        var rig = try experienced([campaign, Campaign.sample(9).with { $0.domain = nil }], perHour: 6)
        // For an hour of the first evening the clock is three days ahead.
        live(&rig, days: 0..<1, perHour: 6, random: &random) { _, hour, shown in
            if hour < 18, hour > 1 { #expect(shown != 1) }
        }
        rig.wallShift = 3 * 86_400
        live(&rig, days: 1..<2, perHour: 1, off: 25..<48, random: &random)
        rig.wallShift = 0
        live(&rig, days: 1..<7, perHour: 6, off: 24..<25, random: &random)
        #expect(rig.scheduler.delivered(CampaignID(1)) == 700)
    }
}
