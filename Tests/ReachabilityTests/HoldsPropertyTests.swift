import Glibc
import Testing

import struct Simulation.SeededGenerator

@testable import Reachability

/// What the contract allows, told from the whole history instead of from a state.
struct History {
    var settings: ReachabilitySettings
    var raws: [(at: Instant, raw: Judgement)] = []
    var posted: [ReachabilityState] = []
    private var losses: [Instant] = []
    private var suppressedBy: Instant?

    init(settings: ReachabilitySettings) { self.settings = settings }

    mutating func record(_ state: ReachabilityState) {
        if let last = posted.last, last.reachable, !state.reachable {
            losses.append(state.since)
            suppressedBy = penalty(at: state.since) > 3000 ? state.since : nil
        }
        posted.append(state)
    }

    private func penalty(at now: Instant) -> Double {
        losses.reduce(0) { sum, loss in
            let halves = Double((now - loss).microseconds) / Double(settings.dampHalfLife.microseconds)
            return sum + 1000 * exp2(-halves)
        }
    }

    private func isSuppressed(at now: Instant, _ slack: Double) -> Bool {
        guard let loss = suppressedBy else { return false }
        return now < loss + settings.dampMax && penalty(at: now) > 1000 + slack
    }

    /// When the latest unbroken run of judgements began that satisfy a condition.
    private func start(of condition: (Judgement) -> Bool) -> Instant? {
        raws.reversed().prefix { condition($0.raw) }.last?.at
    }

    /// Whether a difference between posted and raw may, at the end of `now`, still be unposted. `slack` is added
    /// to the penalty at which suppression ends: sums of many powers are not exact to the last bit.
    func allowsDifference(at now: Instant, slack: Double) -> Bool {
        guard let last = posted.last, let raw = raws.last?.raw else { return false }
        switch (last.reachable, raw.reachable) {
        case (true, true): return false
        case (true, false):
            guard let start = start(of: { !$0.reachable }) else { return false }
            return now < max(start, last.since) + settings.lossHold
        case (false, true):
            guard let start = start(of: \.reachable) else { return false }
            return now < max(start, last.since) + settings.gainHold || isSuppressed(at: now, slack)
        case (false, false):
            guard let start = start(of: { $0.hasSameHeadline(as: raw) }) else { return false }
            return now < max(start, last.since) + settings.gainHold
        }
    }
}

@Suite("Holds under random judgements")
struct HoldsPropertyTests {
    static let raws: [Judgement] = [
        .wifi, .wifi2, .ethernet, .cellular, .dialable, .login, .offline, .unplugged,
    ]

    static func settings(_ generator: inout SeededGenerator) -> ReachabilitySettings {
        ReachabilitySettings(
            lossHold: .milliseconds([0, 100, 1500].randomElement(using: &generator) ?? 0),
            gainHold: .milliseconds([0, 250, 1000].randomElement(using: &generator) ?? 0),
            dampHalfLife: .milliseconds([500, 15_000, 100_000].randomElement(using: &generator) ?? 0),
            dampMax: .milliseconds([0, 3_000, 60_000].randomElement(using: &generator) ?? 0))
    }

    static func pause(_ generator: inout SeededGenerator) -> Duration {
        .milliseconds(
            [0, 1, 100, 249, 250, 1499, 1500, 1501, 5_000, 40_000].randomElement(using: &generator) ?? 0)
    }

    @Test(
        "What is posted is never later than the contract allows, never sooner, and never the same twice",
        arguments: 0..<300)
    func contract(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let settings = Self.settings(&generator)
        var holds = Holds(settings: settings)
        var history = History(settings: settings)
        var now = Instant.zero

        func take(_ changes: [ReachabilityChange], at now: Instant) throws {
            for change in changes {
                guard case .posted(let state) = change else { continue }
                try #require(state.since == now)
                if let last = history.posted.last {
                    try #require(!state.judgement.hasSameHeadline(as: last.judgement))
                    try #require(state.sequence == last.sequence + 1)
                    let isEarly = history.allowsDifference(at: now, slack: 1e-7)
                    try #require(!isEarly, "posted before its time, seed \(seed)")
                }
                history.record(state)
            }
        }
        for _ in 0..<300 {
            let next = now + Self.pause(&generator)
            while let deadline = holds.deadline, deadline <= next {
                try take(holds.timerFired(at: deadline), at: deadline)
            }
            now = next
            let raw = Self.raws.randomElement(using: &generator) ?? .offline
            history.raws.append((now, raw))
            try take(holds.judged(raw, at: now), at: now)
            let posted = try #require(holds.posted)
            try #require(posted.held == !raw.hasSameHeadline(as: posted.judgement))
            try #require(posted.held || posted.judgement == raw)
            let isLate = posted.held && !history.allowsDifference(at: now, slack: -1e-7)
            try #require(!isLate, "posted too late, seed \(seed)")
            try #require((holds.deadline == nil) == !posted.held)
        }
    }

    @Test("A timer that is late makes no difference to what a judgement then does", arguments: 0..<100)
    func lateTimers(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let settings = Self.settings(&generator)
        var untimed = Holds(settings: settings)
        var timed = untimed
        var now = Instant.zero
        for _ in 0..<300 {
            now = now + Self.pause(&generator)
            let raw = Self.raws.randomElement(using: &generator) ?? .offline
            var expected = timed.timerFired(at: now)
            expected += timed.judged(raw, at: now)
            let changes = untimed.judged(raw, at: now)
            try #require(changes == expected)
            try #require(untimed == timed)
        }
    }
}
