import Reachability

/// What is on screen, and what leaves it.
extension Hosting {
    /// Counts the ad on screen when it has been in view for long enough without a break.
    ///
    /// While an action runs it covers the banner, so that time does not count; the time in which work is
    /// being paused does, as far as the host says visible. A late timer never counts time in which the ad
    /// had expired.
    mutating func countImpression(_ record: inout SlotRecord, _ turn: inout Turn) {
        switch banner {
        case .none, .made, .empty, .covered, .held(_, _, .running):
            break
        case .shown(let view, var showing):
            guard count(&showing, &record, &turn) else { return }
            banner = .shown(view, showing)
        case .held(let view, var showing, .pausing(let action)):
            guard visible, count(&showing, &record, &turn) else { return }
            banner = .held(view, showing, .pausing(action))
        }
    }

    private func count(_ showing: inout Showing, _ record: inout SlotRecord, _ turn: inout Turn) -> Bool {
        let seenUntil = min(turn.now, showing.ad.creative.expires ?? turn.now)
        guard !showing.ad.isCounted, seenUntil - showing.inViewSince >= record.settings.minimumView
        else { return false }
        showing.ad.isCounted = true
        record.impressions += 1
        record.note(.counted, turn)
        turn.effects.append(
            .impression(
                Impression(
                    slot: record.settings.name, host: host, hostName: name, creative: showing.ad.creative,
                    start: showing.inViewSince, visible: seenUntil - showing.inViewSince)))
        return true
    }

    /// Says how long the ad was in view that now leaves the screen. Of an ad that leaves under an action, or
    /// of a host that is not visible, the last view has ended before.
    mutating func leaveScreen(
        _ showing: Showing, isInView: Bool, _ record: SlotRecord, _ turn: inout Turn
    ) -> Ad {
        var showing = showing
        if isInView { showing.endView(at: turn.now) }
        turn.effects.append(
            .leftScreen(
                ScreenTime(
                    slot: record.settings.name, creative: showing.ad.creative, visible: showing.ad.inView,
                    isCounted: showing.ad.isCounted)))
        return showing.ad
    }

    /// Gives an advertisement another end: one on screen, one that is covered, or one that waits for the end
    /// of an action. `settle` then does what follows.
    mutating func setExpiry(_ expires: Instant?, of request: RequestID) {
        if case .arrived(var ad) = fetch, ad.creative.request == request {
            ad.creative.expires = expires
            fetch = .arrived(ad)
        }
        switch banner {
        case .none, .made, .empty:
            break
        case .shown(let view, var showing) where showing.ad.creative.request == request:
            showing.ad.creative.expires = expires
            banner = .shown(view, showing)
        case .held(let view, var showing, let hold) where showing.ad.creative.request == request:
            showing.ad.creative.expires = expires
            banner = .held(view, showing, hold)
        case .covered(let view, var ad, let left) where ad.creative.request == request:
            ad.creative.expires = expires
            banner = .covered(view, ad, refreshLeft: left)
        case .shown, .held, .covered:
            break
        }
    }

    /// Takes from the screen what may not be there, and gives the banner its right place. Under an action
    /// nothing changes.
    mutating func settleScreen(_ record: inout SlotRecord, _ turn: inout Turn) {
        switch banner {
        case .none, .held: break
        case .made(let view): settleMade(view, &record, &turn)
        case .empty(let view): settleEmpty(view, &record, &turn)
        case .shown(let view, let showing): settleShown(view, showing, &record, &turn)
        case .covered(let view, let ad, let left): settleCovered(view, ad, left, &record, &turn)
        }
    }

    private mutating func settleMade(_ view: View, _ record: inout SlotRecord, _ turn: inout Turn) {
        if let reason = endOfEmptyView(record, turn) {
            release(hide(view, reason, &record, &turn), reason, &record, &turn)
            return
        }
        guard visible else {
            banner = .empty(hide(view, .notVisible, &record, &turn))
            return
        }
        banner = .made(parked(view, size: chosenSize(record) ?? view.size, &record, &turn))
    }

    private mutating func settleEmpty(_ view: View, _ record: inout SlotRecord, _ turn: inout Turn) {
        if let reason = endOfEmptyView(record, turn) {
            release(view, reason, &record, &turn)
            return
        }
        banner = .empty(parked(view, size: chosenSize(record) ?? view.size, &record, &turn))
    }

    private mutating func settleShown(
        _ view: View, _ showing: Showing, _ record: inout SlotRecord, _ turn: inout Turn
    ) {
        let creative = showing.ad.creative
        let frames = Layout.shown(creative.size, in: viewport, at: record.settings.placement)
        if let reason = end(of: showing.ad, record, turn) {
            let hidden = hide(view, reason, &record, &turn)
            _ = leaveScreen(showing, isInView: visible, record, &turn)
            release(hidden, reason, &record, &turn)
        } else if creative.isExpired(at: turn.now) {
            banner = .empty(hide(view, .expired, &record, &turn))
            _ = leaveScreen(showing, isInView: visible, record, &turn)
        } else if !visible || !creative.size.fits(inside: viewport) {
            let left = max(.zero, showing.refreshAt - turn.now)
            let reason: Reason = visible ? .viewport : .notVisible
            let hidden = hide(view, reason, &record, &turn)
            let ad = leaveScreen(showing, isInView: visible, record, &turn)
            banner = .covered(hidden, ad, refreshLeft: left)
        } else if frames != view.frames {
            banner = .shown(resize(view, to: frames, &record, &turn), showing)
        }
    }

    private mutating func settleCovered(
        _ view: View, _ ad: Ad, _ left: Duration, _ record: inout SlotRecord, _ turn: inout Turn
    ) {
        if let reason = end(of: ad, record, turn) {
            release(view, reason, &record, &turn)
        } else if ad.creative.isExpired(at: turn.now) {
            record.note(.expiredUnseen, turn)
            banner = .empty(view)
            settleEmpty(view, &record, &turn)
        } else if visible, ad.creative.size.fits(inside: viewport) {
            show(ad, in: view, refreshAt: turn.now + left, reason: .visible, &record, &turn)
        } else {
            banner = .covered(parked(view, size: view.size, &record, &turn), ad, refreshLeft: left)
        }
    }

    /// What takes the ad and its view away: the operator, or the posted state of the network.
    private func end(of ad: Ad, _ record: SlotRecord, _ turn: Turn) -> Reason? {
        if record.enablement.isDisabled { return .disabled }
        let isFromNetwork = ad.creative.isFromNetwork
        return record.settings.maySee(networkAd: isFromNetwork, reachable: turn.reachable)
            ? nil : .unreachable
    }

    /// What takes a view without an ad away. Without the network it stays only where a local source can fill
    /// it.
    private func endOfEmptyView(_ record: SlotRecord, _ turn: Turn) -> Reason? {
        if record.enablement.isDisabled { return .disabled }
        return turn.reachable || record.settings.hasUsableSource(reachable: false) ? nil : .unreachable
    }
}
