public import Reachability

/// The operator's switch of a slot. It outlives hosts, reloads and restarts.
public enum Enablement: Hashable, Sendable {
    /// The slot works. Moves to: disabled (the operator says so).
    case enabled
    /// The slot holds no banner and asks no source. A host may stay or attach, and waits. Moves to: enabled
    /// (the operator says so, or the moment has come; without a moment it lasts until the operator says so).
    case disabled(until: Instant?)

    /// Whether the operator has taken the slot from the screen.
    public var isDisabled: Bool {
        switch self {
        case .enabled: false
        case .disabled: true
        }
    }

    /// When the slot is enabled by itself, `nil` when it is not disabled or nothing but the operator ends it.
    public var until: Instant? {
        switch self {
        case .enabled: nil
        case .disabled(let until): until
        }
    }
}

extension SlotRecord {
    /// Enables a slot whose time is over.
    mutating func endDisablement(_ turn: Turn) {
        guard let until = enablement.until, until <= turn.now else { return }
        enablement = .enabled
        note(.enabled(byOperator: false), turn)
    }
}
