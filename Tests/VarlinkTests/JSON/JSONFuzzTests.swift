import Testing
import Varlink

import struct Simulation.SeededGenerator

@Suite("No bytes harm the reader")
struct JSONFuzzTests {
    private static let corpus: [String] = [
        #"{"method":"org.varlink.service.GetInfo","parameters":{},"more":true,"oneway":false}"#,
        #"{"a":[1,-2.5e-3,9223372036854775807,1E400],"b":{"c":null,"d":"\u00e9\ud83d\ude00\\\"\n"},"é":"€"}"#,
        #"[[[[]]],{"":{"":[true,false,null]}}, 0.1 ,-0, -0.0,1e-7]"#,
        #""plain \b\f\n\r\t\/ text 😀""#,
    ]

    private static let alphabet =
        Array(#"{}[]:,"\/+-.eE0123456789untrfalsbd "#.utf8) + [0, 0x1F, 0x80, 0xC3, 0xED, 0xFF]

    @Test(
        "Mutated texts are read or refused, and what was read is written to a fixed point", arguments: 1...8)
    func survivesMutations(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var accepted = 0
        for _ in 0..<5_000 {
            let bytes = mutate(Array(Self.corpus.randomElement(using: &random)?.utf8 ?? "".utf8), &random)
            guard let value = try? JSONValue(reading: bytes) else { continue }
            accepted += 1
            let written = value.encoded
            let again = try JSONValue(reading: written)
            guard again == value, again.encoded == written else {
                Issue.record("seed \(seed): \(bytes) is no fixed point")
                return
            }
        }
        #expect(accepted > 500, "the mutations should leave some texts whole")
    }

    private func mutate(_ original: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
        var bytes = original
        for _ in 0..<Int.random(in: 1...3, using: &random) where !bytes.isEmpty {
            let place = Int.random(in: 0..<bytes.count, using: &random)
            switch Int.random(in: 0..<6, using: &random) {
            case 0: bytes[place] = Self.alphabet.randomElement(using: &random) ?? 0
            case 1: bytes.insert(Self.alphabet.randomElement(using: &random) ?? 0, at: place)
            case 2: bytes.remove(at: place)
            case 3: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            case 4: bytes.removeSubrange(place...)
            default:
                let end = Int.random(in: place..<bytes.count, using: &random)
                bytes.insert(contentsOf: bytes[place...end], at: place)
            }
        }
        return bytes
    }
}
