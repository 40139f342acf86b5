/// What a scheduler remembers of its clock.
public struct ClockMemory: Hashable, Sendable {
    /// The boot in which it was running; empty when that was not known.
    public var boot: String
    /// The steady clock of that boot, in milliseconds.
    public let steadyMilliseconds: Int64
    /// The scheduler's own clock, in milliseconds.
    public let ownMilliseconds: Int64
    /// The wall clock, if it was trusted or can be told from an earlier reading that was.
    public var wall: WallTime?
    /// Whether it is still to be found out how much time the last reboot took.
    public var isBehind: Bool

    /// Puts the readings together.
    public init(
        boot: String, steadyMilliseconds: Int64, ownMilliseconds: Int64, wall: WallTime?,
        isBehind: Bool = false
    ) {
        self.boot = boot
        self.steadyMilliseconds = steadyMilliseconds.clamped(to: Limits.steadyMilliseconds)
        self.ownMilliseconds = ownMilliseconds.clamped(to: Limits.steadyMilliseconds)
        self.wall = wall
        self.isBehind = isBehind
    }
}

/// The scheduler's own clock, in milliseconds, by which frequency caps are counted.
///
/// It goes with the steady clock and is never stepped. Over a reboot it goes on by what the wall clock says
/// has passed, as soon as that is trusted, and until then as if no time had: caps may hold longer, never
/// shorter.
struct SchedulerClock: Sendable {
    private let boot: String
    /// What is added to the steady clock.
    private var offset: Int64
    private(set) var own: Int64
    /// The last moment that was told.
    private(set) var now: Moment
    /// Set until the time that passed over a reboot is known.
    private var gap: (wall: WallTime, steady: Int64)?

    /// Goes on with what is remembered, and behind the latest impression, which may be newer than that.
    init(_ memory: ClockMemory?, latest: Int64, boot: String, at moment: Moment) {
        self.boot = boot
        now = moment
        own = memory?.ownMilliseconds ?? 0
        if let memory, !boot.isEmpty, memory.boot == boot {
            offset = memory.ownMilliseconds - memory.steadyMilliseconds
            if memory.isBehind { gap = memory.wall.map { ($0, memory.steadyMilliseconds) } }
        } else {
            offset = own - moment.steadyMilliseconds
            gap = memory?.wall.map { ($0, moment.steadyMilliseconds) }
        }
        _ = advance(to: moment)
        guard own < latest else { return }
        // So much of the gap is known.
        if let gap { self.gap = (WallTime(milliseconds: gap.wall.milliseconds + latest - own), gap.steady) }
        offset += latest - own
        own = latest
    }

    var isTrusted: Bool { now.trust == .trusted }

    /// Takes a new reading, and says whether what was judged by the wall clock has to be judged anew: it was
    /// put back, or its trust changed.
    mutating func advance(to moment: Moment) -> Bool {
        if let gap, moment.trust == .trusted {
            let running = moment.steadyMilliseconds - gap.steady
            offset += max(0, moment.wall.milliseconds - gap.wall.milliseconds - running)
            self.gap = nil
        }
        let isStepped = moment.wall < now.wall || moment.trust != now.trust
        now = moment
        own = max(own, moment.steadyMilliseconds + offset)
        return isStepped
    }

    /// The wall time at which the own clock will show a time, as both go now.
    func wall(at own: Int64) -> WallTime {
        WallTime(milliseconds: now.wall.milliseconds + own - self.own)
    }

    /// While a gap is open, the wall clock of before it is kept, and goes on with the steady clock.
    var memory: ClockMemory {
        let assumed = gap.map { gap in
            WallTime(milliseconds: gap.wall.milliseconds + now.steadyMilliseconds - gap.steady)
        }
        return ClockMemory(
            boot: boot, steadyMilliseconds: now.steadyMilliseconds, ownMilliseconds: own,
            wall: isTrusted ? now.wall : assumed, isBehind: gap != nil)
    }
}
