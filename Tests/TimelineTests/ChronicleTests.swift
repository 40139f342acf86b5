import Testing

@testable import Timeline

@Suite("Marks become lanes")
struct ChronicleTests {
    private let extent = Extent(since: 1_000_000_000, until: 2_000_000_000, now: 2_000_000_000)

    private func chronicle(_ marks: [Mark], _ slots: [String] = ["a"], in extent: Extent? = nil) -> Chronicle
    {
        Chronicle(marks, counts: slots.map { SlotCount($0) }, in: extent ?? self.extent)
    }

    /// A lane in a few words: `wifi 100-200, none 200-`.
    private func words(_ lane: Lane) -> String {
        lane.spans.map { "\($0.state) \($0.time.lowerBound / 1_000_000)-\($0.time.upperBound / 1_000_000)" }
            .joined(separator: ", ")
    }

    private func network(_ kind: Mark.Kind, _ seconds: Int64, _ path: String, _ reachable: Bool = true)
        -> Mark
    {
        Mark(kind, at: seconds * 1_000_000, state: path, isReachable: reachable && path != "none")
    }

    private func slot(_ seconds: Int64, _ state: String?, _ name: String = "a") -> Mark {
        Mark(.slot, at: seconds * 1_000_000, name, state: state)
    }

    private func stop(_ kind: Mark.Kind, _ seconds: Int64) -> Mark { Mark(kind, at: seconds * 1_000_000) }

