import Simulation
import Testing

@testable import Campaigns

@Suite("Ordered chunks")
struct OrderedChunksTests {
    @Test("They hold what a sorted array holds, in its order", arguments: 1...4)
    func order(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var chunks = OrderedChunks<Int>()
        var present: Set<Int> = []
        for round in 0..<12_000 {
            let number = Int.random(in: 0..<4_000, using: &random)
            // It grows first, then shrinks to nothing.
            let isGrowing = round < 8_000 ? number % 8 != 0 : number % 8 == 0
            if present.contains(number), !isGrowing || round >= 8_000 {
                chunks.remove(number)
                present.remove(number)
            } else if isGrowing, present.insert(number).inserted {
                chunks.insert(number)
            }
            guard round % 200 == 0 else { continue }
            #expect(Array(chunks) == present.sorted(), "seed \(seed), round \(round)")
            #expect(chunks.first == present.min())
        }
        for number in present { chunks.remove(number) }
        #expect(chunks.isEmpty && chunks.first == nil && Array(chunks).isEmpty)
    }
}
