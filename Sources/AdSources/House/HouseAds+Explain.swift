public import AdSlots
public import Campaigns

// What people are told.
extension HouseAds {
    /// What stands for or against the campaigns at a request of a slot: a line each, of very many not all.
    public func explanation(slot: String, size: Size) -> [String] {
        let now = readClock()
        let explanation = scheduler.explain(
            slot: slot, size: CreativeSize(width: size.width, height: size.height), at: now.moment,
            max: Campaigns.Limits.verdictsMax)
        guard !explanation.verdicts.isEmpty else { return ["There are no house campaigns."] }
        var lines = explanation.verdicts.map { verdict in
            let name = scheduler[verdict.campaign]?.name ?? "?"
            let text = verdict.reason.text(in: scheduler.settings.zone)
            return "Campaign \(verdict.campaign.value) (\(name)): \(text)."
        }
        if !explanation.others.isEmpty {
            let count = explanation.others.reduce(0) { $0 + $1.count }
            let words = explanation.others.map { "\($0.count) \($0.word)" }.joined(separator: ", ")
            lines.append("\(count) more campaigns: \(words).")
        }
        return lines
    }

    /// Why nothing can be shown, in a sentence: what stands against the most campaigns first.
    func text(of refusal: Refusal) -> String {
        switch refusal.reason {
        case .noCampaigns: return "there are no house campaigns"
        case .tooManySlots: return "there are more slots than can be scheduled"
        case .invalidIdentifier: return "this request was answered before"
        case .nothingEligible: break
        }
        var obstacles: [String: (count: Int, first: Verdict.Reason)] = [:]
        for verdict in refusal.verdicts {
            let before = obstacles[verdict.reason.word]
            let first = before.map { Self.sooner($0.first, verdict.reason) } ?? verdict.reason
            obstacles[verdict.reason.word] = ((before?.count ?? 0) + 1, first)
        }
        let named = obstacles.sorted { ($1.value.count, $0.key) < ($0.value.count, $1.key) }
            .prefix(Limits.obstaclesNamedMax)
            .map { _, obstacle in
                (obstacle.count > 1 ? "\(obstacle.count) campaigns: " : "")
                    + obstacle.first.text(in: scheduler.settings.zone)
            }
        return named.isEmpty ? "no campaign has anything of this size" : named.joined(separator: "; ")
    }

    /// Of two reasons of one kind the one that is over sooner.
    private static func sooner(_ one: Verdict.Reason, _ other: Verdict.Reason) -> Verdict.Reason {
        guard let left = one.until, let right = other.until else { return one.until == nil ? other : one }
        return right < left ? other : one
    }

    /// Whether the clock can be believed, and how many campaigns it holds back.
    public var clockStatus: (trust: ClockTrust, campaigns: Int, heldBack: Int) {
        let now = readClock()
        return (
            now.moment.trust, scheduler.campaigns.count,
            dated.isEmpty ? 0 : scheduler.heldBack(at: now.moment)
        )
    }
}

extension Verdict.Reason {
    /// When it ends by itself.
    fileprivate var until: WallTime? {
        switch self {
        case .beforeFlight(let time), .capped(_, let time): time
        case .outsideDaypart(let time), .aheadOfPace(let time): time
        case .eligible, .disabled, .excluded, .noCreative, .clockUntrusted, .afterFlight, .delivered,
            .separated, .sameAdvertiserAgain, .sameCategoryAgain:
            nil
        }
    }
}
