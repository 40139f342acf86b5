import Reachability

/// A banner view of the host, and where the host was last told to put it.
struct View: Hashable, Sendable {
    let id: BannerID
    /// The size of its frame, in density-independent pixels.
    var size: Size
    var frames: Frames
}

/// An advertisement that a banner holds.
struct Ad: Hashable, Sendable {
    var creative: Creative
    /// Asked for without the network: it is replaced as soon as the network is back.
    let isFallback: Bool
    /// It has counted as an impression, and never does again.
    var isCounted = false
    /// How long it has been in view, without the view that goes on now.
    var inView = Duration.zero
}

/// An advertisement on screen.
struct Showing: Hashable, Sendable {
    var ad: Ad
    /// When a new one is to be asked for.
    var refreshAt: Instant
    /// Since when it has been in view without a break.
    var inViewSince: Instant

    /// Ends a view: its time is kept, and the next one begins now. An ad that has expired is not seen.
    mutating func endView(at now: Instant) {
        let seenUntil = min(now, ad.creative.expires ?? now)
        ad.inView += max(.zero, seenUntil - inViewSince)
        inViewSince = now
    }
}

/// How far the action over a banner has come.
enum Hold: Hashable, Sendable {
    /// Work is being paused; the host has no answer yet. Moves to: running (allowed), or the hold ends
    /// (refused).
    case pausing(ActionID)
    /// The action covers the screen. The hold ends with it.
    case running(ActionID)
}

/// What the host holds for a slot.
enum Banner: Hashable, Sendable {
    /// No view. Moves to: made (an attempt begins).
    case none
    /// A view off screen that waits for its first answer. Moves to: shown (fill), empty (failure, not
    /// visible), none (loss, host left).
    case made(View)
    /// A view off screen that was hidden and has no ad. Moves to: shown (fill), none (loss, host left).
    case empty(View)
    /// An ad is on screen. Moves to: held (a person touched it), covered (not visible, no longer fits),
    /// empty (expired), none (loss, host left).
    case shown(View, Showing)
    /// An ad is on screen and nothing may change there. Moves to: shown (the hold ends), none (host left).
    case held(View, Showing, Hold)
    /// A view off screen whose ad can be shown again. Moves to: shown (visible and fitting, fill), empty
    /// (expired), none (loss, host left).
    case covered(View, Ad, refreshLeft: Duration)

    /// The view, where there is one.
    var view: View? {
        switch self {
        case .none: nil
        case .made(let view), .empty(let view), .shown(let view, _), .held(let view, _, _),
            .covered(let view, _, _):
            view
        }
    }

    /// The advertisement on screen, where there is one.
    var onScreen: Ad? {
        switch self {
        case .shown(_, let showing), .held(_, let showing, _): showing.ad
        case .none, .made, .empty, .covered: nil
        }
    }

    /// The action that holds the banner, where there is one.
    var hold: Hold? {
        switch self {
        case .held(_, _, let hold): hold
        case .none, .made, .empty, .shown, .covered: nil
        }
    }
}
