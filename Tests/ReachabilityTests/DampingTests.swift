import Testing

@testable import Reachability

@Suite("Damping after RFC 2439")
struct DampingTests {
    @Test(
        "One half is left after each half-life",
        arguments: [
            (0, 1), (15_000, 0.5), (30_000, 0.25), (150_000, 1.0 / 1024), (7_500, 0.7071067811865476),
            (3_750, 0.8408964152537145), (5_000, 0.7937005259840998), (14_999, 0.5000231055), (-1, 1),
            (15_000 * 2000, 0),
        ] as [(Int64, Double)])
    func decay(milliseconds: Int64, left: Double) {
        let factor = Decay.factor(after: .milliseconds(milliseconds), halfLife: .seconds(15))
        #expect(abs(factor - left) < 1e-9)
    }

    @Test("Whole half-lives are exact, and more time never leaves more")
    func decayIsMonotonic() {
        #expect(Decay.factor(after: .seconds(45), halfLife: .seconds(15)) == 0.125)
        let factors = (0..<5000).map { Decay.factor(after: .milliseconds($0 * 7), halfLife: .seconds(15)) }
        #expect(zip(factors, factors.dropFirst()).allSatisfy { $0 > $1 })
    }

    @Test("Without a half-life nothing is left")
    func noHalfLife() {
        #expect(Decay.factor(after: .zero, halfLife: .zero) == 1)
        #expect(Decay.factor(after: .microseconds(1), halfLife: .zero) == 0)
    }

    /// Losses at these moments, in milliseconds, under the default settings.
    func damping(_ losses: Int64..., halfLife: Duration = .seconds(15), max: Duration = .seconds(60))
        -> Damping
    {
        var damping = Damping(halfLife: halfLife, suppressionMax: max)
        for loss in losses { damping.recordLoss(at: .at(loss)) }
        return damping
    }

    @Test("Three losses are no suppression, however close; the fourth is one")
    func fourth() {
        #expect(damping(0, 0, 0).penalty(at: .zero) == 3000)
        #expect(damping(0, 0, 0).suppressionEnd == nil)
        #expect(damping(0, 0, 0, 1).suppressionEnd != nil)
    }

    @Test("A fourth loss after a half-life finds half of the penalty")
    func fourthLater() {
        let damping = damping(0, 0, 0, 15_000)
        #expect(damping.penalty(at: .at(15_000)) == 2500)
        #expect(damping.penalty(at: .at(30_000)) == 1250)
        #expect(damping.suppressionEnd == nil)
    }

    @Test("A penalty of 3000 is not above 3000")
    func exactly() {
        #expect(damping(0, 0, 0, 0, 15_000).penalty(at: .at(15_000)) == 3000)
        #expect(damping(0, 0, 0, 0, 15_000).suppressionEnd == nil)
    }

    @Test("Suppression ends in the first microsecond in which the penalty is below 1000")
    func end() {
        // 4000 is 1000 after two half-lives, and that is not below 1000.
        #expect(damping(0, 0, 0, 0).suppressionEnd == Instant(microseconds: 30_000_001))
        let spread = damping(0, 2000, 4000, 6000)
        guard let end = spread.suppressionEnd else {
            Issue.record("four losses in six seconds are no suppression")
            return
        }
        #expect(spread.penalty(at: end) < 1000)
        #expect(spread.penalty(at: Instant(microseconds: end.microseconds - 1)) >= 1000)
        #expect((33_000...34_000).contains(end.milliseconds))
    }

    @Test("DampMax after the last posted loss ends it sooner")
    func dampMax() {
        #expect(damping(0, 0, 0, 500, max: .seconds(10)).suppressionEnd == .at(10_500))
        #expect(damping(0, 0, 0, 0, halfLife: .seconds(900)).suppressionEnd == .at(60_000))
    }

    @Test("A loss after that still finds the penalty")
    func again() {
        let damping = damping(0, 0, 0, 0, 11_000, max: .seconds(10))
        #expect(damping.penalty(at: .at(11_000)) > 3000)
        #expect(damping.suppressionEnd == .at(21_000))
    }

