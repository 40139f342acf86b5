import JSON
import OpenRTB
import Testing

@Suite("Competitors in other slots")
struct NeighbourTests {
    private let neighbours = BidRequest.Neighbours(
        domains: ["shoes.example", "rival.example"], categories: ["IAB2-3", "IAB25"])

    @Test("What other slots show is not wanted, besides what the operator blocks, each once")
    func request() throws {
        let request = try Exchange.request(neighbours: neighbours) {
            $0.blocks.domains = ["rival.example", "own.example"]
            $0.blocks.categories = ["IAB25"]
        }
        let body = try JSONValue(reading: request.encoded)
        #expect(body["badv"] == ["rival.example", "own.example", "shoes.example"])
        #expect(body["bcat"] == ["IAB25", "IAB2-3"])
        #expect(body["cattax"] == 1)
        let alone = try JSONValue(reading: Exchange.request().encoded)
        #expect(alone["badv"] == nil && alone["bcat"] == nil && alone["cattax"] == nil)
    }

    @Test("A bid that competes with another slot by now is no fill, and the next one wins")
    func judged() throws {
        let bids = [
            Exchange.bid(["price": 9, "adomain": ["cars.example"], "cat": ["IAB2"]]),
            Exchange.bid(["price": 5, "crid": "other", "lurl": "https://x.example/l?r=${AUCTION_LOSS}"]),
        ]
        let first = try Exchange.request().judge(Exchange.answer(bids)) { domains, categories in
            domains == ["cars.example"] && categories == ["IAB2"] ? "left" : nil
        }
        #expect(try first.win().creativeID == "other")
        let none = try Exchange.request().judge(Exchange.answer(bids)) { _, _ in "left" }
        #expect(none.flaw?.kind == .noFill && none.flaw?.loss == .advertiserExcluded)
        #expect(none.flaw?.description == "seatbid[0].bid[0]: a competitor is in slot left")
        #expect(none.losses.map(\.url) == ["https://x.example/l?r=205"])
    }

    @Test("A bid without a domain is taken all the same: who it is nobody knows")
    func nameless() throws {
        let answer = Exchange.answer(bid: ["adomain": .null])
        #expect(try Exchange.request(neighbours: neighbours).judge(answer).win().domains.isEmpty)
    }
}
