internal import Campaigns
internal import Reachability

/// The slots for which there was no house ad, and what each waits for.
struct WaitingSlots {
    private enum State {
        /// Something may change at a time of the wall clock, if at all by itself.
        case waits(until: WallTime?, isSeparated: Bool)
        /// Something has changed, and the slot is to be told.
        case due
        /// It was told. When another source fails after that it is told again: it was not listening.
        case told
    }

    private var states: [String: State] = [:]
    /// Whether all are due already.
    private var areAllDue = false
    /// How many wait for a competitor to go.
    private var separated = 0
    /// When the first of them has to be told, or an earlier moment.
    private(set) var deadline: Instant?

    /// The slot has nothing, for now.
    /// - Parameters:
    ///   - isSeparated: whether a competitor on another screen stands against something.
    ///   - firesAt: the moment at which the wall clock shows `change`.
    mutating func add(_ slot: String, until change: WallTime?, isSeparated: Bool, firesAt: Instant?) {
        set(slot, .waits(until: change, isSeparated: isSeparated))
        if let firesAt { bring(forwardTo: firesAt) }
    }

    /// The same for a slot of which nothing is known yet.
    mutating func addUnasked(_ slot: String, until change: WallTime?, firesAt: Instant?) {
        guard states[slot] == nil else { return }
        add(slot, until: change, isSeparated: false, firesAt: firesAt)
    }

    /// The slot has an ad.
    mutating func remove(_ slot: String) { set(slot, nil) }

    /// Forgets all others.
    mutating func keep(_ slots: Set<String>) {
        for slot in states.keys where !slots.contains(slot) { set(slot, nil) }
    }

    private mutating func set(_ slot: String, _ state: State?) {
        if case .waits(_, true) = states[slot] { separated -= 1 }
        if case .waits(_, true) = state { separated += 1 }
        states[slot] = state
        areAllDue = false
    }

    private mutating func bring(forwardTo moment: Instant) {
        deadline = min(deadline ?? moment, moment)
    }

    /// Something has changed for all of them.
    mutating func changed(at now: Instant) {
        guard !areAllDue, !states.isEmpty else { return }
        for slot in states.keys { set(slot, .due) }
        areAllDue = true
        bring(forwardTo: now)
    }

    /// Something has left a screen, or came on it.
    mutating func screenChanged(_ screen: String, at now: Instant) {
        guard separated > 0 else { return }
        for case (let slot, .waits(_, true)) in states where slot != screen {
            set(slot, .due)
            bring(forwardTo: now)
        }
    }

    /// Another source has failed for the slot.
    mutating func otherFailed(_ slot: String, at now: Instant) {
        guard case .told = states[slot] else { return }
        set(slot, .due)
        bring(forwardTo: now)
    }

    /// Takes those that are to be told now, in order.
    mutating func takeDue(at now: HouseClock.Now) -> [String] {
        deadline = nil
        var due: [String] = []
        for (slot, state) in states {
            switch state {
            case .due: due.append(slot)
            case .waits(let change?, _):
                if change <= now.moment.wall {
                    due.append(slot)
                } else {
                    bring(forwardTo: now.instant(at: change))
                }
            case .waits(nil, _), .told: break
            }
        }
        for slot in due { set(slot, .told) }
        return due.sorted()
    }
}