    @Test("Each path is a state of its own, and one without the internet is another")
    func paths() {
        let result = chronicle([
            network(.started, 1_000, "ethernet"), network(.changed, 1_100, "wifi"),
            network(.changed, 1_200, "cellular"), network(.changed, 1_300, "other"),
            network(.changed, 1_400, "tunnel of a later version"), network(.changed, 1_500, "wifi", false),
            network(.changed, 1_600, "none"), network(.changed, 1_700, "wifi"),
        ])
        #expect(
            words(result.network)
                == "ethernet 1000-1100, wifi 1100-1200, cellular 1200-1300, other 1300-1500, "
                + "barred 1500-1600, none 1600-1700, wifi 1700-2000")
        #expect(result.watched == 1_000_000_000 && result.reachable == 800_000_000)
        #expect(result.losses == 1)
    }

    @Test("What began before the time shown goes into it, and what is open ends with it")
    func open() {
        let result = chronicle([
            network(.alive, 10, "wifi"), slot(10, "shown"), slot(500, "acting"), slot(1_500, "shown"),
            network(.changed, 2_500, "none"), slot(2_500, "waiting"),
        ])
        #expect(words(result.network) == "wifi 1000-2000")
        #expect(words(result.slots[0]) == "acting 1000-1500, shown 1500-2000")
        #expect(result.incidents.isEmpty)
    }

    @Test("After a stop or a kill nothing is known, and a start begins with nothing attached")
    func kills() {
        let result = chronicle([
            network(.started, 1_000, "wifi"), slot(1_010, "shown"),
            Mark(.work, at: 1_010_000_000, "game", state: "paused"), stop(.killed, 1_100),
            network(.started, 1_200, "none"), slot(1_300, "waiting"), stop(.stopped, 1_400),
        ])
        #expect(
            words(result.network)
                == "wifi 1000-1100, unknown 1100-1200, none 1200-1400, unknown 1400-2000")
        #expect(
            words(result.slots[0])
                == "detached 1000-1010, shown 1010-1100, unknown 1100-1200, detached 1200-1300, "
                + "waiting 1300-1400, unknown 1400-2000")
        #expect(
            words(result.work[0])
                == "absent 1000-1010, paused 1010-1100, unknown 1100-1200, absent 1200-1400, "
                + "unknown 1400-2000")
        #expect(result.watched == 300_000_000 && result.losses == 0)
        #expect(result.incidents[.kill] == [1_100_000_000] && result.incidents[.start]?.count == 2)
    }

    @Test("States that are marked again change nothing")
    func again() {
        let result = chronicle([
            network(.started, 1_000, "wifi"), slot(1_100, "shown"), network(.alive, 1_200, "wifi"),
            slot(1_200, "shown"), slot(1_300, "hidden"), network(.alive, 1_400, "wifi"),
            slot(1_400, "hidden"),
        ])
        #expect(words(result.slots[0]) == "detached 1000-1100, shown 1100-1300, hidden 1300-2000")
        #expect(words(result.network) == "wifi 1000-2000")
    }

    @Test("Of what is to come nothing is said")
    func future() {
        let extent = Extent(since: 1_000_000_000, until: 9_000_000_000, now: 2_000_000_000)
        let result = chronicle([network(.started, 1_000, "wifi")], in: extent)
        #expect(words(result.network) == "wifi 1000-2000")
        #expect(words(chronicle([]).network) == "unknown 1000-2000")
        let past = Extent(since: 3_000_000_000, until: 4_000_000_000, now: 2_000_000_000)
        #expect(chronicle([network(.started, 1_000, "wifi")], in: past).network.spans.isEmpty)
    }

    @Test("Marks without length leave nothing behind, and two slots do not mix")
    func instants() {
        let result = chronicle(
            [
                network(.started, 1_000, "wifi"), slot(1_000, "loading"), slot(1_000, "shown"),
                slot(1_100, "hidden", "b"), slot(1_200, nil, "b"), slot(1_300, "dancing", "b"),
            ], ["a", "c"])
        #expect(result.slots.map(\.name) == ["a", "c", "b"])
        #expect(words(result.slots[0]) == "shown 1000-2000")
        #expect(words(result.slots[1]) == "detached 1000-2000")
        #expect(
            words(result.slots[2])
                == "detached 1000-1100, hidden 1100-1200, detached 1200-1300, unknown 1300-2000")
    }

    @Test(
        "Spans follow one another without a gap, whatever the marks are",
        arguments: 1...200 as ClosedRange<UInt64>)
    func whatever(seed: UInt64) {
        var generator = Generator(seed: seed)
        var time: Int64 = 0
        let marks = (0..<300).map { _ in
            time += Int64.random(in: 0...20_000_000, using: &generator)
            let kind = Mark.Kind.allCases.randomElement(using: &generator) ?? .slot
            let states = ["shown", "acting", "wifi", "none", "paused", "running", "x", nil]
            return Mark(
                kind, at: time, ["a", "b", nil].randomElement(using: &generator) ?? nil,
                state: states.randomElement(using: &generator) ?? nil,
                isReachable: Bool.random(using: &generator))
        }
        let result = chronicle(marks)
        for lane in [result.network] + result.slots + result.work {
            #expect(lane.spans.first?.time.lowerBound == extent.since)
            #expect(lane.spans.last?.time.upperBound == extent.until)
            for (left, right) in zip(lane.spans, lane.spans.dropFirst()) {
                #expect(left.time.upperBound == right.time.lowerBound && left.state != right.state)
            }
        }
    }

    @Test("There are lanes for so many; of more it is said how many there are")
    func bounds() {
        let names = (1...Limits.slotLanesMax + 7).map { "slot \($0)" }
        let work = (1...Limits.workLanesMax + 3).map {
            Mark(.work, at: 1_000_000_000, "w\($0)", state: "running")
        }
        let result = chronicle(work, names)
        #expect(result.slots.count == Limits.slotLanesMax && result.slotsLeftOut == 7)
        #expect(result.work.count == Limits.workLanesMax && result.workLeftOut == 3)
    }

    @Test("A time that is too long or too short to be shown is brought into its bounds")
    func extents() {
        #expect(Extent(since: 5, until: 5, now: 5).length == Limits.spanMicroseconds.lowerBound)
        #expect(Extent(since: 0, until: .max / 4, now: 5).length == Limits.spanMicroseconds.upperBound)
    }
}
