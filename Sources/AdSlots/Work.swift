/// What kind of thing stands still while an action covers the screen.
///
/// The coordinator treats all kinds alike: it instructs and awaits the acknowledgement. For `client` the
/// program itself acknowledges, for the others whoever performs the effect does.
public enum WorkKind: String, CaseIterable, Sendable {
    /// A program that pauses itself when told.
    case client
    /// A process that is stopped and continued.
    case process
    /// A control group that is frozen and thawed.
    case cgroup
    /// A systemd unit that is frozen and thawed.
    case unit
}

/// How far a piece of work has come.
public enum WorkState: String, CaseIterable, Sendable {
    /// It runs.
    case running
    /// It was told to pause and has not acknowledged.
    case pausing
    /// It has acknowledged that it stands still.
    case paused
}

/// What a piece of work is told.
public struct Instruction: Hashable, Sendable {
    /// To stand still or to go on.
    public enum Kind: String, CaseIterable, Sendable {
        /// Stand still, then acknowledge.
        case pause
        /// Go on. It is not acknowledged.
        case resume
    }

    /// To stand still or to go on.
    public var kind: Kind
    /// The number to acknowledge with: 1 for a piece of work's first instruction, one more for each later.
    public var token: Int
    /// The action that asks for the pause, or whose end allows to go on.
    public var action: ActionID?
    /// Why, in a word.
    public var reason: String

    /// Creates an instruction.
    public init(kind: Kind, token: Int, action: ActionID?, reason: String) {
        self.kind = kind
        self.token = token
        self.action = action
        self.reason = reason
    }
}

/// A piece of work as queries show it.
public struct WorkSnapshot: Hashable, Sendable {
    /// The registration.
    public var id: WorkID
    /// Its name, unique among the work that is registered.
    public var name: String
    /// What kind of thing it is.
    public var kind: WorkKind
    /// Whether it may refuse to pause.
    public var mayVeto: Bool
    /// How far it has come.
    public var state: WorkState
    /// The actions that it stands still for, in the order in which they began; empty while it runs.
    public var actions: [ActionID]
    /// How many pauses it has acknowledged.
    public var pauses: Int
    /// How many times it did not answer within `PauseTimeout=`.
    public var unanswered: Int
    /// How long the last acknowledged pause took, from the instruction to the acknowledgement.
    public var lastPause: Duration?
}
