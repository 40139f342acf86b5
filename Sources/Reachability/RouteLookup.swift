/// A question to the kernel's routing: where would a packet to this address go?
public struct RouteQuery: Hashable, Sendable {
    /// The address that the packet would go to. Nothing is sent there.
    public var destination: IPAddress

    /// Nil for the plain lookup, with every policy rule, VRF and table. Given: the matching route of that
    /// link, or, when it is a VRF, the route of its table (RTM_GETROUTE with the link and
    /// `RTM_F_FIB_MATCH`; without that flag the kernel invents one).
    public var outputLink: Int?

    /// The mark that the packet would carry (RTA_MARK), by which policy rules tell a tunnel's own packets
    /// from those that go into it; 0 for none.
    public var mark: UInt32

    /// Asks for the route to `destination`, of one link alone when `outputLink` is given.
    public init(destination: IPAddress, outputLink: Int? = nil, mark: UInt32 = 0) {
        self.destination = destination
        self.outputLink = outputLink
        self.mark = mark
    }
}

/// Where a tunnel sends what goes into it, wrapped.
public struct TunnelEnd: Hashable, Sendable {
    /// The host at the far end.
    public var address: IPAddress
    /// The mark on the tunnel's own packets, 0 for none.
    public var mark: UInt32

    /// A far end.
    public init(address: IPAddress, mark: UInt32 = 0) {
        self.address = address
        self.mark = mark
    }
}

/// Where a packet would go.
public enum RouteAnswer: Hashable, Sendable {
    /// Out of the link of this index; `metric` is the priority of the route, lower is preferred.
    case unicast(link: Int, metric: UInt32)
    /// Nowhere: an `unreachable`, `blackhole` or `prohibit` route says so.
    case rejected
    /// Back to this machine: the address is local.
    case loopback
    /// There is no route.
    case unroutable
}

/// Answers route lookups: the kernel in the daemon, a table in a simulation.
public protocol RouteLookup {
    /// Answers one query as things are now.
    mutating func answer(_ query: RouteQuery) -> RouteAnswer

    /// The far end that `tunnel` sends packets to `destination` to; nil when nobody tells. By default what
    /// the link itself says.
    mutating func farEnd(of tunnel: Link, for destination: IPAddress) -> TunnelEnd?
}

extension RouteLookup {
    /// What the link itself says.
    public mutating func farEnd(of tunnel: Link, for destination: IPAddress) -> TunnelEnd? {
        tunnel.remoteEndpoint.map { TunnelEnd(address: $0) }
    }
}
