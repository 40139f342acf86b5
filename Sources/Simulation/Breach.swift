/// What must always hold, whatever happens.
public enum Invariant: Int, CaseIterable, Sendable {
    /// Commands come in order, with the frames of the layout, and only what is in view is shown.
    case commands = 0
    /// What is shown has a creative that has not expired, but under a running action.
    case blank = 1
    /// Nothing of a network source is on screen once a loss is posted, but under an action that runs.
    case unreachable = 2
    /// Work stands still only while an action runs or is beginning.
    case work = 3
    /// No command names a released banner, and every banner is released once its host leaves.
    case released = 4
    /// One host a slot, one live banner a slot, at most one being loaded.
    case single = 5
    /// Requests keep to the minimum interval and to the back-off.
    case spacing = 6
    /// An impression counts once a creative, and none for less than the minimum in view.
    case impressions = 7
    /// In the end a slot shows an ad, or waits for a retry that has a time.
    case progress = 8
}

/// An invariant that did not hold.
public struct Breach: Hashable, Sendable, CustomStringConvertible {
    /// Which one.
    public let invariant: Invariant
    /// What was seen.
    public let message: String

    /// Creates a breach.
    public init(_ invariant: Invariant, _ message: String) {
        self.invariant = invariant
        self.message = message
    }

    /// The invariant's number and what was seen.
    public var description: String { "invariant \(invariant.rawValue): \(message)" }
}
