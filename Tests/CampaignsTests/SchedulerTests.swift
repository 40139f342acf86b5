import Testing

@testable import Campaigns

@Suite("The scheduler")
struct SchedulerTests {
    @Test("A decision says what to show, what it costs and why")
    func placement() throws {
        var rig = try Rig([.sample(1, weight: 7)])
        let decision = rig.decide()
        let placement = try #require(decision.placement)
        #expect(placement.campaign == CampaignID(1) && placement.creative == CreativeID(100))
        #expect(placement.cost.description == "0.0025 EUR")
        #expect(placement.basis == .share(weight: 7) && !placement.isRepeat)
        #expect(placement.revision == 1 && placement.slot == "banner" && placement.size == .phone)
    }

    @Test("The same request gets the same answer, and is counted once")
    func sameRequest() throws {
        var rig = try Rig([.sample(1), .sample(2)])
        let request = AdRequest(id: DecisionID("once"), slot: "banner", size: .phone)
        let first = rig.scheduler.decide(request, at: rig.now)
        rig.wait(60)
        #expect(rig.scheduler.decide(request, at: rig.now).placement == first.placement)
        #expect(rig.scheduler.delivered(CampaignID(1)) == 1)
        #expect(rig.scheduler.delivered(CampaignID(2)) == 0)
    }

    @Test("What was said twice is done, and the opposite does not hold (brave#9242)")
    func settlements() throws {
        var rig = try Rig([.sample(1), .sample(2)])
        let shown = try #require(rig.decide().placement).decision
        let given = try #require(rig.decide().placement).decision
        #expect(rig.scheduler.confirm(shown, at: rig.now) == .done)
        #expect(rig.scheduler.confirm(shown, at: rig.now) == .doneBefore)
        #expect(rig.scheduler.withdraw(shown, at: rig.now) == .opposite)
        #expect(rig.scheduler.withdraw(given, at: rig.now) == .done)
        #expect(rig.scheduler.withdraw(given, at: rig.now) == .doneBefore)
        #expect(rig.scheduler.confirm(given, at: rig.now) == .opposite)
        #expect(rig.scheduler.confirm(DecisionID("other"), at: rig.now) == .unknown)
        #expect(rig.scheduler.delivered(CampaignID(1)) == 1 && rig.scheduler.delivered(CampaignID(2)) == 0)
        let again = AdRequest(id: given, slot: "banner", size: .phone)
        #expect(rig.scheduler.decide(again, at: rig.now) == refused(.invalidIdentifier))
    }

    private func refused(_ reason: Refusal.Reason) -> Decision {
        .refuse(Refusal(reason: reason, verdicts: [], nextChange: nil))
    }

    @Test("Without campaigns, or with an identifier that is none, there is nothing to show")
    func nothing() throws {
        var rig = try Rig()
        #expect(rig.decide() == refused(.noCampaigns))
        try rig.scheduler.upsert(.sample(1))
        for id in ["", String(repeating: "x", count: Limits.decisionBytesMax + 1)] {
            let request = AdRequest(id: DecisionID(id), slot: "banner", size: .phone)
            #expect(rig.scheduler.decide(request, at: rig.now) == refused(.invalidIdentifier))
        }
        #expect(rig.show() == 1)
    }

