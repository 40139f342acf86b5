import Testing

@testable import Campaigns

@Suite("Share of voice")
struct ShareTests {
    private func counts(_ shown: [Int64?]) -> [Int64: Int] {
        shown.reduce(into: [:]) { $0[$1 ?? 0, default: 0] += 1 }
    }

    /// Campaigns that may follow themselves, so that only the weights decide.
    private func own(_ weights: [Int]) -> [Campaign] {
        weights.enumerated().map { place, weight in
            Campaign.sample(Int64(place + 1), weight: weight).with { $0.domain = nil }
        }
    }

    @Test(
        "In the long run it is exactly the weights, and at no time further off than one turn each",
        arguments: [[1, 1], [1, 2, 3], [1, 2_000], [7, 11, 13, 1], [3, 3, 3, 1]])
    func exact(weights: [Int]) throws {
        var rig = try Rig(own(weights))
        let total = weights.reduce(0, +)
        var counts = [Int](repeating: 0, count: weights.count)
        for number in 1...max(2 * total, 1_000) {
            let shown = rig.show()
            counts[Int(try #require(shown)) - 1] += 1
            for (count, weight) in zip(counts, weights) {
                let due = Double(number * weight) / Double(total)
                guard abs(Double(count) - due) <= 2 else {
                    Issue.record("after \(number): \(counts)")
                    return
                }
            }
            if number % total == 0 { #expect(counts == weights.map { $0 * (number / total) }) }
        }
    }

    @Test("The shares stay within one per cent where separation forbids the same one twice in a row")
    func separated() throws {
        var rig = try Rig((1...5).map { .sample($0, weight: Int($0) + 4) })
        let shown = counts(rig.shows(3_500))
        for id in Int64(1)...5 {
            let due = 3_500.0 * Double(id + 4) / 35
            #expect(abs(Double(shown[id] ?? 0) - due) <= 0.01 * due, "\(shown)")
        }
    }

    @Test("A newcomer begins at the present level and does not catch up")
    func newcomer() throws {
        var rig = try Rig(own([1, 1]))
        _ = rig.shows(1_000)
        try rig.scheduler.upsert(Campaign.sample(3).with { $0.domain = nil })
        #expect(counts(rig.shows(300)) == [1: 100, 2: 100, 3: 100])
    }

    @Test("One that was away goes on at the present level", arguments: [true, false])
    func away(byCap: Bool) throws {
        var rig = try Rig(
            own([1, 1]) + [
                Campaign.sample(3).with {
                    $0.domain = nil
                    if byCap {
                        $0.caps = [FrequencyCap(count: 1, windowSeconds: 30 * 500, scope: .device)]
                    } else {
                        $0.flight.start = .monday + 30 * 500
                    }
                }
            ])
        let first = counts(rig.shows(500))
        #expect(first[3] ?? 0 == (byCap ? 1 : 0))
        if byCap { try rig.scheduler.upsert(Campaign.sample(3).with { $0.domain = nil }) }
        let after = counts(rig.shows(300))
        #expect(after.values.allSatisfy { (99...101).contains($0) }, "\(after)")
    }

    @Test("What a slot's cap kept back is owed a bounded number of turns")
    func owed() throws {
        let campaign = Campaign.sample(3).with {
            $0.domain = nil
            $0.caps = [FrequencyCap(count: 1, windowSeconds: 30 * 1_000, scope: .slot)]
        }
        var rig = try Rig(own([1, 1]) + [campaign])
        #expect(counts(rig.shows(1_000))[3] == 1)
        try rig.scheduler.upsert(campaign.with { $0.caps = [] })
        let shown = counts(rig.shows(60))[3] ?? 0
        #expect(shown <= 20 + Int(Limits.owedMax) && shown >= 20, "\(shown)")
    }

    @Test("Another weight counts from now on")
    func reweighted() throws {
        var rig = try Rig(own([1, 1]))
        _ = rig.shows(100)
        try rig.scheduler.upsert(Campaign.sample(1, weight: 3).with { $0.domain = nil })
        let shown = counts(rig.shows(400))
        #expect((299...301).contains(shown[1] ?? 0), "\(shown)")
    }

    @Test("What is withdrawn has not had its turn")
    func withdrawn() throws {
        var rig = try Rig(own([1, 3]))
        var shown: [Int64: Int] = [:]
        for number in 0..<800 {
            let placement = try #require(rig.decide().placement)
            if number % 3 == 0 {
                #expect(rig.scheduler.withdraw(placement.decision, at: rig.now) == .done)
            } else {
                shown[placement.campaign.value, default: 0] += 1
            }
        }
        #expect(abs((shown[2] ?? 0) - 3 * (shown[1] ?? 0)) <= 4, "\(shown)")
    }

    @Test("A tier is served before the next")
    func tiers() throws {
        var rig = try Rig([
            Campaign.sample(1, weight: 10_000).with { ($0.domain, $0.tier) = (nil, 5) },
            Campaign.sample(2).with {
                ($0.domain, $0.tier) = (nil, 2)
                $0.caps = [FrequencyCap(count: 2, windowSeconds: 300, scope: .device)]
            },
        ])
        #expect(rig.shows(12) == [2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2])
    }

    @Test("Creatives of the size take turns, and one that is new does not catch up")
    func creatives() throws {
        var campaign = Campaign.sample(1)
        campaign.creatives = [
            Creative(id: CreativeID(1), size: .phone), Creative(id: CreativeID(2), size: .phone),
            Creative(id: CreativeID(3), size: .leaderboard),
            Creative(id: CreativeID(4), size: .phone, isEnabled: false),
        ]
        var rig = try Rig([campaign])
        func chosen(_ count: Int) throws -> [Int64] {
            try (0..<count).map { _ in
                let decision = rig.decide()
                return try #require(decision.placement).creative.value
            }
        }
        #expect(try chosen(5) == [1, 2, 1, 2, 1])
        campaign.creatives[3].isEnabled = true
        try rig.scheduler.upsert(campaign)
        #expect(try chosen(4) == [2, 4, 1, 2])
        #expect(rig.decide("banner", .leaderboard).placement?.creative == CreativeID(3))
        #expect(rig.decide("banner", CreativeSize(width: 1, height: 1)).placement == nil)
        #expect(
            rig.reason(1, size: CreativeSize(width: 1, height: 1))
                == .noCreative(CreativeSize(width: 1, height: 1)))
    }
}
