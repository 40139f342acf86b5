import Reachability

/// What is the same for everything that happens within one event: the moment, the network, the effects.
struct Turn {
    /// The moment of the event.
    let now: Instant
    /// The posted state of the network.
    var reachable: Bool
    /// What the shell is to do, in order.
    var effects: [Effect] = []
    /// The source of new identifiers.
    var ids: IdentifierSupply
    /// The source of jitter.
    var jitter: JitterSource
}

/// A small generator (SplitMix64), seeded from the caller's own when an event may need a random number.
///
/// It keeps the type of the caller's generator out of every signature below the coordinator's.
struct JitterSource: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