    @Test("A refusal says what stands against each campaign, and when that changes")
    func reasons() throws {
        let start = WallTime.monday + 12 * 3_600
        var rig = try Rig(
            [
                .sample(1).with { $0.isEnabled = false },
                .sample(2).with { $0.flight.start = start + 3_600 },
                .sample(3).with { $0.flight.end = start },
                .sample(4).with { $0.dayparts = [try? Daypart("14:00-16:00")].compactMap { $0 } },
                .sample(5).with { $0.creatives[0].size = .leaderboard },
                .sample(6).with { $0.caps = [FrequencyCap(count: 1, windowSeconds: 600, scope: .slot)] },
                .sample(7, domain: "left.example"),
                .sample(8).with {
                    $0.flight = Flight(start: start + -1, end: start + 86_400)
                    $0.delivery = .guaranteed(impressions: 1)
                },
                .sample(9).with {
                    $0.flight = Flight(start: start, end: start + 86_400)
                    $0.delivery = .guaranteed(impressions: 2)
                },
                .sample(10).with {
                    $0.flight = Flight(start: start, end: start + 60)
                    $0.dayparts = [try? Daypart("00:00-01:00"), try? Daypart("12:30-13:00")].compactMap { $0 }
                    $0.delivery = .guaranteed(impressions: 1)
                },
            ], at: start)
        rig.scheduler.occupy("left", by: Separation(domains: ["left.example"], categories: []))
        // The guaranteed ones come first.
        #expect(rig.shows(3, every: 0) == [8, 9, 6])
        guard case .refuse(let refusal) = rig.decide() else {
            Issue.record("it served")
            return
        }
        #expect(refusal.reason == .nothingEligible)
        let expected: [Int64: Verdict.Reason] = [
            1: .disabled, 2: .beforeFlight(start: start + 3_600), 3: .afterFlight(end: start),
            4: .outsideDaypart(until: start + 7_200), 5: .noCreative(.phone),
            6: .capped(.slot, until: start + 600), 7: .separated(from: "left"), 8: .delivered,
            9: .aheadOfPace(until: start + 43_200), 10: .outsideDaypart(until: start + 1_800),
        ]
        for verdict in refusal.verdicts { #expect(verdict.reason == expected[verdict.campaign.value]) }
        #expect(refusal.verdicts.map(\.campaign.value) == Array(1...10))
        #expect(rig.scheduler.explain(slot: "banner", size: .phone, at: rig.now).verdicts == refusal.verdicts)
        #expect(refusal.nextChange == start + 60)
        #expect(Set(refusal.verdicts.map(\.reason.word)).count == 9)
        #expect(refusal.verdicts[3].reason.text(in: .utc) == "outside its hours until 2026-11-30T14:00:00")
    }

    @Test("What a request excludes is no choice for it, and is not counted")
    func excluded() throws {
        var rig = try Rig([.sample(1), .sample(2).with { $0.tier = 9 }])
        let request = AdRequest(id: DecisionID("x"), slot: "banner", size: .phone, excluded: [CampaignID(1)])
        guard case .serve(let placement, let passedOver) = rig.scheduler.decide(request, at: rig.now) else {
            Issue.record("nothing to show")
            return
        }
        #expect(placement.campaign == CampaignID(2))
        #expect(passedOver == [Verdict(campaign: CampaignID(1), reason: .excluded)])
        #expect(rig.show() == 1)
    }

    @Test("Of a whole inventory the sound campaigns are taken, and what is not in it is removed")
    func load() throws {
        var rig = try Rig([.sample(1), .sample(2)])
        let refused = rig.scheduler.load([.sample(2), .sample(3), Campaign.sample(4).with { $0.tier = 0 }])
        #expect(refused.mapValues(\.description) == [CampaignID(4): "tier must be 1 to 16"])
        #expect(rig.scheduler.campaigns.map(\.value) == [2, 3])
    }

    @Test("To explain decides nothing")
    func explainOnly() throws {
        var rig = try Rig([.sample(1), .sample(2)])
        _ = rig.decide()
        var other = rig
        rig.wait(600)
        #expect(rig.reason(1) == .sameAdvertiserAgain && rig.reason(2) == .eligible)
        #expect(rig.scheduler.memory.decisions == other.scheduler.memory.decisions)
        rig.wait(600)
        other.wait(1_200)
        #expect(rig.decide() == other.decide())
        #expect(rig.scheduler.memory == other.scheduler.memory)
    }

    @Test("A clock that is not trusted holds back what depends on dates, says so, and only that")
    func untrusted() throws {
        let dated = Campaign.sample(1).with { $0.flight.start = .utc("2020-01-01") }
        let hours = Campaign.sample(2).with { $0.dayparts = [try? Daypart("00:00-24:00")].compactMap { $0 } }
        var rig = try Rig([dated, hours, .sample(3)])
        rig.trust = .untrusted(.notSynchronised)
        #expect(rig.shows(3) == [3, 3, 3])
        #expect(rig.reason(1) == .clockUntrusted(.notSynchronised))
        rig.trust = .untrusted(.beforeBuild)
        #expect(rig.reason(2) == .clockUntrusted(.beforeBuild))
        rig.trust = .trusted
        #expect(Set(rig.shows(6)) == [1, 2, 3])
        rig.trust = .untrusted(.notSynchronised)
        #expect(rig.shows(2) == [3, 3])
    }

    @Test("A clock far behind stops nothing that has no dates (Anthias c1652ca1)")
    func behind() throws {
        var rig = try Rig([.sample(1)], at: .utc("1970-01-01"))
        #expect(rig.show() == 1)
        rig.wallShift = -86_400
        #expect(rig.show() == 1)
    }

    @Test("A flight begins and ends to the millisecond, also when the clock is put back into it")
    func flight() throws {
        let campaign = Campaign.sample(1).with { $0.flight = Flight(start: .monday + 60, end: .monday + 120) }
        var rig = try Rig([campaign])
        rig.steady = 59_999
        #expect(rig.show() == nil)
        rig.steady = 60_000
        #expect(rig.show() == 1)
        rig.steady = 119_999
        #expect(rig.show() == 1)
        rig.steady = 120_000
        #expect(rig.show() == nil)
        rig.wallShift = -30
        #expect(rig.show() == 1)
        rig.wallShift = 86_400
        #expect(rig.show() == nil)
    }

    @Test("An edit takes effect at once and keeps what was counted; an older one is refused")
    func edits() throws {
        var rig = try Rig([.sample(1).with { $0.revision = 3 }])
        #expect(rig.show() == 1)
        #expect(
            try rig.scheduler.upsert(Campaign.sample(1).with { ($0.revision, $0.isEnabled) = (2, false) })
                == false)
        #expect(rig.show() == 1)
        #expect(
            try rig.scheduler.upsert(Campaign.sample(1).with { ($0.revision, $0.isEnabled) = (4, false) }))
        #expect(rig.show() == nil)
        #expect(rig.scheduler.delivered(CampaignID(1)) == 2)
        rig.scheduler.remove(CampaignID(1))
        #expect(rig.scheduler.campaigns.isEmpty && rig.scheduler.delivered(CampaignID(1)) == 0)
        rig.scheduler.remove(CampaignID(1))
    }

    @Test("The zone of the settings decides about hours, from its change on")
    func zone() throws {
        let campaign = Campaign.sample(1).with {
            $0.dayparts = [try? Daypart("09:00-10:00")].compactMap { $0 }
        }
        var rig = try Rig([campaign], at: .utc("2026-11-30T08:30"))
        #expect(rig.show() == nil)
        rig.scheduler.reconfigure(SchedulerSettings(zone: try ZoneFile.rule("CET-1").rules))
        #expect(rig.show() == 1)
    }

    @Test("Slots and open decisions are bounded; the oldest decision is forgotten and stays counted")
    func bounds() throws {
        var rig = try Rig([.sample(1).with { $0.domain = nil }])
        let first = try #require(rig.decide().placement).decision
        for _ in 0..<Limits.decisionsMax { _ = rig.decide() }
        #expect(rig.scheduler.withdraw(first, at: rig.now) == .unknown)
        #expect(rig.scheduler.delivered(CampaignID(1)) == Limits.decisionsMax + 1)
        #expect(rig.scheduler.memory.decisions.count == Limits.decisionsMax)
        for number in 1..<Limits.slotsMax { rig.scheduler.occupy("slot\(number)", by: .none) }
        #expect(rig.decide("one more") == refused(.tooManySlots))
        rig.scheduler.forget(slot: "slot1")
        #expect(rig.show("one more") == 1)
    }
}
