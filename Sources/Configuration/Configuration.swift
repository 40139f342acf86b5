public import AdSlots
public import Campaigns
public import OpenRTB
public import Reachability

/// Where a slot's ads come from, as a `[Source NAME]` section says it.
public struct SourceSettings: Hashable, Sendable {
    /// The kinds of source.
    public enum Kind: String, CaseIterable, Sendable {
        /// Test advertisements that the daemon makes itself.
        case test
        /// House ads kept on the device.
        case house
        /// A demand partner that is asked over the network.
        case openrtb

        /// Whether its ads need the network.
        public var isNetwork: Bool {
            switch self {
            case .test, .openrtb: true
            case .house: false
            }
        }
    }

    /// The name that `Sources=` refers to.
    public var name: String
    /// What kind of source it is.
    public var kind: Kind
    /// How a source of kind `test` answers.
    public var test: TestSource
    /// What is agreed with the exchange behind a source of kind `openrtb`.
    public var demand = DemandSettings()
    /// When such a source is left alone.
    public var breaker = CircuitBreaker.Settings()

    /// Creates a source with the defaults of its kind.
    public init(name: String, kind: Kind = .test, test: TestSource = TestSource()) {
        self.name = name
        self.kind = kind
        self.test = test
    }
}

/// Everything that the configuration files decide.
public struct Configuration: Equatable, Sendable {
    /// Holds, damping, lookups and link rules.
    public var reachability = ReachabilitySettings()
    /// Slots and actions.
    public var coordinator: CoordinatorSettings
    /// The sources, in the order of their sections.
    public var sources: [SourceSettings]
    /// The group whose members may host slots and register work.
    public var hostGroup = "adslotd"
    /// The group whose members may have anything paused, other users' processes too, nil for none.
    public var pauseGroup: String?
    /// How much of the past the ledger keeps.
    public var ledger = LedgerSettings()
    /// How much is fetched for creatives, and kept.
    public var creatives = CreativesSettings()
    /// By which clock house campaigns are scheduled, and how.
    public var schedule = ScheduleSettings()

    /// The configuration without any file: one slot `banner`, one source `test`.
    public init() {
        self = ConfigurationBuilder().configurationWithoutChecks()
    }

    init(
        reachability: ReachabilitySettings, coordinator: CoordinatorSettings, sources: [SourceSettings],
        hostGroup: String, pauseGroup: String?, ledger: LedgerSettings, creatives: CreativesSettings,
        schedule: ScheduleSettings
    ) {
        self.reachability = reachability
        self.coordinator = coordinator
        self.sources = sources
        self.hostGroup = hostGroup
        self.pauseGroup = pauseGroup
        self.ledger = ledger
        self.creatives = creatives
        self.schedule = schedule
    }
}

/// How much is fetched for creatives that name an address, as the `[Creatives]` section says it.
public struct CreativesSettings: Hashable, Sendable {
    /// How many bytes all fetched files may have.
    public var sizeMaxBytes: Int64 = 256 << 20
    /// How many bytes a day may be fetched over paths that cost money.
    public var meteredBudgetBytes: Int64 = 10 << 20

    /// Creates the defaults.
    public init() {}
}

/// How house campaigns are scheduled, as the `[Schedule]` section says it.
public struct ScheduleSettings: Hashable, Sendable {
    /// When the wall clock may decide about dates and hours.
    public enum ClockPolicy: String, CaseIterable, Sendable {
        /// While the kernel says that somebody keeps it synchronised.
        case synchronised
        /// Always: somebody else vouches for it. One that stands before the program was built is wrong all
        /// the same.
        case always
    }

    /// The zone of dayparts and hours by its name in the database of time zones, nil for the system's own.
    public var timeZone: String?
    /// When a slot may have the same advertiser or category twice in a row.
    public var repeats = SchedulerSettings.RepeatPolicy.whenAlone
    /// When the wall clock may decide.
    public var trustClock = ClockPolicy.synchronised
    /// The rules of the zone, which whoever reads the configuration takes from the system's database.
    public var zone = TimeZoneRules.utc

    /// Creates the defaults.
    public init() {}
}

/// How much of the past the ledger keeps, as the `[Ledger]` section says it.
public struct LedgerSettings: Hashable, Sendable {
    /// How many days old rows may get.
    public var retainDays = 90
    /// How many bytes of the file may be in use.
    public var sizeMaxBytes: Int64 = 256 << 20

    /// Creates the defaults.
    public init() {}
}

/// Why a section, key or value is refused, in a sentence for the person who wrote it.
public struct ConfigurationFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// The sentence.
    public let description: String

    init(_ description: String) {
        self.description = description
    }
}
