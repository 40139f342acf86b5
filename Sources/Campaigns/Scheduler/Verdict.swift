/// What stands for or against one campaign at a request.
public struct Verdict: Hashable, Sendable {
    /// The campaign.
    public var campaign: CampaignID
    /// What stands against it, or `eligible`.
    public var reason: Reason

    /// Creates a verdict.
    public init(campaign: CampaignID, reason: Reason) {
        self.campaign = campaign
        self.reason = reason
    }

    /// What stands against a campaign.
    public enum Reason: Hashable, Sendable {
        /// Nothing, though another one may come first.
        case eligible
        /// It is disabled.
        case disabled
        /// The request does not want it.
        case excluded
        /// It has no creative of the size that may be shown.
        case noCreative(CreativeSize)
        /// It depends on dates, and the wall clock is not to be relied on.
        case clockUntrusted(ClockDoubt)
        /// Its flight begins then.
        case beforeFlight(start: WallTime)
        /// Its flight was over then.
        case afterFlight(end: WallTime)
        /// None of its dayparts is open; the next begins then, if ever.
        case outsideDaypart(until: WallTime?)
        /// All guaranteed impressions are delivered.
        case delivered
        /// It has had what is due; the next impression is due then. Nil when its dayparts leave nothing of
        /// its flight.
        case aheadOfPace(until: WallTime?)
        /// A cap is reached; by the clock as it stands, the cap lets one through then.
        case capped(CapScope, until: WallTime)
        /// A competitor is on screen in this slot, or about to be.
        case separated(from: String)
        /// The slot has just had the same advertiser.
        case sameAdvertiserAgain
        /// The slot has just had the same category.
        case sameCategoryAgain

        /// One word, for figures.
        public var word: String {
            switch self {
            case .eligible: "eligible"
            case .disabled: "disabled"
            case .excluded: "excluded"
            case .noCreative: "noCreative"
            case .clockUntrusted: "clockUntrusted"
            case .beforeFlight: "beforeFlight"
            case .afterFlight: "afterFlight"
            case .outsideDaypart: "outsideDaypart"
            case .delivered: "delivered"
            case .aheadOfPace: "aheadOfPace"
            case .capped: "capped"
            case .separated: "separated"
            case .sameAdvertiserAgain: "sameAdvertiserAgain"
            case .sameCategoryAgain: "sameCategoryAgain"
            }
        }
    }
}

extension Verdict.Reason {
    /// In words, for people; times by the local clock of a zone.
    public func text(in zone: TimeZoneRules) -> String {
        func clock(_ time: WallTime) -> String { zone.local(at: time).description }
        func until(_ time: WallTime?) -> String { time.map { " until \(clock($0))" } ?? "" }
        return switch self {
        case .eligible: "eligible"
        case .disabled: "disabled"
        case .excluded: "not wanted by this request"
        case .noCreative(let size): "no creative of \(size)"
        case .clockUntrusted(.notSynchronised): "held back: the clock is not synchronised"
        case .clockUntrusted(.beforeBuild): "held back: the clock stands before this program was built"
        case .beforeFlight(let start): "begins at \(clock(start))"
        case .afterFlight(let end): "was over at \(clock(end))"
        case .outsideDaypart(let time): "outside its hours" + until(time)
        case .delivered: "all guaranteed impressions are delivered"
        case .aheadOfPace(let time):
            time == nil ? "no hour of its flight is open" : "ahead of pace" + until(time)
        case .capped(let scope, let time): "capped on this \(scope.rawValue)" + until(time)
        case .separated(let slot): "a competitor is in slot \(slot)"
        case .sameAdvertiserAgain: "the slot has just had the same advertiser"
        case .sameCategoryAgain: "the slot has just had the same category"
        }
    }
}
