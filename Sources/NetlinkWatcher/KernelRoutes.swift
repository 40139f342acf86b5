internal import CNetlink
public import LinuxSupport
public import Reachability

/// The kernel's own route lookup (RTM_GETROUTE): policy rules, VRFs, nexthop objects and every table
/// included, nothing mirrored.
public struct KernelRoutes: RouteLookup {
    private let socket: QuerySocket
    private let wireGuard: WireGuardDevices?
    /// The last lookup that failed for another reason than a route that is not there; nil after a good one.
    public private(set) var failure: SystemError?

    /// Opens a socket for lookups.
    public init() throws(SystemError) {
        socket = try QuerySocket()
        wireGuard = nil
    }

    init(socket: QuerySocket, wireGuard: WireGuardDevices?) {
        self.socket = socket
        self.wireGuard = wireGuard
    }

    /// Asks the kernel; a lookup that fails for another reason than a missing route counts as no route and
    /// leaves its error in ``failure``.
    public mutating func answer(_ query: RouteQuery) -> RouteAnswer {
        do throws(SystemError) {
            let answer = try ask(query)
            failure = nil
            return answer
        } catch {
            failure = error
            return .unroutable
        }
    }

    /// What the link's own message says, or, of a WireGuard link, what the kernel says at this moment.
    public mutating func farEnd(of tunnel: Link, for destination: IPAddress) -> TunnelEnd? {
        if let address = tunnel.remoteEndpoint { return TunnelEnd(address: address) }
        guard tunnel.infoKind == "wireguard" else { return nil }
        return wireGuard?.farEnd(of: tunnel.index, for: destination)
    }

    private func ask(_ query: RouteQuery) throws(SystemError) -> RouteAnswer {
        let destination = query.destination.bytes
        let result = try unsafe socket.ask(type: RTM_GETROUTE) { message in
            var header = rtmsg()
            header.rtm_family = UInt8(query.destination.family == .ipv4 ? AF_INET : AF_INET6)
            header.rtm_dst_len = UInt8(destination.count * 8)
            // With a link given, only a route that is there counts: the plain lookup would make one up.
            header.rtm_flags = UInt32(query.outputLink == nil ? 0 : RTM_F_FIB_MATCH)
            guard unsafe nlmsg_append(message, &header, MemoryLayout<rtmsg>.size, Int32(NLMSG_ALIGNTO)) == 0,
                unsafe nla_put(message, Int32(RTA_DST.rawValue), Int32(destination.count), destination) == 0
            else { return false }
            if query.mark != 0,
                unsafe nla_put_u32(message, Int32(RTA_MARK.rawValue), query.mark) != 0
            {
                return false
            }
            guard let link = query.outputLink else { return true }
            return unsafe nla_put_u32(message, Int32(RTA_OIF.rawValue), UInt32(link)) == 0
        } _: { message in
            Self.read(message, for: query)
        }
        switch result {
        case .success(let answer): return answer
        // Of one link alone, the kernel says EHOSTUNREACH where there is no matching route too.
        case .failure(let refusal):
            return query.outputLink == nil ? Self.meaning(of: refusal.code) : .unroutable
        }
    }

    private static func read(_ message: RawMessage, for query: RouteQuery) -> RouteAnswer? {
        guard Int(message.type) == RTM_NEWROUTE, let header = message.fixedPart(as: rtmsg.self) else {
            return nil
        }
        switch Int(header.rtm_type) {
        case Int(RTN_UNICAST): break
        case Int(RTN_LOCAL), Int(RTN_BROADCAST), Int(RTN_ANYCAST), Int(RTN_MULTICAST): return .loopback
        case Int(RTN_BLACKHOLE), Int(RTN_UNREACHABLE), Int(RTN_PROHIBIT): return .rejected
        default: return .unroutable
        }
        // A route of several next hops, or of a nexthop object, names its links elsewhere; the question
        // already said which of them is meant.
        var link = query.outputLink
        var metric: UInt32 = 0
        message.forEachAttribute(after: rtmsg.self) { attribute in
            switch attribute.type {
            case Int(RTA_OIF.rawValue): link = attribute.linkIndex ?? link
            case Int(RTA_PRIORITY.rawValue): metric = attribute.word ?? metric
            default: break
            }
        }
        return link.map { .unicast(link: $0, metric: metric) }
    }

    /// What the kernel's refusal of a lookup says: it answers the error that traffic would meet
    /// (fib_props in net/ipv4/fib_semantics.c, ip6_rt_type_to_error in net/ipv6/route.c).
    private static func meaning(of code: Int32) -> RouteAnswer {
        switch code {
        case EHOSTUNREACH, EACCES, EINVAL: .rejected
        default: .unroutable
        }
    }
}
