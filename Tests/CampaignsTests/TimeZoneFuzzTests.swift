import Simulation
import Testing

@testable import Campaigns

@Suite("Spoilt time zone files")
struct TimeZoneFuzzTests {
    /// Files to spoil: made ones everywhere, and real ones where there are any.
    private static let seeds: [[UInt8]] = {
        var made = ZoneFile.rule("CET-1CEST,M3.5.0,M10.5.0/3")
        made.types = [(3_600, 0, 0), (7_200, 1, 0)]
        made.transitions = (0..<40).map { (Int64($0) * 15_768_000, UInt8($0 % 2)) }
        var old = made
        old.version = 0
        return [made.bytes, old.bytes] + ZoneFiles.names.compactMap { ZoneFiles.bytes(of: $0) }
    }()

    @Test("Whatever the bytes, they are refused or followed, and nothing traps", arguments: 1...8)
    func mutations(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var accepted = 0
        for _ in 0..<2_000 {
            var bytes = Self.seeds.randomElement(using: &random) ?? []
            for _ in 0..<Int.random(in: 1...6, using: &random) { spoil(&bytes, &random) }
            guard let rules = try? TimeZoneRules(tzif: bytes) else { continue }
            accepted += 1
            for _ in 0..<4 { follow(rules, &random) }
        }
        // Otherwise only the header was ever tried.
        #expect(accepted > 100, "seed \(seed)")
    }

    private func spoil(_ bytes: inout [UInt8], _ random: inout SeededGenerator) {
        guard let place = bytes.indices.randomElement(using: &random) else { return }
        switch Int.random(in: 0..<6, using: &random) {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes[place] ^= 1 << UInt8.random(in: 0...7, using: &random)
        case 2: bytes[place] = [0, 0x7F, 0x80, 0xFF].randomElement(using: &random) ?? 0
        case 3: bytes.removeSubrange(place..<min(place + 3, bytes.count))
        case 4: bytes.insert(contentsOf: bytes[place..<min(place + 5, bytes.count)], at: place)
        default:
            // The rule at the end.
            let end = max(bytes.count - 1 - Int.random(in: 0..<30, using: &random), 0)
            bytes[end] = Array("0123456789:,./MJ<>+-AZ".utf8).randomElement(using: &random) ?? 0
        }
    }

    private func follow(_ rules: TimeZoneRules, _ random: inout SeededGenerator) {
        let range = Limits.wallMilliseconds
        let time = WallTime(milliseconds: Int64.random(in: range, using: &random))
        let local = rules.local(at: time)
        _ = rules.resolve(local)
        _ = rules.nextTransition(after: time.seconds)
        let pattern = WeekPattern(dayparts: (try? Daypart("fri-mon 22:30-03:15")).map { [$0] } ?? [])
        if let change = pattern.nextChange(after: time, in: rules) {
            #expect(change > time || time.milliseconds == range.upperBound)
        }
    }
}
