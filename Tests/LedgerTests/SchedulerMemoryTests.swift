import AdSlots
import Campaigns
import Foundation
import Reachability
import Simulation
import Testing

@testable import Ledger

@Suite("What the scheduler remembers is kept in the ledger")
struct SchedulerMemoryTests {
    /// A scheduler that lives on, and what is kept of it.
    private struct Life {
        let rig: StateRig
        var ledger: Ledger?
        var scheduler: Scheduler
        var random: SeededGenerator
        var seconds: Int64 = 0
        var requests = 0
        var open: [DecisionID] = []

        init(seed: UInt64) throws {
            rig = try StateRig()
            ledger = try rig.open()
            random = SeededGenerator(seed: seed)
            scheduler = Scheduler(boot: "boot", at: Self.moment(0))
            #expect(scheduler.load(Self.campaigns).isEmpty)
        }

        static let campaigns = (1...6 as ClosedRange<Int64>).map { id -> Campaign in
            let size = CreativeSize(width: 320, height: 50)
            var campaign = Campaign(
                id: CampaignID(id), name: "C\(id)", advertiser: "A\(id)",
                price: Money(micros: 1_500_000 * id, currency: .euro),
                creatives: [Campaigns.Creative(id: CreativeID(id), size: size)])
            campaign.domain = "a\(id / 2).example"
            campaign.categories = id > 3 ? ["IAB2-\(id)"] : []
            if id > 2 { campaign.caps = [FrequencyCap(count: 3, windowSeconds: 3_600, scope: .slot)] }
            if id == 6 {
                campaign.delivery = .guaranteed(impressions: 200)
                campaign.flight = Flight(start: .noon, end: .noon + 7 * 86_400)
            }
            return campaign
        }

        static func moment(_ seconds: Int64) -> Moment {
            Moment(steadyMilliseconds: seconds * 1_000, wall: .noon + seconds)
        }

        var now: Moment { Self.moment(seconds) }

        mutating func step() {
            seconds += .random(in: 0..<400, using: &random)
            let slot = ["left", "right", "top"].randomElement(using: &random) ?? "left"
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<5:
                requests += 1
                let request = AdRequest(
                    id: DecisionID("r\(requests)"), slot: slot, size: CreativeSize(width: 320, height: 50))
                if let placement = scheduler.decide(request, at: now).placement {
                    open.append(placement.decision)
                }
            case 5..<7: settle { $0.confirm($1, at: $2) }
            case 7: settle { $0.withdraw($1, at: $2) }
            case 8: scheduler.vacate(slot)
            default:
                scheduler.occupy(slot, by: Separation(domains: ["x.example\ny"], categories: ["IAB7"]))
            }
            keep()
        }

        private mutating func settle(_ how: (inout Scheduler, DecisionID, Moment) -> Settlement) {
            guard !open.isEmpty else { return }
            #expect(how(&scheduler, open.removeFirst(), now) == .done)
        }

        private mutating func keep() {
            let changes = SchedulerChanges(memory: scheduler.takeChanges(), windows: windows)
            ledger?.keep([], [], changes, else: { [] }, at: rig.clocks)
        }

        private var windows: [CampaignID: Int64] {
            Dictionary(uniqueKeysWithValues: Self.campaigns.map { ($0.id, 3_600_000) })
        }

