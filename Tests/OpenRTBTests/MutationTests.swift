import JSON
import OpenRTB
import Testing

import struct Simulation.SeededGenerator

@Suite("Answers of any shape")
struct MutationTests {
    private static let values: [JSONValue] = [
        nil, true, 0, -1, 1.5, 1e300, "", "x", "${AUCTION_PRICE}", "https://x.example/${", [], [[]],
        [1, "a"], [:],
        ["a": nil], .integer(.min), .integer(.max), .double(-0.0), "\u{0}", "é\u{202E}",
    ]

    /// A value with one part of it replaced, removed or doubled.
    private func mutated(_ value: JSONValue, _ generator: inout SeededGenerator) -> JSONValue {
        if Int.random(in: 0..<4, using: &generator) == 0 {
            return Self.values.randomElement(using: &generator) ?? nil
        }
        switch value {
        case .array(var elements) where !elements.isEmpty:
            let index = Int.random(in: 0..<elements.count, using: &generator)
            if Int.random(in: 0..<4, using: &generator) == 0 {
                elements.append(elements[index])
            } else {
                elements[index] = mutated(elements[index], &generator)
            }
            return .array(elements)
        case .object(var object) where !object.isEmpty:
            guard let key = object.keys.randomElement(using: &generator), let old = object[key] else {
                return value
            }
            let isRemoved = Int.random(in: 0..<8, using: &generator) == 0
            object[key] = isRemoved ? nil : mutated(old, &generator)
            return .object(object)
        default:
            return Self.values.randomElement(using: &generator) ?? nil
        }
    }

    @Test("None traps, and what wins stands every check", arguments: [UInt64(1), 2, 3, 4])
    func mutations(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let request = try Exchange.request { settings in
            settings.floor = Price("0.5") ?? .zero
            settings.blocks.domains = ["rival.example"]
            settings.blocks.categories = ["IAB25"]
            settings.blocks.attributes = [6]
        }
        let full: JSONObject = [
            "cat": ["IAB1"], "attr": [1], "exp": 30, "mtype": 1, "bundle": "com.a", "adid": "a", "cid": "c",
            "nurl": "https://x.example/w?p=${AUCTION_PRICE}",
            "burl": "https://x.example/b?p=${AUCTION_PRICE}",
            "lurl": "https://x.example/l?p=${AUCTION_LOSS}",
            "adm": "<a href=\"https://x.example/${AUCTION_ID}\">",
        ]
        let seed = try JSONValue(reading: Exchange.answer([Exchange.bid(full), Exchange.bid(full)]))
        var wins = 0
        for _ in 0..<4_000 {
            var value = seed
            for _ in 0...Int.random(in: 0..<3, using: &generator) { value = mutated(value, &generator) }
            let auction = request.judge(value.encoded)
            for loss in auction.losses { check(loss) }
            guard case .won(let win) = auction.outcome else { continue }
            wins += 1
            #expect(win.price >= request.settings.floor, "\(value)")
            #expect(!win.domains.isEmpty && !win.domains.contains("rival.example"), "\(value)")
            #expect(!win.markup.isEmpty && (win.expirySeconds ?? 1) > 0, "\(value)")
            for notice in [win.winNotice, win.billing?.notice(at: 5)].compactMap(\.self) { check(notice) }
        }
        // Both outcomes were really met.
        #expect(wins > 200 && wins < 3_800, "\(wins)")
    }

    private func check(_ notice: Notice) {
        #expect(WebAddress.isAcceptable(notice.url) && !notice.url.contains("${A"), "\(notice)")
    }

    @Test("Bytes that were changed or cut never trap", arguments: [UInt64(5), 6])
    func bytes(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let request = try Exchange.request()
        let whole = Exchange.answer(bid: ["exp": 3, "burl": "https://x.example/${AUCTION_PRICE}"])
        for _ in 0..<4_000 {
            var bytes = whole
            for _ in 0...Int.random(in: 0..<4, using: &generator) {
                bytes[Int.random(in: 0..<bytes.count, using: &generator)] = .random(
                    in: 0...255, using: &generator)
            }
            if Bool.random(using: &generator) {
                bytes.removeLast(Int.random(in: 0..<bytes.count, using: &generator))
            }
            if let flaw = request.judge(bytes).flaw {
                let isOneLine = !flaw.description.contains { $0.isNewline }
                #expect(isOneLine, "\(flaw)")
            }
        }
    }
}
