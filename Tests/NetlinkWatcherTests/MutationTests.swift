import Reachability
import Testing

import struct Simulation.SeededGenerator

@testable import NetlinkWatcher

@Suite("Damaged messages")
struct MutationTests {
    private static let messages = LinkFixtures.all + AddressFixtures.all + RouteFixtures.all

    /// A datagram of one to three messages, damaged in one to eight places.
    private static func damaged(using generator: inout SeededGenerator) -> [UInt8] {
        var bytes: [UInt8] = []
        for _ in 0..<Int.random(in: 1...3, using: &generator) {
            bytes += messages.randomElement(using: &generator) ?? []
        }
        for _ in 0..<Int.random(in: 1...8, using: &generator) where !bytes.isEmpty {
            let place = Int.random(in: 0..<bytes.count, using: &generator)
            switch Int.random(in: 0..<6, using: &generator) {
            case 0: bytes[place] = UInt8.random(in: 0...255, using: &generator)
            case 1: bytes[place] ^= 1 << UInt8.random(in: 0...7, using: &generator)
            case 2: bytes[place & ~3] = UInt8.random(in: 0...40, using: &generator)
            case 3: bytes.removeSubrange(place...)
            case 4: bytes.remove(at: place)
            default: bytes.insert(UInt8.random(in: 0...255, using: &generator), at: place)
            }
        }
        return Array(bytes.prefix(4096))
    }

    @Test(
        "Nothing that is damaged traps or is read past its end, and what it says can be folded",
        arguments: [UInt64(1), 2, 3, 4])
    func fuzz(seed: UInt64) throws {
        let page = try #require(GuardedBytes())
        var generator = SeededGenerator(seed: seed)
        var network = Network()
        var facts = 0
        for round in 0..<25_000 {
            let bytes = Self.damaged(using: &generator)
            unsafe page.lend(bytes) { datagram in
                unsafe RawMessage.forEach(in: datagram) { message in
                    if let fact = MessageDecoder.decode(message) {
                        facts += 1
                        _ = network.apply(fact)
                    }
                    _ = (message.errorCode, message.isInterrupted)
                    return true
                }
            }
            if round % 1_000 == 0 {
                for link in network.links {
                    _ = (link.name, network.addresses(of: link.index).map(\.isUsable))
                }
                network = Network()
            }
        }
        #expect(facts > 10_000, "most of the damage leaves a message readable")
    }
}
