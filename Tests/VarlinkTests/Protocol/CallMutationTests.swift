import Testing
import Varlink

import struct Simulation.SeededGenerator

@Suite("No bytes harm the framing and the calls in it")
struct CallMutationTests {
    private static let corpus = [
        #"{"method":"org.example.Echo","parameters":{"text":"é","n":[1,2.5,null]},"more":true}"#,
        #"{"method":"a.B","oneway":true,"upgrade":false,"other":{}}"#,
        #"{"parameters":{"event":7},"continues":true}"#,
        #"{"error":"a.E","parameters":{"why":"no"}}"#,
    ]

    private func damaged(_ random: inout SeededGenerator) -> [UInt8] {
        var bytes: [UInt8] = []
        for _ in 0..<3 { bytes += Array((Self.corpus.randomElement(using: &random) ?? "").utf8) + [0] }
        for _ in 0..<Int.random(in: 0...3, using: &random) {
            let place = Int.random(in: 0..<bytes.count, using: &random)
            switch Int.random(in: 0..<4, using: &random) {
            case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
            case 1: bytes.remove(at: place)
            case 2: bytes.insert(0, at: place)
            default: bytes.insert(bytes[place], at: place)
            }
        }
        return bytes
    }

    @Test(
        "A message is read the same in whatever pieces it comes, and a call that is written again is the same",
        arguments: 1...4)
    func survives(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var calls = 0
        for _ in 0..<2_000 {
            let bytes = damaged(&random)
            var whole = MessageFramer(messageBytesMax: 200)
            whole.append(bytes)
            var cut = MessageFramer(messageBytesMax: 200)
            let middle = Int.random(in: 0...bytes.count, using: &random)
            cut.append(Array(bytes[..<middle]))
            cut.append(Array(bytes[middle...]))
            while let message = try? whole.next() {
                try #require(try cut.next().map(Array.init) == Array(message))
                _ = ReplyMessage(reading: message)
                guard let call = try? CallMessage(reading: message) else { continue }
                calls += 1
                try #require(try CallMessage(reading: call.encoded.dropLast()) == call)
            }
        }
        #expect(calls > 1_000, "most of the damage leaves some calls whole")
    }
}