    @Test("DampMax of zero is no damping")
    func off() {
        #expect(damping(0, 0, 0, 0, 0, max: .zero).suppressionEnd == nil)
        #expect(damping(0, 0, 0, 0, 0, max: .zero).penalty(at: .zero) == 0)
    }

    @Test("New settings count from the last posted loss; off forgets the penalty")
    func configure() {
        var damping = damping(0, 0, 0, 1000)
        damping.configure(halfLife: .seconds(15), suppressionMax: .seconds(5))
        #expect(damping.suppressionEnd == .at(6000))
        damping.configure(halfLife: .seconds(1), suppressionMax: .seconds(60))
        #expect((2_900...3_000).contains(damping.suppressionEnd?.milliseconds ?? 0))
        damping.configure(halfLife: .seconds(15), suppressionMax: .zero)
        #expect(damping.suppressionEnd == nil)
        damping.configure(halfLife: .seconds(15), suppressionMax: .seconds(60))
        #expect(damping.penalty(at: .at(1000)) == 0)
    }

    /// A path that is up for `up` and down for `down` milliseconds, `times` times; up from the last end on.
    func flaps(_ times: Int64, up: Int64, down: Int64) -> [Step] {
        (0..<times).flatMap { [Step($0 * (up + down), .wifi), Step($0 * (up + down) + up, .offline)] }
            + [Step(times * (up + down), .wifi)]
    }

    @Test("Three posted losses hold no gain up, the fourth does until its penalty has fallen")
    func throughHolds() {
        var timeline = Timeline()
        timeline.play(flaps(3, up: 500, down: 1600))
        timeline.advance(to: .at(7_000))
        #expect(timeline.posted.map(\.milliseconds) == [0, 2000, 2350, 4100, 4450, 6200, 6550])
        timeline = Timeline()
        timeline.play(flaps(4, up: 500, down: 1600))
        timeline.advance(to: .at(30_000))
        #expect(timeline.posted.map(\.milliseconds) == [0, 2000, 2350, 4100, 4450, 6200, 6550, 8300])
        #expect(timeline.holds.posted?.held == true)
        timeline.advance(to: .at(60_000))
        #expect((35_000...36_500).contains(timeline.posted.last?.milliseconds ?? 0))
        #expect(timeline.posted.last?.raw == .wifi)
        #expect(timeline.holds.posted?.held == false)
    }

    @Test("A gain late in a suppression still has its own hold")
    func gainHoldAfterSuppression() {
        var timeline = Timeline()
        timeline.play(flaps(4, up: 500, down: 1600) + [Step(8500, .offline)])
        let end = timeline.holds.posted?.since ?? .zero
        #expect(end == .at(8300))
        timeline.play([Step(60_000, .wifi)])
        #expect(timeline.holds.deadline == .at(60_250))
    }

    @Test("A change between two unreachable states is not suppressed")
    func shiftIsNotSuppressed() {
        var timeline = Timeline()
        timeline.play(flaps(4, up: 500, down: 1600) + [Step(9000, .dialable)])
        timeline.advance(to: .at(10_000))
        #expect(timeline.posted.last == Step(9250, .dialable))
    }

    @Test("Losses within their hold add no penalty")
    func unposted() {
        var timeline = Timeline()
        timeline.play(flaps(50, up: 500, down: 1400))
        #expect(timeline.posted.count == 1)
        timeline.play([Step(100_000, .offline), Step(102_000, .wifi)])
        #expect(timeline.holds.deadline == .at(102_250))
    }

    @Test("Turning damping off in the middle of a suppression lets the gain through")
    func turnedOff() {
        var timeline = Timeline()
        timeline.play(flaps(4, up: 500, down: 1600))
        timeline.holds.configure(ReachabilitySettings(dampMax: .zero))
        timeline.advance(to: .at(9000))
        #expect(timeline.posted.last == Step(8650, .wifi))
    }
}
