import AdSlots
import Reachability
import Simulation

#if canImport(Glibc)
    import Glibc
#endif

/// Measures the coordinator alone, in virtual time: `coordinator-bench EVENTS SEEDS` prints one JSON line for
/// each number of slots, and one for random scenarios.
@main
struct CoordinatorBench {
    static func main() {
        let arguments = CommandLine.arguments.dropFirst().compactMap { Int($0) }
        guard arguments.count == 2 else {
            print("usage: coordinator-bench EVENTS SEEDS")
            exit(2)
        }
        for count in [1, 100, 10_000] { measure(slots: count, events: arguments[0]) }
        simulate(seeds: arguments[1])
    }

    /// Slots that show, refresh and count, each event touching one of them.
    private static func measure(slots count: Int, events: Int) {
        let before = residentBytes()
        var world = World(slots: count)
        world.attachAll()
        let perSlot = max(0, residentBytes() - before) / count
        // Once around, so that every slot is in its stride.
        world.run(events: min(4 * count, events))
        let spent = ContinuousClock().measure { world.run(events: events) }
        let rate = Double(events) / (spent / .seconds(1))
        print(
            #"{"slots": \#(count), "eventsPerSecond": \#(Int(rate)), "bytesPerSlot": \#(perSlot)}"#)
    }

    private static func simulate(seeds: Int) {
        var events = 0
        var hours = 0.0
        let spent = ContinuousClock().measure {
            for seed in 1...UInt64(seeds) {
                let scenario = Scenario.random(seed: seed)
                guard var run = try? ScenarioRun(scenario) else { continue }
                events += run.run().events
                hours += scenario.steps.last.map { ($0.at - .zero) / .seconds(3_600) } ?? 0
            }
        }
        let seconds = spent / .seconds(1)
        print(
            #"{"simulatedEventsPerSecond": \#(Int(Double(events) / seconds)), "#
                + #""simulatedHoursPerSecond": \#(Int(hours / seconds))}"#)
    }

    /// Resident memory of this process, in bytes (proc(5), statm).
    private static func residentBytes() -> Int {
        guard let file = fopen("/proc/self/statm", "r") else { return 0 }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 128)
        guard fgets(&line, 128, file) != nil else { return 0 }
        let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        return pages * Int(getpagesize())
    }
}

/// Slots with hosts, and sources that answer.
private struct World {
    private var coordinator: Coordinator
    private var random = SeededGenerator(seed: 1)
    private var now = Instant.zero
    private let source = TestSource()
    private let count: Int
    /// Answers on their way; the delay is always the same, so that they come in their order.
    private var answers: [(due: Instant, event: Event)] = []
    private var answered = 0

    init(slots count: Int) {
        self.count = count
        let slots = (0..<count).map { SlotSettings(name: "slot\($0)") }
        coordinator = Coordinator(settings: CoordinatorSettings(slots: slots), reachable: true, at: .zero)
    }

    mutating func attachAll() {
        for index in 0..<count {
            handle(
                .attach(
                    slot: "slot\(index)", host: HostID(index), name: nil,
                    viewport: Size(width: 400, height: 800), visible: true))
            now = now + .milliseconds(180_000 / count)
        }
    }

    mutating func run(events: Int) {
        for _ in 0..<events {
            let answer = answered < answers.count ? answers[answered].due : nil
            let deadline = coordinator.deadline
            guard let due = [answer, deadline].compactMap({ $0 }).min() else { return }
            now = max(now, due)
            if due == answer {
                let event = answers[answered].event
                answered += 1
                handle(event)
            } else {
                handle(.timer)
            }
            if answered > 4_096 {
                answers.removeFirst(answered)
                answered = 0
            }
        }
    }

    private mutating func handle(_ event: Event) {
        for effect in coordinator.handle(event, at: now, using: &random) {
            guard case .request(let request) = effect, let answer = source.answer(to: request, at: now)
            else { continue }
            let event = Event.sourceAnswered(request: request.id, answer.result)
            answers.append((now + answer.after, event))
        }
    }
}
