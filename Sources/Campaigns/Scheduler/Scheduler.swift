/// How the scheduler judges.
public struct SchedulerSettings: Hashable, Sendable {
    /// The zone whose clock dayparts and the traffic's hours go by.
    public var zone: TimeZoneRules
    /// What happens when only a competitor of what a slot has just had is left.
    public var repeats: RepeatPolicy

    /// When a slot may have the same advertiser or category twice in a row.
    public enum RepeatPolicy: String, CaseIterable, Sendable {
        /// When nothing else is eligible; another advertiser of the same category then comes before the same
        /// advertiser. A slot is not blank for the sake of order.
        case whenAlone
        /// Never: the slot rather stays without a house advertisement.
        case never
    }

    /// Creates settings; UTC, and a repeat when nothing else is eligible.
    public init(zone: TimeZoneRules = .utc, repeats: RepeatPolicy = .whenAlone) {
        self.zone = zone
        self.repeats = repeats
    }
}

/// Decides which house campaign a slot shows, and counts it in the same step.
///
/// Tiers come in their order; in a tier the guaranteed campaign whose next impression has been due the
/// longest, then the shares of voice by virtual time. A campaign that is capped, or whose competitor is on
/// another screen, is passed over; one that comes near what the slot had before waits for all others, of all
/// tiers.
///
///     var scheduler = Scheduler(settings: settings, memory: memory, boot: bootID, at: now)
///     let refused = scheduler.load(inventory)
///     if let placement = scheduler.decide(request, at: now).placement { … }
///     scheduler.confirm(id, at: later)    // it is on screen; or withdraw(id, at: later)
///
/// It is a value without clock or randomness: the same calls give the same decisions, and a restart by way of
/// `memory` changes none.
public struct Scheduler: Sendable {
    /// How it judges.
    public internal(set) var settings: SchedulerSettings

    var clock: SchedulerClock
    /// The campaigns; a place that is free holds nil.
    var states: [CampaignState?] = []
    var places: [CampaignID: Int] = [:]
    var freePlaces: [Int] = []
    var separations = SeparationTable()

    var shelves: [CreativeSize: Shelf] = [:]
    /// When which campaign has to be judged anew, by the wall clock.
    var changes = OrderedChunks<Appointment>()
    /// Which campaign's cap on the device opens when, by the scheduler's own clock.
    var capped = OrderedChunks<Appointment>()
    /// Campaigns that were changed since the last decision; at the next they are judged anew, by its clock.
    var changed: [Int] = []
    /// Whether all are, and lanes and appointments made from the start.
    var isStale = true
    /// Whether a slot came since the last decision, in which nothing is capped.
    var hasNewSlot = false

    var screens = Screens()
    var decisions = DecisionLog()
    /// What was remembered of campaigns that have not come yet.
    var awaited: [CampaignID: CampaignMemory] = [:]
    var awaitedImpressions: [CampaignID: [CapHistory.Stamp]] = [:]

    /// What was learned of past traffic.
    public internal(set) var profile: TrafficProfile
    var traffic: TrafficCount
    var weights: [Int]
    var curves: [WeekPattern: PacingCurve] = [:]

    /// A moment at which one campaign is looked at.
    struct Appointment: Comparable, Sendable {
        var time: Int64
        var place: Int

        static func < (left: Appointment, right: Appointment) -> Bool {
            (left.time, left.place) < (right.time, right.place)
        }
    }

    /// What has changed since `takeChanges`.
    var touched = Touched()

    /// The keys of what has changed.
    struct Touched: Sendable {
        var campaigns: Set<CampaignID> = []
        var slots: Set<String> = []
        var decisions: Set<DecisionID> = []
        var lanes: Set<LaneKey> = []

        struct LaneKey: Hashable, Sendable {
            var size: CreativeSize
            var tier: Int
        }
    }

    /// Creates a scheduler without campaigns; they come by `load` or `upsert`, and find what is remembered of
    /// them.
    ///
    /// - Parameters:
    ///   - memory: what an earlier one remembered.
    ///   - boot: the identifier of this boot (`/proc/sys/kernel/random/boot_id`); while it is the same, the
    ///     steady clock alone says how much time has passed.
    ///   - moment: now.
    public init(
        settings: SchedulerSettings = SchedulerSettings(), memory: SchedulerMemory = SchedulerMemory(),
        boot: String = "", at moment: Moment
    ) {
        self.settings = settings
        let latest = memory.impressions.lazy.map(\.ownMilliseconds).max() ?? 0
        clock = SchedulerClock(memory.clock, latest: latest, boot: boot, at: moment)
        profile = memory.profile
        traffic = memory.traffic
        weights = memory.profile.weights
        restore(memory)
    }

    /// The identifiers of all campaigns, in order.
    public var campaigns: [CampaignID] { places.keys.sorted() }

    /// The slots that it knows, in order.
    public var slots: [String] { screens.slots.keys.sorted() }

    /// A campaign as it was given.
    public subscript(id: CampaignID) -> Campaign? {
        places[id].flatMap { states[$0]?.campaign }
    }

    /// How many impressions of a campaign were decided and not withdrawn.
    public func delivered(_ id: CampaignID) -> Int {
        places[id].flatMap { states[$0]?.delivered } ?? 0
    }

    /// How many impressions a guaranteed campaign should have had by a moment; nil for any other.
    public func target(_ id: CampaignID, at time: WallTime) -> Int? {
        guard let place = places[id], let plan = plan(place) else { return nil }
        return plan.target(at: settings.zone.local(at: time))
    }

    /// Judges by other settings from now on.
    public mutating func reconfigure(_ settings: SchedulerSettings) {
        self.settings = settings
        isStale = true
    }
}