        /// The daemon is killed and starts again with what is kept.
        mutating func restart() throws {
            ledger = nil
            let ledger = try rig.open()
            self.ledger = ledger
            scheduler = Scheduler(memory: ledger.rememberedScheduler, boot: "boot", at: now)
            #expect(scheduler.load(Self.campaigns).isEmpty)
        }
    }

    @Test(
        "A scheduler that starts again with it decides as one that went on",
        arguments: 1...8 as ClosedRange<UInt64>)
    func sameDecisions(seed: UInt64) throws {
        var killed = try Life(seed: seed)
        var living = try Life(seed: seed)
        for step in 0..<300 {
            if step % 50 == 49 { try killed.restart() }
            killed.step()
            living.step()
        }
        for id in Life.campaigns.map(\.id) {
            #expect(killed.scheduler.delivered(id) == living.scheduler.delivered(id))
        }
        #expect(killed.requests == living.requests && killed.open == living.open)
        let (left, right) = (killed.scheduler.memory, living.scheduler.memory)
        #expect(left.lanes == right.lanes && left.campaigns == right.campaigns)
        #expect(left.traffic == right.traffic && left.profile == right.profile)
        #expect(killed.rig.notices.isEmpty)
    }

    private func memory(_ decisions: [CountedDecision], own: Int64) -> SchedulerMemory {
        var memory = SchedulerMemory()
        memory.clock = ClockMemory(boot: "b", steadyMilliseconds: own, ownMilliseconds: own, wall: .noon)
        memory.decisions = decisions
        memory.impressions = decisions.filter { $0.state != .withdrawn }.map {
            CappedImpression(
                decision: $0.placement.decision, campaign: $0.placement.campaign, slot: $0.placement.slot,
                ownMilliseconds: $0.ownMilliseconds)
        }
        return memory
    }

    private func decision(_ id: String, _ state: CountedDecision.State, own: Int64) -> CountedDecision {
        CountedDecision(
            placement: Placement(
                decision: DecisionID(id), slot: "banner", campaign: CampaignID(1), revision: 2,
                creative: CreativeID(3), size: CreativeSize(width: 320, height: 50),
                cost: ImpressionCost(nanos: 12, currency: .euro), basis: .guaranteed(due: .noon),
                isRepeat: true),
            separation: Separation(domains: ["a.example"], categories: ["IAB1"]), ownMilliseconds: own,
            previouslyServed: .noon, servedAt: .noon + 1, state: state)
    }

    private func keep(_ memory: SchedulerMemory, in ledger: Ledger, _ rig: StateRig, isWhole: Bool = false) {
        ledger.keep(
            [], [], SchedulerChanges(memory: memory, isWhole: isWhole), else: { [] }, at: rig.clocks)
    }

    @Test("Of decisions only the open ones are kept, every field of them; impressions but for withdrawn ones")
    func decisions() throws {
        let rig = try StateRig()
        var ledger: Ledger? = try rig.open()
        let open = decision("c", .pending, own: 30)
        for decisions in [
            [decision("a", .pending, own: 10), decision("b", .pending, own: 20)],
            [decision("a", .confirmed, own: 15), decision("b", .withdrawn, own: 20), open],
        ] {
            keep(memory(decisions, own: 40), in: try #require(ledger), rig)
        }
        ledger = nil
        let kept = try rig.open().rememberedScheduler
        #expect(kept.decisions == [open])
        #expect(Set(kept.impressions.map(\.decision.value)) == ["a", "c"])
        #expect(kept.impressions.first { $0.decision.value == "a" }?.ownMilliseconds == 15)
    }

    @Test("Impressions go when no cap looks back so far, and a campaign goes with all that it had")
    func gone() throws {
        let rig = try StateRig()
        var ledger: Ledger? = try rig.open()
        let day = Limits.schedulerWindowMilliseconds
        keep(memory([decision("a", .confirmed, own: 10)], own: 10), in: try #require(ledger), rig)
        keep(memory([decision("b", .confirmed, own: day)], own: day), in: try #require(ledger), rig)
        #expect(try ledger?.cappedImpressions(of: CampaignID(1), at: rig.clocks).count == 2)
        keep(memory([], own: day + 10), in: try #require(ledger), rig)
        let left = try ledger?.cappedImpressions(of: CampaignID(1), at: rig.clocks)
        #expect(left?.map(\.decision.value) == ["b"])
        ledger?.keep(
            [], [],
            SchedulerChanges(
                memory: memory([], own: day + 10), removed: [CampaignID(1)], forgottenSlots: ["banner"]),
            else: { [] }, at: rig.clocks)
        ledger = nil
        #expect(try rig.open().rememberedScheduler.impressions.isEmpty)
    }

    @Test("A ledger that could not be written is given all of it as soon as it can")
    func unwritable() throws {
        let rig = try StateRig()
        let later = "\(rig.directory)/later"
        let ledger = try rig.open(in: later)
        let all = memory([decision("a", .confirmed, own: 10), decision("b", .pending, own: 11)], own: 12)
        ledger.wholeScheduler = { SchedulerChanges(memory: all, isWhole: true) }
        keep(memory([decision("a", .confirmed, own: 10)], own: 10), in: ledger, rig)
        try FileManager.default.createDirectory(atPath: later, withIntermediateDirectories: false)
        rig.pass(.seconds(2))
        ledger.keep([], else: { [] }, at: rig.clocks)
        #expect(ledger.retryAt == nil)
        #expect(try ledger.cappedImpressions(of: CampaignID(1), at: rig.clocks).count == 2)
    }

    @Test("The whole takes the place of what was there")
    func whole() throws {
        let rig = try StateRig()
        var ledger: Ledger? = try rig.open()
        var first = memory([decision("a", .pending, own: 10)], own: 10)
        first.slots = [Campaigns.SlotMemory(slot: "gone", current: nil, last: Separation.none)]
        keep(first, in: try #require(ledger), rig)
        keep(
            memory([decision("b", .pending, own: 10)], own: 10), in: try #require(ledger), rig, isWhole: true)
        ledger = nil
        let kept = try rig.open().rememberedScheduler
        #expect(kept.slots.isEmpty && kept.decisions.map(\.placement.decision.value) == ["b"])
    }

    @Test("Rows that make no sense are left out, and what a file of the second version held stays")
    func nonsense() throws {
        let rig = try StateRig()
        try keep(memory([decision("a", .pending, own: 10)], own: 10), in: rig.open(), rig)
        do {
            let database = try Database(rig.path, .readWrite)
            try database.execute("UPDATE scheduler_decisions SET currency = 'euro', width = -5")
            try database.execute("INSERT INTO scheduler_profile VALUES (5, -1, -1)")
            try database.execute("INSERT INTO scheduler_campaigns VALUES (1, -5, 9223372036854775807, 2)")
            try database.execute("INSERT INTO scheduler_turns VALUES (1, 0, 0, -9223372036854775808, 1)")
        }
        let kept = try rig.open().rememberedScheduler
        #expect(kept.decisions.isEmpty && kept.profile == TrafficProfile())
        #expect(kept.campaigns.map(\.delivered) == [0])
        var scheduler = Scheduler(memory: kept, at: Moment(steadyMilliseconds: 5, wall: .noon))
        #expect(scheduler.load(Life.campaigns).isEmpty)
        let request = AdRequest(
            id: DecisionID("x"), slot: "s", size: CreativeSize(width: 320, height: 50))
        #expect(scheduler.decide(request, at: Moment(steadyMilliseconds: 6, wall: .noon)).placement != nil)
    }
}

extension WallTime {
    /// 2027-01-04, a Monday, at noon UTC.
    fileprivate static let noon = WallTime(seconds: 1_799_064_000)

    fileprivate static func + (time: WallTime, seconds: Int64) -> WallTime {
        WallTime(milliseconds: time.milliseconds + seconds * 1_000)
    }
}
