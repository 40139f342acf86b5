internal import LinuxSupport
internal import NetlinkWatcher
internal import Reachability
internal import Varlink

/// `replay`: what a record comes to, for people and as JSON.
struct ReplayView {
    private let replay: Replay
    private let style: Style

    init(_ replay: Replay, _ style: Style) {
        self.replay = replay
        self.style = style
    }

    /// Prints one line for each thing that the replay tells.
    func print(_ manner: OutputManner) throws(Failure) {
        var replay = replay
        if manner == .off {
            let taken = SystemClock.localText(replay.end.microseconds + replay.realtimeOffset)
            try Output.line(style.paint("\(replay.extent), taken at \(taken)", .faint))
        }
        while let step = replay.next() {
            if try !Output.json(json(step), manner) { try Output.line(line(step)) }
        }
    }

    /// `   4.218031  reachability  wifi over wl0 (IPv4), usable`.
    private func line(_ step: Replay.Step) -> String {
        let elapsed = max(0, (step.instant - replay.start).microseconds)
        let fraction = String(elapsed % 1_000_000)
        let time = "\(elapsed / 1_000_000)." + String(repeating: "0", count: 6 - fraction.count) + fraction
        let kind = kind(of: step.event)
        return style.paint(String(repeating: " ", count: max(0, 12 - time.count)) + time, .faint) + "  "
            + style.paint(kind, .bold) + String(repeating: " ", count: max(1, 14 - kind.count))
            + text(of: step.event)
    }

    /// The kinds of Manager.Monitor where it has one for the same thing.
    private func kind(of event: Replay.Event) -> String {
        switch event {
        case .change(.posted): "reachability"
        case .change(.detail): "link"
        case .lost, .resynchronised: "netlink"
        case .configured: "service"
        case .diverged: "replay"
        }
    }

    private func text(of event: Replay.Event) -> String {
        switch event {
        case .change(.posted(let state)), .change(.detail(let state)): state.text
        case .lost: "messages were lost"
        case .resynchronised(let links): "the kernel's lists were read: \(links) links"
        case .configured: "settings changed"
        case .diverged(.lookups(let count)):
            "the judgement here needs \(count) lookups that the daemon did not make; taken as no route"
        case .diverged(.state): "the daemon's own state was another one at this point"
        }
    }

    private func json(_ step: Replay.Step) -> JSONObject {
        [
            "kind": .string(kind(of: step.event)),
            "time": .integer(step.instant.microseconds + replay.realtimeOffset),
            "elapsed": .integer((step.instant - replay.start).microseconds),
            "text": .string(text(of: step.event)),
            "data": .object(data(of: step.event)),
        ]
    }

    private func data(of event: Replay.Event) -> JSONObject {
        switch event {
        case .change(.posted(let state)), .change(.detail(let state)): return members(of: state)
        case .lost: return ["event": "lost"]
        case .resynchronised(let links):
            return ["event": "resynchronised", "links": .integer(Int64(links))]
        case .configured: return ["event": "reloaded"]
        case .diverged(.lookups(let count)):
            return ["event": "unknownLookups", "count": .integer(Int64(count))]
        case .diverged(.state): return ["event": "otherState"]
        }
    }

    /// The members of an org.adslotd.Reachability.Reachability, as the daemon writes them.
    private func members(of state: ReachabilityState) -> JSONObject {
        [
            "status": .string(state.status.rawValue),
            "reachable": .bool(state.reachable),
            "connectionRequired": .bool(state.connectionRequired),
            "expensive": .bool(state.expensive),
            "ipv4": .bool(state.ipv4),
            "ipv6": .bool(state.ipv6),
            "interface": state.interface.map { .string($0) } ?? .null,
            "tunnel": state.tunnel.map { .string($0) } ?? .null,
            "captivePortal": state.captivePortal.map { .bool($0) } ?? .null,
            "reason": .string(state.reason.rawValue),
            "held": .bool(state.held),
            "sequence": .integer(Int64(state.sequence)),
            "since": .integer(state.since.microseconds + replay.realtimeOffset),
        ]
    }
}
