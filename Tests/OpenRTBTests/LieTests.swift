import JSON
import OpenRTB
import Testing

/// A bid that cannot be taken, and what is said about it.
struct Lie: Sendable, CustomTestStringConvertible {
    let bid: JSONObject
    let kind: BidFlaw.Kind
    let field: String
    let words: String
    let loss: LossReason
    var settings: @Sendable (inout DemandSettings) -> Void = { _ in }

    var testDescription: String { "\(JSONValue.object(bid))" }
}

private let lies: [Lie] = [
    Lie(bid: ["id": nil], kind: .wrongAnswer, field: "id", words: "missing", loss: .invalidResponse),
    Lie(bid: ["id": 7], kind: .wrongAnswer, field: "id", words: "no text", loss: .invalidResponse),
    Lie(bid: ["id": "a\nb"], kind: .wrongAnswer, field: "id", words: "control", loss: .invalidResponse),
    Lie(bid: ["impid": nil], kind: .wrongAnswer, field: "impid", words: "missing", loss: .invalidResponse),
    Lie(
        bid: ["impid": "2"], kind: .wrongAnswer, field: "impid", words: "'2' is no impression of the request",
        loss: .invalidResponse),
    Lie(bid: ["dealid": "d"], kind: .wrongAnswer, field: "dealid", words: "never", loss: .invalidDeal),
    Lie(bid: ["price": nil], kind: .wrongAnswer, field: "price", words: "missing", loss: .missingPrice),
    Lie(bid: ["price": "1.5"], kind: .wrongAnswer, field: "price", words: "no num", loss: .invalidResponse),
    Lie(bid: ["price": -1], kind: .wrongAnswer, field: "price", words: "-1 is no", loss: .invalidResponse),
    Lie(bid: ["price": 1e300], kind: .wrongAnswer, field: "price", words: "no price", loss: .invalidResponse),
    Lie(
        bid: ["price": 0.3499999], kind: .noFill, field: "price",
        words: "0.3499999 is below the floor of 0.35", loss: .belowFloor,
        settings: { $0.floor = Price("0.35") ?? .zero }),
    Lie(bid: ["mtype": 2], kind: .wrongCreative, field: "mtype", words: "no banner", loss: .wrongFormat),
    Lie(
        bid: ["w": 300], kind: .wrongCreative, field: "w", words: "300 where 320x50 was asked for",
        loss: .sizeNotAllowed),
    Lie(bid: ["h": 51], kind: .wrongCreative, field: "h", words: "51 where", loss: .sizeNotAllowed),
    Lie(bid: ["h": nil], kind: .wrongCreative, field: "h", words: "nothing where", loss: .sizeNotAllowed),
    Lie(bid: ["w": 320.5], kind: .wrongAnswer, field: "w", words: "no whole number", loss: .invalidResponse),
    Lie(
        bid: ["adomain": ["ok.example", "Ads.RIVAL.example"]], kind: .wrongCreative, field: "adomain[1]",
        words: "'Ads.RIVAL.example' is blocked by rival.example", loss: .advertiserExcluded,
        settings: { $0.blocks.domains = ["other.example", "rival.example"] }),
    Lie(
        bid: ["adomain": nil], kind: .wrongCreative, field: "adomain", words: "missing",
        loss: .invalidAdvertiserDomain, settings: { $0.blocks.domains = ["rival.example"] }),
    Lie(
        bid: ["adomain": "a.example"], kind: .wrongAnswer, field: "adomain", words: "no array",
        loss: .invalidResponse),
    Lie(
        bid: ["adomain": [1]], kind: .wrongAnswer, field: "adomain[0]", words: "no short text",
        loss: .invalidResponse),
    Lie(
        bid: ["cat": ["IAB1", "IAB25-3"]], kind: .wrongCreative, field: "cat[1]",
        words: "'IAB25-3' is blocked by IAB25", loss: .categoryExcluded,
        settings: { $0.blocks.categories = ["IAB25"] }),
    Lie(
        bid: ["cat": ["1"], "cattax": 6], kind: .wrongCreative, field: "cattax", words: "held against",
        loss: .categoryExcluded, settings: { $0.blocks.categories = ["IAB25"] }),
    Lie(
        bid: ["attr": [2, 6]], kind: .wrongCreative, field: "attr[1]", words: "6 is blocked",
        loss: .attributeExcluded, settings: { $0.blocks.attributes = [6] }),
    Lie(
        bid: ["bundle": "com.rival"], kind: .wrongCreative, field: "bundle", words: "'com.rival' is blocked",
        loss: .appExcluded, settings: { $0.blocks.apps = ["com.rival"] }),
    Lie(bid: ["adm": nil], kind: .wrongCreative, field: "adm", words: "missing", loss: .missingMarkup),
    Lie(bid: ["adm": " \n"], kind: .wrongCreative, field: "adm", words: "missing", loss: .missingMarkup),
    Lie(
        bid: ["adm": nil, "nurl": "https://x.example/"], kind: .wrongCreative, field: "adm",
        words: "by the win notice", loss: .missingMarkup),
    Lie(
        bid: ["adm": .string(String(repeating: "x", count: 65_537))], kind: .wrongCreative, field: "adm",
        words: "longer than 65536 bytes", loss: .creativeFiltered),
    Lie(
        // Within the bound only until its macros are replaced.
        bid: ["adm": .string(String(repeating: "${AUCTION_AD_ID}", count: 1_000)), "adid": .string(longID)],
        kind: .wrongCreative, field: "adm", words: "longer than", loss: .creativeFiltered),
    Lie(
        bid: ["adm": "<img src=http://a.example/>"], kind: .wrongCreative, field: "adm", words: "over http",
        loss: .notSecure),
    Lie(bid: ["exp": 0], kind: .expired, field: "exp", words: "0 seconds", loss: .expired),
    Lie(bid: ["exp": -5], kind: .expired, field: "exp", words: "-5 seconds", loss: .expired),
    Lie(
        bid: ["nurl": "javascript:alert(1)"], kind: .wrongAnswer, field: "nurl",
        words: "'javascript:alert(1)' is no URL that may be called", loss: .invalidResponse),
    Lie(
        bid: ["burl": "file:///x"], kind: .wrongAnswer, field: "burl", words: "no URL", loss: .invalidResponse
    ),
    Lie(
        bid: ["adid": .string(longID + "x")], kind: .wrongAnswer, field: "adid", words: "longer than 255",
        loss: .invalidResponse),
]

