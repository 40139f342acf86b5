/// What became of a scenario.
public struct Outcome: Hashable, Sendable {
    /// A claim that did not hold, a step that could not be taken, or a breach.
    public struct Failure: Hashable, Sendable, CustomStringConvertible {
        /// The line of the step, or of the last one before a breach.
        public let line: Int
        /// `expected …, found …`, or the invariant and what was seen.
        public let message: String

        /// The line and the message.
        public var description: String { "\(line): \(message)" }
    }

    /// What did not hold, in the order of the file.
    public internal(set) var failures: [Failure] = []
    /// The first breach; it ends the run.
    public internal(set) var breach: Breach?
    /// How many events the coordinator took.
    public internal(set) var events = 0

    /// Whether everything held.
    public var isGood: Bool { failures.isEmpty }
}

/// A step that could not be taken, or a claim that does not hold.
struct StepFailure: Error {
    let expected: String
    let found: String

    var message: String { "expected \(expected), found \(found)" }
}
