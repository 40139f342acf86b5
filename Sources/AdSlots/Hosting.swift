import Reachability

/// A slot in the hands of a host: the facts (viewport, visible), and what has been made of them (banner,
/// fetch).
///
/// Events change facts; ``settle(_:_:)`` then compares what is with what should be. So a fact that changed
/// twice within an action, or between two events, needs no rule of its own.
struct Hosting: Sendable {
    let host: HostID
    let name: String?
    var viewport: Size
    var visible: Bool
    var banner: Banner = .none
    var fetch: Fetch = .idle
    private var commands = 0

    init(host: HostID, name: String?, viewport: Size, visible: Bool) {
        self.host = host
        self.name = name
        self.viewport = viewport
        self.visible = visible
    }

    /// Makes the banner and the fetch what the facts ask for, in the order in which it must happen: what was
    /// earned counts, what is no longer wanted stops, what must leave the screen leaves, what is due begins.
    mutating func settle(_ record: inout SlotRecord, _ turn: inout Turn) {
        countImpression(&record, &turn)
        stopUnwanted(&record, &turn)
        showArrived(&record, &turn)
        settleScreen(&record, &turn)
        beginAttempt(&record, &turn)
        if case .asking(let attempt) = fetch, case .none = banner {
            // The old banner left with the network, while a local source is being asked.
            create(size: attempt.size, &record, &turn)
        }
    }

    /// The size to ask for in the present viewport.
    func chosenSize(_ record: SlotRecord) -> Size? {
        Layout.size(for: viewport, among: record.settings.sizes)
    }

    /// Sends a command and keeps count of it.
    mutating func command(
        _ kind: Command.Kind, _ view: View, creative: Creative? = nil, reason: Reason, _ turn: inout Turn
    ) {
        commands += 1
        let command = Command(
            kind: kind, banner: view.id, bannerFrame: view.frames.banner, contentFrame: view.frames.content,
            creative: creative, reason: reason, sequence: commands)
        turn.effects.append(.command(host, command))
    }

    /// The earliest moment at which something is due, `nil` when nothing is.
    func deadline(_ record: SlotRecord, reachable: Bool) -> Instant? {
        var earliest = screenDeadline(record)
        switch fetch {
        case .asking(let attempt): earliest = earlier(earliest, attempt.timeoutAt)
        case .idle: earliest = earlier(earliest, attemptDue(record, reachable: reachable))
        case .arrived: break
        }
        return earliest
    }

    /// When the ad on screen counts as an impression or expires, whichever comes first.
    private func screenDeadline(_ record: SlotRecord) -> Instant? {
        switch banner {
        case .none, .made, .empty, .covered, .held(_, _, .running):
            return nil
        case .shown(_, let showing), .held(_, let showing, .pausing):
            let mayCount = visible && !showing.ad.isCounted
            let counts = mayCount ? showing.inViewSince + record.settings.minimumView : nil
            return earlier(counts, showing.ad.creative.expires)
        }
    }
}

/// The earlier of two moments that may never come.
func earlier(_ left: Instant?, _ right: Instant?) -> Instant? {
    guard let left, let right else { return left ?? right }
    return min(left, right)
}
