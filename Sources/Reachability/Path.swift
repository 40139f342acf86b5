/// Where a path leaves the machine.
struct Egress: Equatable {
    /// The link that the packets leave by, under any tunnel.
    var link: Link
    /// The transport that the path counts as.
    var transport: Transport
    /// Any link of the path is metered.
    var expensive: Bool
    /// The name of the outermost tunnel of the path.
    var tunnel: String?
}

/// What became of following one route.
enum Path: Equatable {
    /// It leads nowhere.
    case none(Reason)
    /// It exists, but must first be brought up.
    case pending(Egress, Reason)
    /// Traffic can go out.
    case usable(Egress)

    /// Whether this path is to be preferred: reachable before not, a path before none, not expensive before
    /// expensive, and of paths that lead nowhere the one that got further.
    func isBetter(than other: Path) -> Bool {
        switch (self, other) {
        case (.usable(let mine), .usable(let theirs)), (.pending(let mine, _), .pending(let theirs, _)):
            return !mine.expensive && theirs.expensive
        case (.none(let mine), .none(let theirs)): return mine.progress > theirs.progress
        case (.usable, .pending), (.usable, .none), (.pending, .none): return true
        case (.pending, .usable), (.none, .usable), (.none, .pending): return false
        }
    }

    /// The egress with `change` applied, when there is one.
    func mapEgress(_ change: (inout Egress) -> Void) -> Path {
        switch self {
        case .none: return self
        case .pending(var egress, let reason):
            change(&egress)
            return .pending(egress, reason)
        case .usable(var egress):
            change(&egress)
            return .usable(egress)
        }
    }

    /// Whether traffic can go out.
    var isUsable: Bool {
        switch self {
        case .usable: return true
        case .none, .pending: return false
        }
    }

    /// Whether the path must first be brought up.
    var isPending: Bool {
        switch self {
        case .pending: return true
        case .none, .usable: return false
        }
    }

    /// The index of the link that the path leaves by, when it leaves at all.
    var egressIndex: Int? {
        switch self {
        case .none: return nil
        case .pending(let egress, _), .usable(let egress): return egress.link.index
        }
    }
}
