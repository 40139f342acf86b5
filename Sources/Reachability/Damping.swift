/// Suppression of gains on a path that keeps failing, after RFC 2439.
///
/// Each posted loss adds to a penalty that halves every half-life. A loss that takes it above a limit begins
/// suppression, which ends when the penalty has fallen below a second limit, or some time after that loss.
struct Damping: Equatable, Sendable {
    /// What one posted loss adds.
    static let penaltyPerLoss = 1000.0
    /// A loss that takes the penalty above this begins suppression.
    static let penaltySuppress = 3000.0
    /// Suppression ends when the penalty is below this.
    static let penaltyReuse = 1000.0

    private enum State: Equatable {
        /// No loss has been posted. Moves to: penalised.
        case clean
        /// Losses have been posted, too few of late to suppress. Moves to: penalised, suppressed, clean.
        case penalised(Penalty)
        /// Gains are suppressed up to `end`, which may be past. Moves to: penalised, suppressed, clean.
        case suppressed(Penalty, end: Instant)
    }

    /// The penalty as it stood right after the last posted loss.
    private struct Penalty: Equatable {
        var value: Double
        var lastLoss: Instant
    }

    private var state = State.clean
    private var halfLife: Duration
    private var suppressionMax: Duration

    /// Starts without penalty. A `suppressionMax` of zero turns damping off.
    init(halfLife: Duration, suppressionMax: Duration) {
        self.halfLife = halfLife
        self.suppressionMax = suppressionMax
    }

    /// When gains are no longer suppressed, past or to come; nil when they have not been since the last loss.
    var suppressionEnd: Instant? {
        switch state {
        case .clean, .penalised: return nil
        case .suppressed(_, let end): return end
        }
    }

    /// The penalty at a moment.
    func penalty(at now: Instant) -> Double {
        switch state {
        case .clean: return 0
        case .penalised(let penalty), .suppressed(let penalty, _): return remainder(of: penalty, at: now)
        }
    }

    /// Counts a posted loss.
    mutating func recordLoss(at now: Instant) {
        guard suppressionMax > .zero else { return }
        let penalty = Penalty(value: penalty(at: now) + Self.penaltyPerLoss, lastLoss: now)
        state = penalty.value > Self.penaltySuppress ? suppressed(penalty) : .penalised(penalty)
    }

    /// Changes the settings. The new half-life counts from the last posted loss on; turning damping off
    /// forgets the penalty.
    mutating func configure(halfLife: Duration, suppressionMax: Duration) {
        self.halfLife = halfLife
        self.suppressionMax = suppressionMax
        guard suppressionMax > .zero else {
            state = .clean
            return
        }
        switch state {
        case .clean, .penalised: break
        case .suppressed(let penalty, _): state = suppressed(penalty)
        }
    }

    /// What must be known to go on from here later.
    var memory: ReachabilityMemory.Penalty? {
        switch state {
        case .clean: return nil
        case .penalised(let penalty):
            return .init(value: penalty.value, lastLoss: penalty.lastLoss, suppresses: false)
        case .suppressed(let penalty, _):
            return .init(value: penalty.value, lastLoss: penalty.lastLoss, suppresses: true)
        }
    }

    /// Goes on from what was known.
    mutating func remember(_ memory: ReachabilityMemory.Penalty?) {
        guard let memory, suppressionMax > .zero else {
            state = .clean
            return
        }
        let penalty = Penalty(value: memory.value, lastLoss: memory.lastLoss)
        state = memory.suppresses ? suppressed(penalty) : .penalised(penalty)
    }

    private func remainder(of penalty: Penalty, at now: Instant) -> Double {
        penalty.value * Decay.factor(after: now - penalty.lastLoss, halfLife: halfLife)
    }

    private func suppressed(_ penalty: Penalty) -> State {
        // How many microseconds later the penalty is below the limit for the first time; it only ever falls.
        var (low, high) = (Int64(0), suppressionMax.microseconds)
        while low < high {
            let middle = low + (high - low) / 2
            if remainder(of: penalty, at: penalty.lastLoss + .microseconds(middle)) < Self.penaltyReuse {
                high = middle
            } else {
                low = middle + 1
            }
        }
        return .suppressed(penalty, end: penalty.lastLoss + .microseconds(high))
    }
}
