import Reachability

/// Why a host no longer has its slot.
enum Departure {
    /// Its connection closed.
    case detached
    /// The slot was taken out of the configuration.
    case slotRemoved
    /// The daemon stops.
    case shutdown

    var reason: Reason {
        switch self {
        case .detached: .detached
        case .slotRemoved: .slotRemoved
        case .shutdown: .shutdown
        }
    }

    var refusal: BeginRefusal {
        switch self {
        case .detached: .hostLeft
        case .slotRemoved: .slotRemoved
        case .shutdown: .shutdown
        }
    }

    var actionEnd: ActionEnd {
        switch self {
        case .detached: .hostLeft
        case .slotRemoved: .slotRemoved
        case .shutdown: .shutdown
        }
    }

    /// What a host that is still there is told; `nil` when there is nobody to tell.
    var drop: HostDrop? {
        switch self {
        case .detached: nil
        case .slotRemoved: .slotRemoved
        case .shutdown: .shutdown
        }
    }
}

extension Hosting {
    /// Ends everything: the question under way is cancelled, the banner hidden (where a host is left to do
    /// it) and released.
    mutating func leave(_ departure: Departure, _ record: inout SlotRecord, _ turn: inout Turn) {
        cancelFetch(departure.reason, &record, &turn)
        switch banner {
        case .none:
            break
        case .empty(let view), .covered(let view, _, _):
            release(view, departure.reason, &record, &turn)
        case .made(let view):
            release(hidden(view, departure, &record, &turn), departure.reason, &record, &turn)
        case .shown(let view, let showing), .held(let view, let showing, _):
            let hidden = hidden(view, departure, &record, &turn)
            _ = leaveScreen(showing, isInView: visible, record, &turn)
            release(hidden, departure.reason, &record, &turn)
        }
        if let drop = departure.drop { turn.effects.append(.hostDropped(host, drop)) }
        record.note(.hostLeft(departure.reason), turn)
    }

    /// Takes a view from the screen of a host that is still there.
    private mutating func hidden(
        _ view: View, _ departure: Departure, _ record: inout SlotRecord, _ turn: inout Turn
    ) -> View {
        departure.drop == nil ? view : hide(view, departure.reason, &record, &turn)
    }

    /// Takes up settings that differ from the old ones; `settle` then does what follows for the screen.
    mutating func adopt(
        _ settings: SlotSettings, over old: SlotSettings, _ record: inout SlotRecord, _ turn: inout Turn
    ) {
        if settings.sources != old.sources { cancelFetch(.reload, &record, &turn) }
        let shift = settings.refreshInterval - old.refreshInterval
        switch banner {
        case .none, .made, .empty:
            break
        case .shown(let view, var showing):
            showing.refreshAt = showing.refreshAt + shift
            banner = .shown(view, showing)
        case .held(let view, var showing, let hold):
            showing.refreshAt = showing.refreshAt + shift
            banner = .held(view, showing, hold)
        case .covered(let view, let ad, let left):
            banner = .covered(view, ad, refreshLeft: max(.zero, left + shift))
        }
    }
}
