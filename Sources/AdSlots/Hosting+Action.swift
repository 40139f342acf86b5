import Reachability

/// What an action means for the slot that it began on.
extension Hosting {
    /// Why an action on `banner` must not begin, `nil` when it may.
    func refusal(banner id: BannerID, pathUsable: Bool) -> BeginRefusal? {
        switch banner {
        case .none, .made, .empty, .covered:
            return .notShown
        case .held(let view, _, _):
            return view.id == id ? .acting : .notShown
        case .shown(let view, let showing):
            guard view.id == id else { return .notShown }
            return showing.ad.creative.isFromNetwork && !pathUsable ? .unreachable : nil
        }
    }

    /// An action begins: the screen stands still.
    mutating func holdBanner(for action: ActionID) {
        guard case .shown(let view, let showing) = banner else { return }
        banner = .held(view, showing, .pausing(action))
    }

    /// The action is allowed: it covers the screen.
    mutating func coverBanner(for action: ActionID, at now: Instant) -> Creative? {
        guard case .held(let view, var showing, .pausing(action)) = banner else { return nil }
        if visible { showing.endView(at: now) }
        banner = .held(view, showing, .running(action))
        return showing.ad.creative
    }

    /// The action was refused or is over. After one that ran, the time in view begins anew.
    mutating func freeBanner(at now: Instant) {
        switch banner {
        case .none, .made, .empty, .shown, .covered:
            break
        case .held(let view, let showing, .pausing):
            banner = .shown(view, showing)
        case .held(let view, var showing, .running):
            showing.inViewSince = now
            banner = .shown(view, showing)
        }
    }

    /// The host came into view or went out of it: the time in view ends, or begins anew. While work is being
    /// paused `settle` changes nothing, so that it cannot be left to that.
    mutating func breakView(at now: Instant) {
        switch banner {
        case .none, .made, .empty, .covered, .held(_, _, .running):
            break
        case .shown(let view, var showing):
            breakView(&showing, at: now)
            banner = .shown(view, showing)
        case .held(let view, var showing, .pausing(let action)):
            breakView(&showing, at: now)
            banner = .held(view, showing, .pausing(action))
        }
    }

    private func breakView(_ showing: inout Showing, at now: Instant) {
        if visible { showing.inViewSince = now } else { showing.endView(at: now) }
    }

    /// The action whose pausing must be given up, with the reason: its ad may no longer be seen. An action
    /// that already runs goes on.
    func brokenBegin(_ record: SlotRecord, reachable: Bool, at now: Instant) -> (ActionID, BeginRefusal)? {
        guard case .held(_, let showing, .pausing(let action)) = banner else { return nil }
        let creative = showing.ad.creative
        if !record.settings.maySee(networkAd: creative.isFromNetwork, reachable: reachable) {
            return (action, .unreachable)
        }
        return creative.isExpired(at: now) ? (action, .expired) : nil
    }
}
