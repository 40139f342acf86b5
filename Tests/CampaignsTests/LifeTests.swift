import Simulation
import Testing

@testable import Campaigns

/// Random lives of a device with four slots: edits, steps of the clock, restarts, whatever comes.
@Suite("Random lives")
struct LifeTests {
    @Test("Caps, flights, hours and separation hold at every step", arguments: 1...12)
    func invariants(seed: UInt64) throws {
        var life = try Life(seed: seed)
        for _ in 0..<1_500 where life.breaches.isEmpty { try life.step() }
        #expect(life.breaches.isEmpty, "seed \(seed): \(life.breaches)")
        #expect(life.shown > 100, "seed \(seed)")
    }

    @Test("Restarts, with what is remembered in any order, change no decision", arguments: 1...10)
    func restarts(seed: UInt64) throws {
        var calm = try Life(seed: seed)
        var restless = try Life(seed: seed)
        var random = SeededGenerator(seed: seed + 1_000)
        var stored = SchedulerMemory()
        for step in 0..<500 {
            stored.merge(restless.rig.scheduler.takeChanges())
            switch Int.random(in: 0..<8, using: &random) {
            case 0: try restless.rig.restart(shuffling: &random)
            case 1: try restless.rig.restart(from: stored, shuffling: &random)
            default: break
            }
            try calm.step()
            try restless.step()
            guard calm.decisions == restless.decisions else {
                Issue.record("seed \(seed), step \(step): \(calm.decisions) \(restless.decisions)")
                return
            }
        }
        let (one, other) = (calm.rig.scheduler.memory, restless.rig.scheduler.memory)
        #expect(one.campaigns == other.campaigns && one.lanes == other.lanes, "seed \(seed)")
        #expect(one.slots == other.slots && one.decisions == other.decisions, "seed \(seed)")
        #expect(one.profile == other.profile && one.traffic == other.traffic, "seed \(seed)")
    }
}

private struct Life {
    var rig: Rig
    private(set) var breaches: [String] = []
    private(set) var shown = 0
    /// What was decided in the last step.
    private(set) var decisions: [Placement?] = []

    private var random: SeededGenerator
    private var campaigns: [CampaignID: Campaign] = [:]
    /// Decisions that are neither shown nor given back, with the campaign as it was then.
    private var open: [(placement: Placement, campaign: Campaign)] = []
    private var screens: [String: (current: Campaign?, last: Campaign?)] = [:]
    /// Impressions and open decisions: when, by the steady clock, of which campaign, in which slot.
    private var counted: [(id: DecisionID, campaign: CampaignID, slot: String, at: Int64)] = []
    private let zone: TimeZoneRules

    init(seed: UInt64) throws {
        random = SeededGenerator(seed: seed)
        zone = try ZoneFile.rule("CET-1CEST,M3.5.0,M10.5.0/3").rules
        let repeats: SchedulerSettings.RepeatPolicy = seed % 3 == 0 ? .never : .whenAlone
        // Three days before clocks go forward.
        rig = try Rig(settings: SchedulerSettings(zone: zone, repeats: repeats), at: .utc("2030-03-28"))
        for id in Int64(1)...12 { try edit(id) }
    }

    private mutating func pick(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }

    private mutating func edit(_ id: Int64) throws {
        var campaign = Campaign.sample(id, weight: pick(1...5), domain: "d\(pick(1...8)).example")
        campaign.revision = (campaigns[campaign.id]?.revision ?? 0) + 1
        if pick(0...3) == 0 { campaign.domain = nil }
        if pick(0...1) == 0 { campaign.categories = ["IAB\(pick(1...6))"] }
        if pick(0...3) == 0 { campaign.categories.append("IAB\(pick(7...9))-\(pick(1...3))") }
        campaign.tier = pick(1...3)
        campaign.isEnabled = pick(0...9) > 0
        campaign.creatives = (0...pick(0...2)).map { number in
            Creative(id: CreativeID(id * 100 + Int64(number)), size: pick(0...3) > 0 ? .phone : .leaderboard)
        }
        let now = rig.now.wall
        if pick(0...2) == 0 {
            let start = now + Int64(pick(-80_000...40_000))
            campaign.flight = Flight(start: start, end: start + Int64(pick(60...200_000)))
            if pick(0...1) == 0 { campaign.delivery = .guaranteed(impressions: pick(1...400)) }
        }
        if pick(0...2) == 0 {
            let daypart = try Daypart(
                weekdays: Set(Weekday.allCases.filter { _ in pick(0...3) > 0 } + [.sunday]),
                startMinute: pick(0...719) * 2, endMinute: pick(0...719) * 2 + 1)
            campaign.dayparts = [daypart]
        }
        // Caps are not edited: what an earlier form did not count is not known.
        campaign.caps =
            campaigns[campaign.id]?.caps
            ?? (0..<pick(0...2)).map { _ in
                FrequencyCap(
                    count: pick(1...5), windowSeconds: Int64(pick(10...20_000)),
                    scope: pick(0...1) == 0 ? .slot : .device)
            }
        try rig.scheduler.upsert(campaign)
        campaigns[campaign.id] = campaign
    }

