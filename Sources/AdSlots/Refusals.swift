/// Why a host did not get a slot.
public enum AttachRefusal: Hashable, Sendable {
    /// There is no slot of that name; `known` are the names that there are, in the configuration's order.
    case unknownSlot(slot: String, known: [String])
    /// Another host has it; `host` is that host's name, where it gave one.
    case slotTaken(slot: String, host: String?)
    /// The viewport is out of bounds.
    case invalidViewport(Size, message: String)
}

/// Why a change of a host's screen was not taken.
public enum UpdateRefusal: Hashable, Sendable {
    /// The viewport is out of bounds; nothing has changed.
    case invalidViewport(Size, message: String)
    /// This host has no slot.
    case notAttached
}

/// Why an action must not run.
public enum BeginRefusal: Hashable, Sendable {
    /// That banner is not on screen.
    case notShown
    /// The advertisement needs the network, and there is no usable path.
    case unreachable
    /// The advertisement expired before the work had paused.
    case expired
    /// An action of this slot is already beginning or running.
    case acting
    /// The operator has disabled the slot.
    case disabled
    /// A piece of work refused to pause.
    case vetoed(work: String, reason: String)
    /// The host left before the answer.
    case hostLeft
    /// The slot was taken out of the configuration before the answer.
    case slotRemoved
    /// The daemon stops.
    case shutdown

    /// The reason as one word, for the wire.
    public var word: String {
        switch self {
        case .notShown: "notShown"
        case .unreachable: "unreachable"
        case .expired: "expired"
        case .acting: "acting"
        case .disabled: "disabled"
        case .vetoed: "vetoed"
        case .hostLeft: "hostLeft"
        case .slotRemoved: "slotRemoved"
        case .shutdown: "shutdown"
        }
    }
}

/// The answer to a begun action.
public enum BeginAnswer: Hashable, Sendable {
    /// The action runs: all work stands still, or did not answer in time.
    case allowed(ActionID)
    /// The host must not run the action.
    case refused(BeginRefusal)
}

/// How an action ended.
public enum ActionEnd: String, CaseIterable, Sendable {
    /// The host said so.
    case finished
    /// The host left.
    case hostLeft
    /// It lasted for `ActionTimeout=`.
    case timedOut
    /// The operator disabled the slot.
    case disabled
    /// The slot was taken out of the configuration.
    case slotRemoved
    /// The daemon stops.
    case shutdown
}

/// Why a piece of work was not registered.
public enum RegisterRefusal: Hashable, Sendable {
    /// Registered work has this name already.
    case nameTaken(String)
    /// The name is empty or too long.
    case invalidName(message: String)
    /// As much work is registered as there may be.
    case tooMany(max: Int)
}

/// Why an acknowledgement or a veto was not taken.
public enum TokenRefusal: Hashable, Sendable {
    /// No instruction had this token.
    case unknownToken
    /// This registration is unknown.
    case unknownWork
    /// The work registered without the right to veto.
    case mayNotVeto
}

/// Why a host that is still connected loses its slot.
public enum HostDrop: String, CaseIterable, Sendable {
    /// The slot was taken out of the configuration.
    case slotRemoved
    /// The daemon stops.
    case shutdown
}
