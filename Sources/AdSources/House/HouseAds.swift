public import AdSlots
public import Campaigns
public import Ledger
internal import Reachability

/// The house campaigns of a daemon, for all its sources of kind `house`: the scheduler, what is on screen,
/// and the files.
///
/// Every ad that comes on a screen is known here, of whatever source, so that no two competitors stand side
/// by side. What is decided is counted in the same step, and taken back when the coordinator's effects say
/// that the ad will never be seen.
///
///     let answer = houseAds.answer(to: request, source: "house")
///     let effects = coordinator.handle(.sourceAnswered(…), …)
///     houseAds.follow(effects, after: event)
///     ledger.keep(…, houseAds.takeChanges(), …)    // before anybody is told
///     timer.arm(at: houseAds.deadline)             // then: houseAds.timerFired()
public final class HouseAds {
    /// How campaigns are scheduled.
    public struct Settings: Hashable, Sendable {
        /// How the scheduler judges.
        public var scheduler: SchedulerSettings
        /// Whether dates are judged by a clock too that nobody is known to keep synchronised.
        public var trustsClockAlways: Bool

        /// Puts the two together.
        public init(scheduler: SchedulerSettings = SchedulerSettings(), trustsClockAlways: Bool = false) {
            self.scheduler = scheduler
            self.trustsClockAlways = trustsClockAlways
        }
    }

    /// An ad that has come and may be on screen, or come back to it.
    struct Advertisement {
        let slot: String
        let separation: Separation
        /// What it is made of where it is a house ad.
        var house: HouseAd?
        var stage = Stage.offered

        enum Stage {
            /// The coordinator has not taken it yet. Moves to: arrived, or is forgotten.
            case offered
            /// It was taken, and waits for the end of an action. Moves to: onScreen, or is forgotten.
            case arrived
            /// Moves to: offScreen.
            case onScreen
            /// It can be shown again. Moves to: onScreen, or is forgotten with the next ad of its slot.
            case offScreen
        }
    }

    /// What a house ad is made of.
    struct HouseAd {
        let decision: DecisionID
        let campaign: CampaignID
        let creative: CreativeID
        let file: CreativeFile
        /// The end of its flight or of its hours.
        var expires: WallTime?
        /// The coordinator was told that it must not be seen any more.
        var isOver = false
    }

    var scheduler: Scheduler
    var clock: HouseClock
    /// The files of creatives, and those that were found not to be whole, with their campaigns.
    var files: [CreativeID: CreativeFile] = [:]
    var unwhole: [CreativeID: CampaignID] = [:]
    var unwholeLookedAt: Int64 = 0
    /// Campaigns about which the wall clock decides.
    var dated: Set<CampaignID> = []

    /// By the requests that they answer.
    var advertisements: [RequestID: Advertisement] = [:]
    /// The ad that each slot shows, or showed last, and the one that waits for the end of its action.
    var shown: [String: RequestID] = [:]
    var arrived: [String: RequestID] = [:]
    var waiting = WaitingSlots()
    /// Whether the clock could be believed when it was last read, and when that was.
    var trust: ClockTrust?
    var clockReadAt = Instant.zero

    /// The slots that ask a house source, once that is known.
    private var houseSlots: Set<String>?
    private let run: String
    private var settings: Settings
    /// The pending decisions of an earlier run: nobody can show them any more.
    private var orphans: [DecisionID]
    var keeping: Keeping
    /// Where more is known of what a campaign has had, for one that has got frequency caps.
    public var recall: (CampaignID) -> [CappedImpression] = { _ in [] }

    /// - Parameters:
    ///   - memory: What an earlier run remembered.
    ///   - boot: The identifier of this boot.
    ///   - run: A text that is the same for no other run.
    ///   - clock: Reads the clocks.
    public init(
        settings: Settings = Settings(), memory: SchedulerMemory = SchedulerMemory(), boot: String,
        run: String, clock: HouseClock = HouseClock()
    ) {
        var clock = clock
        clock.trustsAlways = settings.trustsClockAlways
        self.clock = clock
        self.run = run
        self.settings = settings
        scheduler = Scheduler(
            settings: settings.scheduler, memory: memory, boot: boot, at: clock.now().moment)
        orphans = memory.decisions.filter { $0.state == .pending }.map(\.placement.decision)
        keeping = Keeping(traffic: memory.traffic)
    }

    /// What a decision is known by: the same for no other, of whatever run.
    func decisionID(_ request: RequestID, attempt: Int) -> DecisionID {
        DecisionID("\(run)-\(request.value)-\(attempt)")
    }

    /// Takes up the inventory at the start. What an earlier run decided and never showed is taken back, and
    /// all screens are empty.
    /// - Returns: the campaigns that were refused, with their faults.
    public func start(_ inventory: [StoredCampaign]) -> [CampaignID: InvalidCampaign] {
        let refused = scheduler.load(inventory.map(registered))
        // Nothing has happened yet: what is remembered of the campaigns is what is kept of them.
        _ = scheduler.takeChanges()
        let moment = clock.now().moment
        for decision in orphans { _ = scheduler.withdraw(decision, at: moment) }
        orphans = []
        scheduler.vacateAll()
        return refused
    }

    /// Takes other settings into force.
    ///
    /// - Parameters:
    ///   - slots: The names of all slots.
    ///   - houseSlots: Those that ask a house source.
    /// - Returns: what the coordinator is to be told.
    public func configure(_ settings: Settings, slots: [String], houseSlots: [String]) -> [Event] {
        for slot in Set(scheduler.slots).subtracting(slots).sorted() {
            scheduler.forget(slot: slot)
            keeping.forgottenSlots.append(slot)
            if let request = shown.removeValue(forKey: slot) { advertisements[request] = nil }
        }
        // Before the first time nothing has happened that was not kept.
        if self.houseSlots?.isEmpty ?? false, !houseSlots.isEmpty { keeping.mustKeepAll = true }
        self.houseSlots = Set(houseSlots)
        waiting.keep(Set(houseSlots))
        // One that has not asked yet may wait since before the start.
        let now = clock.now()
        let change = scheduler.nextChange(at: now.moment)
        for slot in houseSlots {
            waiting.addUnasked(slot, until: change, firesAt: change.map(now.instant(at:)))
        }
        // Another zone, or another trust: what was refused may be right now.
        guard settings != self.settings else { return [] }
        self.settings = settings
        clock.trustsAlways = settings.trustsClockAlways
        scheduler.reconfigure(settings.scheduler)
        return allMayHaveChanged()
    }

    /// The present moment, with the trust that the wall clock has.
    public var moment: Moment { clock.now().moment }

    /// Whether a slot asks for house campaigns.
    public func asks(_ slot: String) -> Bool { houseSlots?.contains(slot) ?? false }

    /// Whether anybody asks for house campaigns.
    public var isInUse: Bool { !(houseSlots ?? []).isEmpty }
}

extension HouseAds: ScreenWatch {
    /// See ``ScreenWatch``.
    public func neighbours(of slot: String) -> Separation { scheduler.neighbours(of: slot) }

    /// See ``ScreenWatch``.
    public func competitor(of separation: Separation, besides slot: String) -> String? {
        scheduler.competitor(of: separation, besides: slot)
    }
}
