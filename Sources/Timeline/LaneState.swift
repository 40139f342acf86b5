/// What a lane shows at a moment. The last of each kind stands out the most: where there is room for one
/// alone, it is shown.
enum LaneState: Int, CaseIterable, Comparable, Sendable {
    /// Nobody knows: the daemon did not run.
    case unknown

    // The network.
    case ethernet, wifi, other, cellular
    /// A path, but no internet: a captive portal, or one that must be dialled first.
    case barred
    case none

    // A slot.
    case detached, waiting, hidden, loading, shown, acting

    // A piece of work.
    case absent, running, pausing, paused

    /// What stands out less comes first.
    static func < (left: LaneState, right: LaneState) -> Bool { left.rawValue < right.rawValue }

    /// The network's, by the path and whether the internet can be reached.
    static func network(_ path: String?, isReachable: Bool?) -> LaneState {
        guard let path, path != "none" else { return .none }
        guard isReachable ?? false else { return .barred }
        return ["ethernet": .ethernet, "wifi": .wifi, "cellular": .cellular][path] ?? .other
    }

    /// A slot's, by its word; a slot that is gone has no host.
    static func slot(_ word: String?) -> LaneState {
        guard let word else { return .detached }
        let known: [String: LaneState] = [
            "detached": .detached, "waiting": .waiting, "hidden": .hidden, "loading": .loading,
            "shown": .shown, "acting": .acting,
        ]
        return known[word] ?? .unknown
    }

    /// A piece of work's, by its word.
    static func work(_ word: String?) -> LaneState {
        guard let word else { return .absent }
        return ["running": .running, "pausing": .pausing, "paused": .paused][word] ?? .unknown
    }

    /// What people read.
    var text: String {
        switch self {
        case .unknown: "not known, the daemon did not run"
        case .ethernet: "Ethernet"
        case .wifi: "Wi-Fi"
        case .cellular: "cellular"
        case .other: "other path"
        case .barred: "path without internet"
        case .none: "no network"
        case .detached: "no host"
        case .waiting: "waits for the network"
        case .hidden: "hidden"
        case .loading: "loading"
        case .shown: "shown"
        case .acting: "acting"
        case .absent: "not registered"
        case .running: "runs"
        case .pausing: "is being paused"
        case .paused: "paused"
        }
    }

    /// Whether it only leads from one state to another.
    var isPassing: Bool { self == .loading || self == .pausing }

    var isReachable: Bool {
        switch self {
        case .ethernet, .wifi, .other, .cellular: true
        case .unknown, .barred, .none, .detached, .waiting, .hidden, .loading, .shown, .acting, .absent,
            .running, .pausing, .paused:
            false
        }
    }
}

/// A time in one state.
struct Span: Hashable, Sendable {
    let state: LaneState
    /// In microseconds since the Unix epoch.
    let time: Range<Int64>

    var length: Int64 { time.upperBound - time.lowerBound }
}

/// What one thing did, from the beginning to where something can be known, without a gap.
struct Lane: Hashable, Sendable {
    let name: String
    private(set) var spans: [Span] = []
    private var state = LaneState.unknown
    private var since: Int64

    init(_ name: String, since: Int64) {
        (self.name, self.since) = (name, since)
    }

    /// It is in another state from now on.
    mutating func turn(_ state: LaneState, at time: Int64) {
        guard state != self.state else { return }
        close(at: time)
        self.state = state
    }

    /// Nothing is known after this.
    mutating func close(at time: Int64) {
        guard time > since else { return }
        if let last = spans.last, last.state == state {
            spans[spans.count - 1] = Span(state: state, time: last.time.lowerBound..<time)
        } else {
            spans.append(Span(state: state, time: since..<time))
        }
        since = time
    }

    /// How long it was in such states.
    func time(_ isMeant: (LaneState) -> Bool) -> Int64 {
        spans.reduce(0) { $0 + (isMeant($1.state) ? $1.length : 0) }
    }

    /// How often it came into such states.
    func count(_ isMeant: (LaneState) -> Bool) -> Int {
        spans.indices.count { isMeant(spans[$0].state) && ($0 == 0 || !isMeant(spans[$0 - 1].state)) }
    }
}
