/// Over what kind of network ad traffic would go.
public enum Transport: String, Sendable, Hashable, CaseIterable {
    /// Nothing usable.
    case none
    /// IEEE 802.11.
    case wifi
    /// A mobile network.
    case cellular
    /// Ethernet.
    case ethernet
    /// A usable link of another kind.
    case other
}

/// Why a judgement is what it is. The cases stand in the order in which a path is checked: a later one means
/// that the path got further.
public enum Reason: String, Sendable, Hashable, CaseIterable {
    /// Only loopback exists.
    case noLink
    /// The target is a host whose name has no address, or nobody could say which: no route can be looked up.
    case unresolved
    /// There is no route.
    case noRoute
    /// The route says that there is no way: `unreachable`, `blackhole`, `prohibit`, loopback.
    case rejectRoute
    /// The route ends at a link that is administratively down or not there.
    case linkDown
    /// The link has no carrier.
    case noCarrier
    /// The link is a tunnel, and the path under it reaches nothing.
    case uplinkDown
    /// The link owns no address for traffic to the internet.
    case noAddress
    /// The only addresses are still being checked for duplicates.
    case addressTentative
    /// The link waits for a connection or a login.
    case dormant
    /// The link comes up when there is traffic.
    case onDemand
    /// A captive portal answers in the place of the internet.
    case captivePortal
    /// Nothing is wrong.
    case usable

    /// How far a path got, comparable between paths. `dormant` and `onDemand` are equally far.
    var progress: Int {
        switch self {
        case .noLink: return 0
        case .unresolved: return 1
        case .noRoute: return 2
        case .rejectRoute: return 3
        case .linkDown: return 4
        case .noCarrier: return 5
        case .uplinkDown: return 6
        case .noAddress: return 7
        case .addressTentative: return 8
        case .dormant, .onDemand: return 9
        case .captivePortal: return 10
        case .usable: return 11
        }
    }
}

/// What ad traffic would use now, and why: the answer of the rule to one network as it stands.
public struct Judgement: Equatable, Sendable {
    /// The transport of the egress path.
    public var status: Transport
    /// A path exists, but must first be brought up.
    public var connectionRequired: Bool
    /// The path is metered.
    public var expensive: Bool
    /// There is a usable path for IPv4.
    public var ipv4: Bool
    /// There is a usable path for IPv6.
    public var ipv6: Bool
    /// The name of the egress link, under any tunnel; nil when there is none.
    public var interface: String?
    /// The index of the egress link; nil when there is none.
    public var interfaceIndex: Int?
    /// The name of the tunnel that the traffic enters first; nil when there is none.
    public var tunnel: String?
    /// Whether a captive portal stands in the way; nil where the check is off or has no answer for this path.
    public var captivePortal: Bool?
    /// Why.
    public var reason: Reason

    /// Creates a judgement; without arguments beyond the reason it is one of no path at all.
    public init(
        status: Transport = .none, connectionRequired: Bool = false, expensive: Bool = false,
        ipv4: Bool = false, ipv6: Bool = false, interface: String? = nil, interfaceIndex: Int? = nil,
        tunnel: String? = nil, captivePortal: Bool? = nil, reason: Reason
    ) {
        self.status = status
        self.connectionRequired = connectionRequired
        self.expensive = expensive
        self.ipv4 = ipv4
        self.ipv6 = ipv6
        self.interface = interface
        self.interfaceIndex = interfaceIndex
        self.tunnel = tunnel
        self.captivePortal = captivePortal
        self.reason = reason
    }

    /// Whether traffic can go out now, without a connection or a login to be made first.
    public var reachable: Bool { status != .none && !connectionRequired && captivePortal != true }

    /// Whether a change between the two makes no notification: they differ in details at most.
    public func hasSameHeadline(as other: Judgement) -> Bool {
        status == other.status && reachable == other.reachable
            && connectionRequired == other.connectionRequired && expensive == other.expensive
    }
}
