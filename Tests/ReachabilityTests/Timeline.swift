@testable import Reachability

extension Judgement {
    static let wifi = Judgement(
        status: .wifi, ipv4: true, interface: "wlan0", interfaceIndex: 2, reason: .usable)
    static let wifi2 = Judgement(
        status: .wifi, ipv6: true, interface: "wlan1", interfaceIndex: 5, reason: .usable)
    static let ethernet = Judgement(
        status: .ethernet, ipv4: true, interface: "eth0", interfaceIndex: 3, reason: .usable)
    static let cellular = Judgement(
        status: .cellular, expensive: true, ipv4: true, interface: "wwan0", interfaceIndex: 4, reason: .usable
    )
    /// A mobile connection that has to be made.
    static let dialable = Judgement(
        status: .cellular, connectionRequired: true, expensive: true, interface: "wwan0", interfaceIndex: 4,
        reason: .dormant)
    /// An 802.1X login that is pending.
    static let login = Judgement(
        connectionRequired: true, interface: "eth0", interfaceIndex: 3, reason: .dormant)
    static let offline = Judgement(reason: .noRoute)
    static let unplugged = Judgement(reason: .noCarrier)
}

/// How a network is judged from some moment on.
struct Step: Sendable {
    var milliseconds: Int64
    var raw: Judgement

    init(_ milliseconds: Int64, _ raw: Judgement) {
        self.milliseconds = milliseconds
        self.raw = raw
    }
}

extension Instant {
    static func at(_ milliseconds: Int64) -> Instant { Instant(microseconds: milliseconds * 1000) }
    var milliseconds: Int64 { microseconds / 1000 }
}

/// Holds that are played through with a virtual clock, whose timers fire in time.
struct Timeline {
    var holds: Holds
    private(set) var changes: [ReachabilityChange] = []

    init(settings: ReachabilitySettings = ReachabilitySettings()) {
        holds = Holds(settings: settings)
    }

    mutating func play(_ steps: [Step]) {
        for step in steps {
            advance(to: .at(step.milliseconds))
            changes += holds.judged(step.raw, at: .at(step.milliseconds))
        }
    }

    /// Fires every timer that is due up to `end`.
    mutating func advance(to end: Instant) {
        while let deadline = holds.deadline, deadline <= end { changes += holds.timerFired(at: deadline) }
    }

    /// What has been posted: when, and what.
    var posted: [Step] {
        changes.compactMap { change in
            switch change {
            case .posted(let state): return Step(state.since.milliseconds, state.judgement)
            case .detail: return nil
            }
        }
    }
}

extension Step: Equatable {}
