import Testing

@testable import Reachability

/// Judgements over time, and what the default holds make of them. The first state is always posted at 0.
struct HoldsCase: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var steps: [Step]
    var posted: [Step]

    init(_ description: String, _ steps: [Step], posted: [Step]) {
        testDescription = description
        self.steps = steps
        self.posted = posted
    }
}

@Suite("Holds")
struct HoldsTests {
    static let losses: [HoldsCase] = [
        HoldsCase(
            "a loss is posted when it has lasted 1.5 s", [Step(0, .wifi), Step(1000, .offline)],
            posted: [
                Step(2500, .offline)
            ]),
        HoldsCase(
            "a roam is never posted", [Step(0, .wifi), Step(1000, .offline), Step(2300, .wifi)], posted: []),
        HoldsCase(
            "nor a loss that ends in its last millisecond",
            [
                Step(0, .wifi), Step(1000, .offline), Step(2499, .wifi),
            ], posted: []),
        HoldsCase(
            "a loss that ends as the hold does has lasted",
            [
                Step(0, .wifi), Step(1000, .offline), Step(2500, .wifi),
            ], posted: [Step(2500, .offline), Step(2750, .wifi)]),
        HoldsCase(
            "another way to be unreachable does not restart the hold",
            [
                Step(0, .cellular), Step(1000, .offline), Step(2000, .dialable), Step(2400, .login),
            ], posted: [Step(2500, .login)]),
        HoldsCase(
            "a second loss starts a hold of its own",
            [
                Step(0, .wifi), Step(1000, .offline), Step(2000, .wifi), Step(2100, .offline),
            ], posted: [Step(3600, .offline)]),
        HoldsCase(
            "reachable in another way is posted at once in the middle of it",
            [
                Step(0, .wifi), Step(1000, .offline), Step(2000, .cellular),
            ], posted: [Step(2000, .cellular)]),
        HoldsCase(
            "a loss after that counts from its own beginning",
            [
                Step(0, .wifi), Step(1000, .offline), Step(2000, .cellular), Step(2100, .offline),
            ], posted: [Step(2000, .cellular), Step(3600, .offline)]),
        HoldsCase(
            "a connection that must be made anew is a loss", [Step(0, .cellular), Step(1000, .dialable)],
            posted: [
                Step(2500, .dialable)
            ]),
    ]

    static let gains: [HoldsCase] = [
        HoldsCase(
            "a gain is posted when it has lasted 250 ms", [Step(0, .offline), Step(1000, .wifi)],
            posted: [
                Step(1250, .wifi)
            ]),
        HoldsCase(
            "a gain that goes within that is never posted",
            [
                Step(0, .offline), Step(1000, .wifi), Step(1249, .offline),
            ], posted: []),
        HoldsCase(
            "one that goes just then is posted, and then lost",
            [
                Step(0, .offline), Step(1000, .wifi), Step(1250, .offline),
            ], posted: [Step(1250, .wifi), Step(2750, .offline)]),
        HoldsCase(
            "another way to be reachable does not restart the hold",
            [
                Step(0, .offline), Step(1000, .wifi), Step(1200, .ethernet),
            ], posted: [Step(1250, .ethernet)]),
        HoldsCase(
            "a connection that was made is a gain", [Step(0, .dialable), Step(1000, .cellular)],
            posted: [
                Step(1250, .cellular)
            ]),
    ]

    static let others: [HoldsCase] = [
        HoldsCase(
            "from one transport to another at once", [Step(0, .wifi), Step(1000, .ethernet)],
            posted: [
                Step(1000, .ethernet)
            ]),
        HoldsCase(
            "unreachable in another way after 250 ms", [Step(0, .offline), Step(1000, .dialable)],
            posted: [
                Step(1250, .dialable)
            ]),
        HoldsCase(
            "which starts anew when it changes again",
            [
                Step(0, .offline), Step(1000, .dialable), Step(1200, .login),
            ], posted: [Step(1450, .login)]),
        HoldsCase(
            "which a detail does not",
            [
                Step(0, .dialable), Step(1000, .offline), Step(1200, .unplugged),
            ], posted: [Step(1250, .unplugged)]),
        HoldsCase(
            "and which never happened when it comes back",
            [
                Step(0, .offline), Step(1000, .dialable), Step(1249, .offline),
            ], posted: []),
        HoldsCase(
            "a gain after a change between unreachable states has its whole hold",
            [
                Step(0, .offline), Step(1000, .dialable), Step(1200, .cellular),
            ], posted: [Step(1450, .cellular)]),
        HoldsCase(
            "and so has such a change after a gain that failed",
            [
                Step(0, .offline), Step(1000, .cellular), Step(1200, .dialable),
            ], posted: [Step(1450, .dialable)]),
        HoldsCase(
            "details are no notification",
            [
                Step(0, .wifi), Step(1000, .wifi2), Step(2000, .wifi),
            ], posted: []),
    ]

