/// Decides when a judgement is posted: holds for losses and gains, and damping.
///
/// Time is an argument. Timers may fire late, and a moment earlier than one already seen counts as that one.
struct Holds: Equatable, Sendable {
    /// Where posted and raw stand to each other. `since` is when the difference began.
    private enum Phase: Equatable {
        /// Nothing has been judged. Moves to: settled.
        case unjudged
        /// Raw is what is posted. Moves to: losing, gaining, shifting, settled (posted at once).
        case settled(ReachabilityState)
        /// Reachable is posted, and raw is not. Moves to: settled (back, run out, or reachable otherwise).
        case losing(ReachabilityState, raw: Judgement, since: Instant)
        /// Not reachable is posted, and raw is. Moves to: settled (back, or run out), shifting.
        case gaining(ReachabilityState, raw: Judgement, since: Instant)
        /// Not reachable is posted, and raw is not either, in another way. Moves to: settled, gaining.
        case shifting(ReachabilityState, raw: Judgement, since: Instant)
    }

    private var phase = Phase.unjudged
    private var damping: Damping
    private var lossHold: Duration
    private var gainHold: Duration
    private var now = Instant(microseconds: .min)

    /// Starts with nothing judged.
    init(settings: ReachabilitySettings) {
        lossHold = settings.lossHold
        gainHold = settings.gainHold
        damping = Damping(halfLife: settings.dampHalfLife, suppressionMax: settings.dampMax)
    }

    /// What is posted; nil before the first judgement.
    var posted: ReachabilityState? {
        switch phase {
        case .unjudged: return nil
        case .settled(let state), .losing(let state, _, _), .gaining(let state, _, _),
            .shifting(let state, _, _):
            return state
        }
    }

    /// When the running hold ends; nil when none runs.
    var deadline: Instant? {
        switch phase {
        case .unjudged, .settled: return nil
        case .losing(_, _, let since): return since + lossHold
        case .gaining(_, _, let since):
            let end = since + gainHold
            return damping.suppressionEnd.map { max($0, end) } ?? end
        case .shifting(_, _, let since): return since + gainHold
        }
    }

    /// Changes the settings. A running hold is measured anew from when it began; the caller asks for the
    /// deadline again.
    mutating func configure(_ settings: ReachabilitySettings) {
        lossHold = settings.lossHold
        gainHold = settings.gainHold
        damping.configure(halfLife: settings.dampHalfLife, suppressionMax: settings.dampMax)
    }

    /// Lets a hold run out that ends at `instant` or before.
    mutating func timerFired(at instant: Instant) -> [ReachabilityChange] {
        now = max(now, instant)
        guard let deadline, deadline <= now else { return [] }
        switch phase {
        case .unjudged, .settled: return []
        case .losing(let state, let raw, _), .gaining(let state, let raw, _),
            .shifting(let state, let raw, _):
            return [post(raw, after: state)]
        }
    }

    /// Takes in how the network is judged at `instant`. A hold that ends until then runs out first.
    mutating func judged(_ raw: Judgement, at instant: Instant) -> [ReachabilityChange] {
        let changes = timerFired(at: instant)
        guard let state = posted else {
            let first = ReachabilityState(judgement: raw, held: false, sequence: 1, since: now)
            phase = .settled(first)
            return [.posted(first)]
        }
        if raw.hasSameHeadline(as: state.judgement) { return changes + settle(raw, state) }
        switch (state.reachable, raw.reachable) {
        case (true, true): return changes + [post(raw, after: state)]
        case (true, false): return changes + lose(raw, state)
        case (false, true): return changes + gain(raw, state)
        case (false, false): return changes + shift(raw, state)
        }
    }

    /// Raw says what is posted, or has come back to it: details show at once.
    private mutating func settle(_ raw: Judgement, _ state: ReachabilityState) -> [ReachabilityChange] {
        var settled = state
        settled.judgement = raw
        settled.held = false
        phase = .settled(settled)
        return settled == state ? [] : [.detail(settled)]
    }

    private mutating func lose(_ raw: Judgement, _ state: ReachabilityState) -> [ReachabilityChange] {
        switch phase {
        case .losing(_, _, let since): phase = .losing(held(state), raw: raw, since: since)
        case .unjudged, .settled, .gaining, .shifting: phase = .losing(held(state), raw: raw, since: now)
        }
        return postOrHold(state)
    }

    private mutating func gain(_ raw: Judgement, _ state: ReachabilityState) -> [ReachabilityChange] {
        switch phase {
        case .gaining(_, _, let since): phase = .gaining(held(state), raw: raw, since: since)
        case .unjudged, .settled, .losing, .shifting: phase = .gaining(held(state), raw: raw, since: now)
        }
        return postOrHold(state)
    }

    private mutating func shift(_ raw: Judgement, _ state: ReachabilityState) -> [ReachabilityChange] {
        switch phase {
        case .shifting(_, let old, let since) where old.hasSameHeadline(as: raw):
            phase = .shifting(held(state), raw: raw, since: since)
        case .unjudged, .settled, .losing, .gaining, .shifting:
            phase = .shifting(held(state), raw: raw, since: now)
        }
        return postOrHold(state)
    }

    /// A hold that takes no time posts at once; another shows that it runs, once.
    private mutating func postOrHold(_ state: ReachabilityState) -> [ReachabilityChange] {
        let posted = timerFired(at: now)
        guard posted.isEmpty else { return posted }
        return state.held ? [] : [.detail(held(state))]
    }

    private func held(_ state: ReachabilityState) -> ReachabilityState {
        var state = state
        state.held = true
        return state
    }

    private mutating func post(_ raw: Judgement, after state: ReachabilityState) -> ReachabilityChange {
        if state.reachable && !raw.reachable { damping.recordLoss(at: now) }
        let next = ReachabilityState(judgement: raw, held: false, sequence: state.sequence + 1, since: now)
        phase = .settled(next)
        return .posted(next)
    }
}

// Written down, and begun again.
extension Holds {
    /// What must be known to go on from here later.
    var memory: ReachabilityMemory {
        let pending: ReachabilityMemory.Pending?
        switch phase {
        case .unjudged, .settled: pending = nil
        case .losing(_, let raw, let since), .gaining(_, let raw, let since),
            .shifting(_, let raw, let since):
            pending = ReachabilityMemory.Pending(raw: raw, since: since)
        }
        return ReachabilityMemory(
            posted: posted, pending: pending, penalty: damping.memory, latest: now)
    }

    /// Goes on from where a memory was taken, under the settings that were in force then.
    init(settings: ReachabilitySettings, memory: ReachabilityMemory) {
        self.init(settings: settings)
        now = memory.latest
        damping.remember(memory.penalty)
        guard let state = memory.posted else { return }
        guard let pending = memory.pending else {
            phase = .settled(state)
            return
        }
        switch (state.reachable, pending.raw.reachable) {
        // From reachable to reachable nothing ever waits.
        case (true, true): phase = .settled(state)
        case (true, false): phase = .losing(state, raw: pending.raw, since: pending.since)
        case (false, true): phase = .gaining(state, raw: pending.raw, since: pending.since)
        case (false, false): phase = .shifting(state, raw: pending.raw, since: pending.since)
        }
    }
}
