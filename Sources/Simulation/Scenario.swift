public import AdSlots
public import Reachability

/// What happens to a device, as a list of steps with their times.
public struct Scenario: Hashable, Sendable {
    /// The steps in the order of the file; their times never go back.
    public var steps: [Step]

    /// Creates a scenario; the times must not go back.
    public init(steps: [Step]) {
        self.steps = steps
    }

    /// One line of a scenario.
    public struct Step: Hashable, Sendable {
        /// When it happens.
        public var at: Instant
        /// The line of the file, from 1.
        public var line: Int
        /// What happens.
        public var action: Action

        /// Creates a step.
        public init(at: Instant, line: Int, action: Action) {
            self.at = at
            self.line = line
            self.action = action
        }
    }
}

/// What a step of a scenario does.
public enum Action: Hashable, Sendable {
    /// A setting of the configuration: the header of its section, its key, its value.
    case set(section: String, key: String, value: String)
    /// The kernel's side.
    case network(NetworkStep)
    /// The netlink socket lost messages.
    case overrun
    /// A host asks for a slot.
    case attach(slot: String, viewport: Size, visible: Bool, host: String?, label: String)
    /// The viewport of a slot's host changes.
    case viewport(slot: String, Size)
    /// A slot's host is covered or uncovered.
    case visible(slot: String, Bool)
    /// The connection of a slot's host closes.
    case detach(slot: String)
    /// From now on a source answers otherwise.
    case source(name: String, SourceChange)
    /// A person touches the banner of a slot.
    case begin(slot: String, label: String, leaves: Bool)
    /// The host says that an action is over.
    case finish(label: String)
    /// Work registers, or from now on answers otherwise.
    case work(name: String, kind: WorkKind, WorkManner)
    /// Work is gone.
    case unwork(name: String)
    /// The operator takes a slot from the screen, for a time or until told otherwise.
    case disable(slot: String, Duration?)
    /// The operator gives a slot back.
    case enable(slot: String)
    /// The system is short of memory.
    case pressure
    /// The daemon is killed and starts again.
    case crash
    /// Something is claimed about how things stand.
    case expect(Expectation)
}

/// What a step does to links, addresses and routes.
public enum NetworkStep: Hashable, Sendable {
    /// A link is new or changes.
    case link(name: String, LinkChange)
    /// A link goes, with its addresses and routes.
    case unlink(name: String)
    /// A link gets an address, or the address changes its state.
    case address(link: String, IPAddress, prefixLength: Int, AddressState?)
    /// A link loses an address.
    case unaddress(link: String, IPAddress, prefixLength: Int)
    /// A route is new; one with the same prefix, link and metric is replaced.
    case route(VirtualRoute)
    /// The route goes that matches what is named.
    case unroute(AddressPrefix, link: String?, metric: UInt32?)
}

/// What a `link` line names; what is nil stays as it was.
public struct LinkChange: Hashable, Sendable {
    /// The interface index; needed where the link is new.
    public var index: Int?
    /// The kind that the link is given.
    public var kind: LinkKind?
    /// Administratively up; a new link is down.
    public var isUp: Bool?
    /// Whether there is carrier; a new link has none.
    public var carrier: Bool?
    /// The operational state; a new link's is unknown.
    public var operationalState: OperationalState?
    /// The link comes up when there is traffic. Once said, it stays so.
    public var isOnDemand = false
    /// The link below: what a tunnel goes through, the port of a bridge.
    public var under: String?

    /// Creates a change of nothing.
    public init() {}
}

/// What duplicate address detection and lifetimes made of an address.
public enum AddressState: String, CaseIterable, Sendable {
    /// Detection still runs (RFC 4862).
    case tentative
    /// Somebody else has the address.
    case dadfailed
    /// Not for new connections when there is another.
    case deprecated
}

/// A route of a scenario.
public struct VirtualRoute: Hashable, Sendable {
    /// What a route does with what it matches.
    public enum Kind: String, CaseIterable, Sendable {
        /// Sends it out of a link.
        case unicast
        /// Drops it silently.
        case blackhole
        /// Drops it and tells the sender that there is no way.
        case unreachable
        /// Drops it and tells the sender that it is not allowed.
        case prohibit
    }

    /// What it matches.
    public var prefix: AddressPrefix
    /// The name of the link that it goes out of; set where the kind is `unicast`.
    public var link: String?
    /// The gateway. It changes nothing here.
    public var gateway: IPAddress?
    /// The lower is preferred among routes of one prefix.
    public var metric: UInt32
    /// What it does.
    public var kind: Kind

    /// Creates a route.
    public init(
        prefix: AddressPrefix, link: String?, gateway: IPAddress? = nil, metric: UInt32 = 0,
        kind: Kind = .unicast
    ) {
        self.prefix = prefix
        self.link = link
        self.gateway = gateway
        self.metric = metric
        self.kind = kind
    }
}

/// What a `source` line names; what is nil stays as it was.
public struct SourceChange: Hashable, Sendable {
    /// What it answers.
    public var behaviour: TestSource.Behaviour
    /// The time from a question to its answer.
    public var delay: Duration?
    /// How long after its arrival an advertisement may be seen.
    public var expires: Duration?
    /// The size to answer with in place of the one that was asked for.
    public var size: Size?

    /// Creates a change of the answer alone.
    public init(_ behaviour: TestSource.Behaviour) {
        self.behaviour = behaviour
    }
}

/// How a piece of work answers the instruction to pause.
public enum WorkManner: Hashable, Sendable {
    /// It stands still and acknowledges after a while.
    case acknowledges(after: Duration)
    /// It never answers, and goes on.
    case keepsSilent
    /// It refuses.
    case vetoes
}

/// What an `expect` line claims.
public enum Expectation: Hashable, Sendable {
    /// What is posted about the network; what is nil may be anything.
    case reachability(
        Transport, reachable: Bool?, connectionRequired: Bool?, reason: Reachability.Reason?)
    /// How many notifications there were since the first state.
    case notifications(Int)
    /// What a slot is doing; what is nil may be anything.
    case slot(name: String, SlotState, source: String?, reason: AdSlots.Reason?)
    /// An advertisement of that size is on the screen of the slot's host.
    case shown(slot: String, Size)
    /// Nothing is on the screen of the slot's host.
    case blank(slot: String)
    /// How far a piece of work has come.
    case work(name: String, ExpectedWork)
    /// How many questions a slot has put to its sources.
    case requests(slot: String, Int)
    /// How many impressions a slot has counted.
    case impressions(slot: String, Int)
    /// The action or the attachment was allowed.
    case allowed(label: String)
    /// The action or the attachment was refused, for that reason where one is given.
    case refused(label: String, reason: String?)
}

/// The states of work in the interface. A resume is not acknowledged, so that nothing is ever `resuming`.
public enum ExpectedWork: String, CaseIterable, Sendable {
    /// It runs.
    case running
    /// It was told to pause and has not acknowledged.
    case pausing
    /// It stands still.
    case paused
    /// It was told to go on and has not done so.
    case resuming
}