    @Test("Judgements over time, and what is posted", arguments: losses + gains + others)
    func posted(row: HoldsCase) {
        var timeline = Timeline()
        timeline.play(row.steps)
        timeline.advance(to: .at(60_000))
        #expect(Array(timeline.posted.dropFirst()) == row.posted)
        #expect(timeline.posted.first == row.steps.first)
    }

    @Test(
        "The first state is posted without a hold, whatever it is",
        arguments: [Judgement.offline, .wifi, .login])
    func first(raw: Judgement) {
        var holds = Holds(settings: ReachabilitySettings())
        let state = ReachabilityState(judgement: raw, held: false, sequence: 1, since: .at(7))
        #expect(holds.posted == nil)
        let changes = holds.judged(raw, at: .at(7))
        #expect(changes == [.posted(state)])
        #expect(holds.posted == state)
        #expect(holds.deadline == nil)
    }

    @Test("Without holds everything is posted at once")
    func zero() {
        var timeline = Timeline(
            settings: ReachabilitySettings(lossHold: .zero, gainHold: .zero, dampMax: .zero))
        let steps = [
            Step(0, .wifi), Step(0, .offline), Step(10, .dialable), Step(20, .cellular), Step(20, .offline),
        ]
        timeline.play(steps)
        #expect(timeline.posted == steps)
        #expect(timeline.changes.count == steps.count)
    }

    @Test("Each notification has the next number, and says when it was posted")
    func sequence() {
        var timeline = Timeline()
        timeline.play([Step(0, .wifi), Step(1000, .offline), Step(5000, .wifi), Step(9000, .ethernet)])
        let states = timeline.changes.compactMap { change -> ReachabilityState? in
            guard case .posted(let state) = change else { return nil }
            return state
        }
        #expect(states.map(\.sequence) == [1, 2, 3, 4])
        #expect(states.map(\.since.milliseconds) == [0, 2500, 5250, 9000])
        #expect(states.allSatisfy { !$0.held })
    }

    @Test("While held, the last posted picture is answered whole")
    func heldPicture() {
        var timeline = Timeline()
        timeline.play([Step(0, .wifi), Step(1000, .offline)])
        let held = ReachabilityState(judgement: .wifi, held: true, sequence: 1, since: .zero)
        #expect(timeline.holds.posted == held)
        #expect(timeline.changes.last == .detail(held))
        timeline.play([Step(1100, .unplugged), Step(1200, .login)])
        #expect(timeline.holds.posted == held)
        #expect(timeline.changes.count == 2)
        timeline.play([Step(1300, .wifi2)])
        let back = ReachabilityState(judgement: .wifi2, held: false, sequence: 1, since: .zero)
        #expect(timeline.changes.last == .detail(back))
    }

    @Test("What changes nothing says nothing")
    func silence() {
        var timeline = Timeline()
        timeline.play([Step(0, .wifi), Step(10, .wifi), Step(20, .wifi)])
        #expect(timeline.changes.count == 1)
    }

    @Test("A timer that fires early does nothing")
    func early() {
        var timeline = Timeline()
        timeline.play([Step(0, .wifi), Step(1000, .offline)])
        let changes = timeline.holds.timerFired(at: .at(2499))
        #expect(changes == [])
        #expect(timeline.holds.deadline == .at(2500))
    }

    @Test("A judgement after a hold has run out is as its timer and then the judgement")
    func late() {
        var timeline = Timeline()
        timeline.play([Step(0, .wifi), Step(1000, .offline)])
        var timed = timeline.holds
        var changes = timed.timerFired(at: .at(3000))
        changes += timed.judged(.wifi, at: .at(3000))
        let late = timeline.holds.judged(.wifi, at: .at(3000))
        #expect(late == changes)
        #expect(timeline.holds == timed)
        #expect(late.count == 2)
    }

    @Test("Time that goes backwards counts as the latest moment seen")
    func backwards() {
        var timeline = Timeline()
        timeline.play([Step(5000, .wifi), Step(1000, .offline)])
        #expect(timeline.holds.deadline == .at(6500))
    }

    @Test("A change of the settings in the middle of a hold counts from when it began")
    func configure() {
        var timeline = Timeline()
        timeline.play([Step(0, .wifi), Step(1000, .offline)])
        timeline.holds.configure(ReachabilitySettings(lossHold: .seconds(4)))
        #expect(timeline.holds.deadline == .at(5000))
        timeline.holds.configure(ReachabilitySettings(lossHold: .milliseconds(100)))
        #expect(timeline.holds.deadline == .at(1100))
        let changes = timeline.holds.timerFired(at: .at(1800))
        #expect(
            changes == [
                .posted(ReachabilityState(judgement: .offline, held: false, sequence: 2, since: .at(1800)))
            ])
    }
}
