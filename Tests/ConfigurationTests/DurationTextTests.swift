import Testing

import struct Simulation.SeededGenerator

@testable import Configuration

@Suite("Spans of time as text")
struct DurationTextTests {
    @Test(
        "A span is read exactly to the microsecond",
        arguments: [
            ("0", 0), ("0s", 0), ("0us", 0), ("000", 0),
            ("1us", 1), ("250ms", 250_000), ("30s", 30_000_000), ("5min", 300_000_000), ("2h", 7_200_000_000),
            ("1d", 86_400_000_000),
            ("7", 7_000_000), ("0.5", 500_000),
            ("1.5s", 1_500_000), ("1.25ms", 1_250), ("0.000001s", 1), ("1.000000s", 1_000_000),
            ("0.5min", 30_000_000), ("0.000001min", 60), ("1.5h", 5_400_000_000), ("0.25d", 21_600_000_000),
            ("1h 30min", 5_400_000_000), ("1s 1s 1s", 3_000_000), ("1min 30", 90_000_000),
            ("  1s   500ms ", 1_500_000), ("1d 1h 1min 1s 1ms 1us", 90_061_001_001),
            ("36500d", 3_153_600_000_000_000),
        ] as [(String, Int64)])
    func reads(_ text: String, microseconds: Int64) {
        #expect(DurationText.parse(text) == .microseconds(microseconds))
    }

    @Test(
        "What is no span of time is refused",
        arguments: [
            "", " ", "s", "ms", ".", ".5s", "5.s", "1.2.3s", "-1s", "+1s", "1 s", "1e3s", "0x10s", "1,5s",
            "1_000",
            "5m", "5sec", "5S", "5MIN", "5w", "5y", "1s,", "1s;", "soon", "infinity", "nan", "1s\t1s", "1s\n",
            "１s", "٣s", "1s soon", "½s",
        ])
    func refuses(_ text: String) {
        #expect(DurationText.parse(text) == nil)
    }

    @Test(
        "Digits finer than a microsecond are refused, not rounded",
        arguments: ["0.5us", "1.0us", "0.0001ms", "1.0000000s", "0.00000001min"])
    func refusesFinerDigits(_ text: String) {
        #expect(DurationText.parse(text) == nil)
    }

    @Test(
        "More than a hundred years are refused, however they are said",
        arguments: [
            "36501d", "36500d 1us", "36499.5d 0.5d 1us", "3153600001", "9223372036854775807us",
            "9223372036854775807s", "9223372036854775808us", "99999999999999999999999d",
            // The whole part fits 64 bits of microseconds and the sum with the fraction does not.
            "9223372036854.775808s", "106751991.9d", "9223372036854775.999ms",
            "36500d 36500d 36500d",
        ])
    func refusesTooLong(_ text: String) {
        #expect(DurationText.parse(text) == nil)
    }

    @Test(
        "A span is written in the largest unit that says it shortly",
        arguments: [
            (0, "0"), (1, "1us"), (999, "999us"), (1_000, "1ms"), (1_500, "1.5ms"), (1_501, "1501us"),
            (250_000, "250ms"), (1_000_000, "1s"), (1_500_000, "1.5s"), (1_550_000, "1550ms"),
            (60_000_000, "1min"), (90_000_000, "1.5min"), (61_000_000, "61s"), (180_000_000, "3min"),
            (3_600_000_000, "1h"), (86_400_000_000, "1d"), (604_800_000_000, "7d"),
        ] as [(Int64, String)])
    func writes(microseconds: Int64, _ text: String) {
        #expect(DurationText.format(.microseconds(microseconds)) == text)
    }

    @Test("What is written reads as the same span", arguments: [UInt64(1), 2, 3])
    func roundTrip(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<5_000 {
            // Spans of every magnitude, round ones as often as odd ones.
            let magnitude = Int64.random(in: 0...15, using: &generator)
            let scale = (0..<magnitude).reduce(Int64(1)) { product, _ in product * 10 }
            let unit: Int64 = [1, 1, 1_000, 60_000_000, 3_600_000_000].randomElement(using: &generator) ?? 1
            let number = Int64.random(in: 0...scale, using: &generator)
            let (product, overflow) = number.multipliedReportingOverflow(by: unit)
            let longest = DurationText.microsecondsMax
            let span = Duration.microseconds(overflow ? longest : min(product, longest))
            #expect(DurationText.parse(DurationText.format(span)) == span, "seed \(seed), \(span)")
        }
    }

    @Test("No text traps", arguments: [UInt64(11), 12])
    func anyText(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let pieces = [
            "0", "1", "9", "99999999999", "9223372036854", "775808", ".", " ", "s", "us", "ms", "min", "d",
            "é",
        ]
        for _ in 0..<20_000 {
            let count = Int.random(in: 0...6, using: &generator)
            let text = (0..<count).map { _ in pieces.randomElement(using: &generator) ?? "" }.joined()
            if let span = DurationText.parse(text) {
                #expect(span >= .zero && span <= .microseconds(DurationText.microsecondsMax), "'\(text)'")
            }
        }
    }
}
