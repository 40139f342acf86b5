import Reachability

/// One piece of registered work.
struct WorkItem: Sendable {
    /// How far it has come.
    enum State: Hashable, Sendable {
        /// It runs. Moves to: pausing (an action begins).
        case running
        /// Told to pause and awaited until `until`. Moves to: paused (acknowledged), overdue (no answer),
        /// running (veto, resumed).
        case pausing(since: Instant, until: Instant)
        /// Told to pause, did not answer in time, and no longer awaited. Moves to: paused (a late
        /// acknowledgement), running (late veto, resumed).
        case overdue(since: Instant)
        /// It stands still. Moves to: running (resumed).
        case paused
    }

    let id: WorkID
    let name: String
    let kind: WorkKind
    let mayVeto: Bool
    var state = State.running
    /// The token of the last instruction; 0 before the first.
    var token = 0
    var pauses = 0
    var unanswered = 0
    var lastPause: Duration?
    /// A snapshot from before this event has been taken.
    var isTouched = false

    init(id: WorkID, name: String, kind: WorkKind, mayVeto: Bool) {
        self.id = id
        self.name = name
        self.kind = kind
        self.mayVeto = mayVeto
    }

    mutating func instruct(
        _ kind: Instruction.Kind, action: ActionID?, reason: String, _ turn: inout Turn
    ) {
        token += 1
        let instruction = Instruction(kind: kind, token: token, action: action, reason: reason)
        turn.effects.append(.instruct(id, instruction))
    }

    func snapshot(actions: [ActionID]) -> WorkSnapshot {
        let (shown, isHeld): (WorkState, Bool) =
            switch state {
            case .running: (.running, false)
            case .pausing, .overdue: (.pausing, true)
            case .paused: (.paused, true)
            }
        return WorkSnapshot(
            id: id, name: name, kind: kind, mayVeto: mayVeto, state: shown, actions: isHeld ? actions : [],
            pauses: pauses, unanswered: unanswered, lastPause: lastPause)
    }
}
