import Simulation
import Testing

@testable import Campaigns

@Suite("What is remembered")
struct MemoryTests {
    /// Numbers at which arithmetic breaks.
    private static let extremes: [Int64] = [.min, .min + 1, -1, 0, 1, 1 << 32, 1 << 62, .max - 1, .max]

    @Test("Whatever a damaged store gives, nothing traps, and the slots go on showing", arguments: 1...40)
    func damaged(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        func number() -> Int64 { Self.extremes.randomElement(using: &random) ?? 0 }
        func wall() -> WallTime { WallTime(milliseconds: number()) }
        var memory = SchedulerMemory()
        memory.clock = ClockMemory(
            boot: "first", steadyMilliseconds: number(), ownMilliseconds: number(), wall: wall(),
            isBehind: seed % 2 == 0)
        for id in Int64(1)...5 {
            let turns = [TurnMemory(size: .phone, start: number(), served: number())]
            let shown = [CreativeMemory(creative: CreativeID(id * 100), count: Int(number()))]
            memory.campaigns.append(
                CampaignMemory(
                    campaign: CampaignID(id), delivered: Int(number()), lastServed: wall(),
                    isCompeting: seed % 3 == 0, turns: turns, shown: shown))
            memory.impressions.append(
                CappedImpression(
                    decision: DecisionID("old\(id)"), campaign: CampaignID(id), slot: "banner",
                    ownMilliseconds: number()))
        }
        memory.lanes = [LaneMemory(size: .phone, tier: 8, level: number())]
        memory.lanes.append(LaneMemory(size: .phone, tier: Int(number()), level: number()))
        memory.traffic.since = number()
        for _ in 0..<3 { memory.traffic.hours[number()] = Int(number()) }
        let flight = Flight(start: .monday, end: .monday + 86_400)
        let campaigns: [Campaign] = (1...5).map { id in
            Campaign.sample(id).with { campaign in
                if id == 2 { (campaign.flight, campaign.delivery) = (flight, .guaranteed(impressions: 50)) }
                if id == 3 {
                    campaign.caps = [FrequencyCap(count: 2, windowSeconds: 60, scope: .device)]
                }
            }
        }
        var rig = try Rig()
        rig.scheduler = Scheduler(memory: memory, boot: seed % 5 == 0 ? "second" : "first", at: rig.now)
        #expect(rig.scheduler.load(campaigns).isEmpty)
        let shown = rig.shows(200, every: 400)
        #expect(shown.allSatisfy { $0 != nil } && Set(shown).count >= 2, "seed \(seed)")
        rig.scheduler.recall(memory.impressions)
        #expect(rig.show() != nil)
    }
}
