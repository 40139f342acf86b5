import Reachability
import Simulation
import Testing

@testable import AdSlots

@Suite("The deadline queue")
struct DeadlineQueueTests {
    @Test("Whatever is set, moved and removed, the earliest comes first and nothing stays behind")
    func againstSorting() {
        var random = SeededGenerator(seed: 7)
        var queue = DeadlineQueue()
        var expected: [DeadlineKey: Instant] = [:]
        for _ in 0..<5_000 {
            let number = Int.random(in: 0..<40, using: &random)
            let key = Bool.random(using: &random) ? DeadlineKey.slot(number) : .action(ActionID(number))
            let due: Instant? =
                Int.random(in: 0..<4, using: &random) == 0
                ? nil : Instant(microseconds: .random(in: 0..<50, using: &random))
            queue.set(key, due: due)
            expected[key] = due
            let earliest = expected.map { ($0.value, $0.key) }.min { $0 < $1 }
            #expect(queue.first?.due == earliest?.0)
            #expect(queue.first?.key == earliest?.1)
            #expect(queue.count == expected.count)
        }
    }
}
