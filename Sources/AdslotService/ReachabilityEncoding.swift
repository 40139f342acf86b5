internal import LinuxSupport
internal import Reachability
internal import Varlink

/// A posted state as the wire shows it, with the wall clock's time of its beginning.
struct PublishedReachability {
    let state: ReachabilityState
    /// When the state was posted, by the wall clock as it is now, in microseconds since the Unix epoch.
    let since: Int64

    init(state: ReachabilityState, wallClock: WallClock) {
        self.state = state
        since = wallClock.microseconds(at: state.since)
    }

    /// Writes the members of an org.adslotd.Reachability.Reachability.
    func write(to writer: inout JSONWriter) {
        writer.member("status", state.status.rawValue)
        writer.member("reachable", state.reachable)
        writer.member("connectionRequired", state.connectionRequired)
        writer.member("expensive", state.expensive)
        writer.member("ipv4", state.ipv4)
        writer.member("ipv6", state.ipv6)
        writer.member("interface", state.interface)
        writer.member("tunnel", state.tunnel)
        writer.member("captivePortal", state.captivePortal)
        writer.member("reason", state.reason.rawValue)
        writer.member("held", state.held)
        writer.member("sequence", state.sequence)
        writer.member("since", since)
    }

    /// The reply of Get and of Monitor.
    func reply(continues: Bool) -> EncodedReply {
        EncodedReply(continues: continues) { writer in
            writer.key("reachability")
            writer.object(write)
        }
    }

    /// The state in a person's words.
    var text: String { state.text }
}

/// A link with what the rule makes of it.
struct PublishedLink {
    let link: Link
    let classification: Classification
    let isMetered: Bool
    let addresses: [LinkAddress]
    let isEgress: Bool

    /// Writes the members of an org.adslotd.Reachability.Link.
    func write(to writer: inout JSONWriter) {
        writer.member("index", link.index)
        writer.member("name", link.name)
        writer.member("kind", classification.kind.rawValue)
        writer.member("evidence", classification.evidence)
        writer.member("administrativelyUp", link.administrativelyUp)
        writer.member("carrier", link.carrier)
        writer.member("operationalState", link.operationalState.name)
        writer.member("dormant", link.isDormant)
        writer.member("metered", isMetered)
        writer.key("addresses")
        writer.array { writer in
            for address in addresses { writer.value("\(address.address)/\(address.prefixLength)") }
        }
        writer.member("egress", isEgress)
    }
}