    mutating func step() throws {
        decisions = []
        if pick(0...9) > 0 { rig.steady += Int64(pick(0...60_000)) }
        switch pick(0...99) {
        case 0...1: try edit(Int64(pick(1...12)))
        case 2: rig.wallShift += Int64(pick(-100_000...100_000))
        case 3: rig.wallShift = 0
        case 4: rig.trust = pick(0...1) == 0 ? .trusted : .untrusted(.notSynchronised)
        case 5: rig.trust = .trusted
        case 6: rig.steady += Int64(pick(0...40_000)) * 1_000
        case 7...12:
            let slot = "slot\(pick(1...4))"
            rig.scheduler.vacate(slot)
            screens[slot]?.current = nil
        case 13...14:
            let slot = "slot\(pick(1...4))"
            let other = Campaign.sample(99, domain: "d\(pick(1...8)).example")
            rig.scheduler.occupy(slot, by: Separation(other))
            screens[slot] = (other, other)
        case 15...57: decide()
        default: settle()
        }
    }

    private mutating func decide() {
        let slot = "slot\(pick(1...4))"
        let decision = rig.decide(slot, pick(0...2) > 0 ? .phone : .leaderboard)
        decisions.append(decision.placement)
        guard let placement = decision.placement, let campaign = campaigns[placement.campaign] else { return }
        check(placement, campaign)
        open.append((placement, campaign))
        counted.append((placement.decision, campaign.id, slot, rig.steady))
    }

    private mutating func settle() {
        guard !open.isEmpty else { return }
        let (placement, campaign) = open.remove(at: pick(0...open.count - 1))
        let place = counted.firstIndex { $0.id == placement.decision }
        guard pick(0...3) > 0 else {
            expect(rig.scheduler.withdraw(placement.decision, at: rig.now) == .done, "withdraw")
            if let place { counted.remove(at: place) }
            return
        }
        expect(rig.scheduler.confirm(placement.decision, at: rig.now) == .done, "confirm")
        if let place { counted[place].at = rig.steady }
        screens[placement.slot] = (campaign, campaign)
        shown += 1
    }

    private mutating func expect(_ holds: Bool, _ what: String) {
        if !holds { breaches.append(what) }
    }

    private mutating func check(_ placement: Placement, _ campaign: Campaign) {
        let now = rig.now
        expect(campaign.isEnabled && placement.revision == campaign.revision, "disabled or old")
        expect(
            campaign.creatives.contains { $0.id == placement.creative && $0.size == placement.size },
            "creative")
        if campaign.isDated {
            expect(now.trust == .trusted, "untrusted")
            expect(campaign.flight.start.map { $0 <= now.wall } ?? true, "before its flight")
            expect(campaign.flight.end.map { now.wall < $0 } ?? true, "after its flight")
            let pattern = WeekPattern(dayparts: campaign.dayparts)
            expect(pattern.isActive(at: now.wall, in: zone), "outside its hours")
        }
        if case .guaranteed(let goal) = campaign.delivery {
            expect(rig.scheduler.delivered(campaign.id) <= goal, "more than guaranteed")
        }
        for cap in campaign.caps {
            let inWindow = counted.count { impression in
                impression.campaign == campaign.id && impression.at > rig.steady - cap.windowSeconds * 1_000
                    && (cap.scope == .device || impression.slot == placement.slot)
            }
            expect(inWindow < cap.count, "cap \(cap)")
        }
        checkSeparation(placement, campaign)
    }

    private mutating func checkSeparation(_ placement: Placement, _ campaign: Campaign) {
        let others =
            screens.filter { $0.key != placement.slot }.values.compactMap(\.current)
            + open.filter { $0.placement.slot != placement.slot }.map(\.campaign)
        for other in others { expect(!competes(campaign, other), "\(campaign.id) beside \(other.id)") }
        guard rig.scheduler.settings.repeats == .never,
            !open.contains(where: { $0.placement.slot == placement.slot }),
            let last = screens[placement.slot]?.last
        else { return }
        expect(!competes(campaign, last), "\(campaign.id) after \(last.id)")
    }

    private func competes(_ one: Campaign, _ other: Campaign) -> Bool {
        if let domain = one.domain, domain == other.domain { return true }
        return one.categories.contains { category in other.categories.contains(category) }
    }
}
