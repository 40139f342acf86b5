/// A question to the kernel's routing: where would a packet to this address go?
public struct RouteQuery: Hashable, Sendable {
    /// The address that the packet would go to. Nothing is sent there.
    public var destination: IPAddress

    /// Nil for the plain lookup, with every policy rule, VRF and table. Given: the matching route of that
    /// link (RTM_GETROUTE with the link and `RTM_F_FIB_MATCH`; without that flag the kernel invents one).
    public var outputLink: Int?

    /// Asks for the route to `destination`, of one link alone when `outputLink` is given.
    public init(destination: IPAddress, outputLink: Int? = nil) {
        self.destination = destination
        self.outputLink = outputLink
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
}
