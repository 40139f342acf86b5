import Simulation
import Testing

@testable import Campaigns

/// A scheduler with clocks that a test turns.
struct Rig {
    var scheduler: Scheduler
    /// Both clocks, apart from what the wall clock is put forward or back.
    var steady: Int64 = 0
    var wallShift: Int64 = 0
    var trust = ClockTrust.trusted
    private var start: WallTime
    private var requests = 0

    init(
        _ campaigns: [Campaign] = [], settings: SchedulerSettings = SchedulerSettings(),
        at start: WallTime = .monday
    ) throws {
        self.start = start
        scheduler = Scheduler(
            settings: settings, boot: "first", at: Moment(steadyMilliseconds: 0, wall: start))
        for campaign in campaigns { try scheduler.upsert(campaign) }
    }

    var now: Moment {
        Moment(
            steadyMilliseconds: steady,
            wall: WallTime(milliseconds: start.milliseconds + steady + wallShift * 1_000), trust: trust)
    }

    mutating func wait(_ seconds: Int64) {
        steady += seconds * 1_000
    }

    mutating func decide(_ slot: String = "banner", _ size: CreativeSize = .phone) -> Decision {
        requests += 1
        return scheduler.decide(AdRequest(id: DecisionID("\(requests)"), slot: slot, size: size), at: now)
    }

    /// The campaign that is decided on and shown, if any.
    mutating func show(_ slot: String = "banner", _ size: CreativeSize = .phone) -> Int64? {
        guard let placement = decide(slot, size).placement else { return nil }
        precondition(scheduler.confirm(placement.decision, at: now) == .done)
        return placement.campaign.value
    }

    /// What is shown in so many requests, one every `seconds`.
    mutating func shows(_ count: Int, every seconds: Int64 = 30, slot: String = "banner") -> [Int64?] {
        (0..<count).map { _ in
            defer { wait(seconds) }
            return show(slot)
        }
    }

    mutating func reason(_ id: Int64, slot: String = "banner", size: CreativeSize = .phone) -> Verdict.Reason?
    {
        scheduler.explain(slot: slot, size: size, at: now).verdicts.first { $0.campaign.value == id }?.reason
    }

    /// The daemon ends and starts again; another boot when it is named.
    mutating func restart(boot: String = "first", shuffling random: inout SeededGenerator) throws {
        try restart(boot: boot, from: scheduler.memory, shuffling: &random)
    }

    /// The same, with what was stored before.
    mutating func restart(
        boot: String = "first", from stored: SchedulerMemory, shuffling random: inout SeededGenerator
    ) throws {
        var memory = stored
        memory.impressions.shuffle(using: &random)
        memory.campaigns.shuffle(using: &random)
        let campaigns = scheduler.campaigns.compactMap { scheduler[$0] }.shuffled(using: &random)
        scheduler = Scheduler(settings: scheduler.settings, memory: memory, boot: boot, at: now)
        #expect(scheduler.load(campaigns).isEmpty)
    }
}