private let longID = String(repeating: "i", count: 255)

@Suite("Bids that cannot be taken")
struct LieTests {
    @Test("Each is refused by its own field, in its own words, and the bidder is told", arguments: lies)
    func refused(lie: Lie) throws {
        var bid = lie.bid
        bid["lurl"] = "https://x.example/loss?r=${AUCTION_LOSS}&p=${AUCTION_PRICE}&m=${AUCTION_MIN_TO_WIN}"
        let auction = try Exchange.request(lie.settings).judge(Exchange.answer(bid: bid))
        let flaw = try #require(auction.flaw)
        #expect(flaw.kind == lie.kind)
        #expect(flaw.field == "seatbid[0].bid[0].\(lie.field)")
        #expect(flaw.message.contains(lie.words), "\(flaw)")
        #expect(flaw.loss == lie.loss)
        #expect(auction.losses.map(\.url) == ["https://x.example/loss?r=\(lie.loss.rawValue)&p=&m="])
        #expect(auction.losses.map(\.id) == ["auction1/0/loss"])
    }

    @Test("A loss notice that may not be called is refused with its bid, and not called")
    func lossURL() throws {
        let auction = try Exchange.request().judge(Exchange.answer(bid: ["lurl": "ftp://x.example/"]))
        #expect(auction.flaw?.field == "seatbid[0].bid[0].lurl")
        #expect(auction.losses.isEmpty)
    }

    @Test(
        "An answer that is none is refused as a whole",
        arguments: [
            ("nonsense", "", "no JSON"), ("[]", "", "no object"), ("7", "", "no object"),
            ("{\"id\":\"auction1\"", "", "no JSON"), ("\u{0}", "", "no JSON"),
            (#"{"id":"other"}"#, "id", "'other' is another request"), (#"{"id":5}"#, "id", "no text"),
            (#"{"id":"auction1","seatbid":{}}"#, "seatbid", "no array"),
            (#"{"id":"auction1","seatbid":[5]}"#, "seatbid[0]", "no object"),
            (#"{"id":"auction1","seatbid":[{"bid":5}]}"#, "seatbid[0].bid", "no array"),
            (#"{"id":"auction1","seatbid":[{"bid":[5]}]}"#, "seatbid[0].bid[0]", "no object"),
            (#"{"id":"auction1","seatbid":[{"seat":5}]}"#, "seatbid[0].seat", "no text"),
            (#"{"id":"auction1","nbr":"x"}"#, "nbr", "no whole number"),
            (#"{"seatbid":[{"bid":[{}]}]}"#, "id", "missing"),
            (#"{"id":"auction1","cur":"EUR","seatbid":[{"bid":[{}]}]}"#, "cur", "'EUR' where USD was asked"),
        ])
    func noAnswer(body: String, field: String, words: String) throws {
        let flaw = try #require(try Exchange.request().judge(Array(body.utf8)).flaw)
        #expect(flaw.kind == .wrongAnswer)
        #expect(flaw.field == field)
        #expect(flaw.message.contains(words), "\(flaw)")
    }

    @Test("The currency that is not named is the dollar")
    func impliedCurrency() throws {
        let answer = Exchange.answer([Exchange.bid()], ["cur": nil])
        #expect(try Exchange.request().judge(answer).win().currency == "USD")
        #expect(try Exchange.request { $0.currency = "EUR" }.judge(answer).flaw?.field == "cur")
    }

    @Test("More bids than anybody needs are no answer", arguments: [64, 65])
    func manyBids(count: Int) throws {
        let answer = Exchange.answer(Array(repeating: Exchange.bid(), count: count))
        let auction = try Exchange.request().judge(answer)
        #expect((auction.flaw == nil) == (count == 64))
    }

    @Test(
        "No bid is no fill, with the reason that was given",
        arguments: [
            ("", "an empty answer"), (" \n", "an empty answer"), ("{}", "no bid"),
            (#"{"id":"auction1"}"#, "no bid"),
            (#"{"id":"auction1","seatbid":[]}"#, "no bid"), (#"{"seatbid":null}"#, "no bid"),
            (#"{"id":"auction1","seatbid":[{"bid":[]}]}"#, "no bid"),
            (#"{"id":"auction1","nbr":2}"#, "nbr 2: invalid request"),
            (#"{"nbr":8.0}"#, "nbr 8: unmatched user"),
            (#"{"nbr":700}"#, "nbr 700: the exchange's own reason"),
            (#"{"nbr":-1}"#, "nbr -1: a reserved code"),
        ])
    func noFill(body: String, reason: String) throws {
        #expect(try Exchange.request().judge(Array(body.utf8)).outcome == .noFill(reason: reason))
    }
}
