import JSON
import OpenRTB
import Testing

@Suite("Auctions")
struct AuctionTests {
    private let lurl: JSONValue =
        "https://x.example/l?b=${AUCTION_AD_ID}&r=${AUCTION_LOSS}&p=${AUCTION_PRICE}&m=${AUCTION_MIN_TO_WIN}"

    private func bid(_ name: String, _ price: JSONValue, _ changes: JSONObject = [:]) -> JSONValue {
        var all: JSONObject = ["id": .string(name), "adid": .string(name), "crid": .string(name)]
        all["price"] = price
        all["lurl"] = lurl
        for member in changes.members { all[member.key] = member.value }
        return Exchange.bid(all)
    }

    @Test("The highest bid wins, and the others are told by what they were beaten")
    func highest() throws {
        let auction = try Exchange.request().judge(
            Exchange.answer([bid("a", 1), bid("b", 1.25), bid("c", 9, ["mtype": 4]), bid("d", 1.2)]))
        #expect(try auction.win().creativeID == "b")
        #expect(try auction.win().price == Price("1.25"))
        #expect(
            auction.losses.map(\.url) == [
                "https://x.example/l?b=a&r=102&p=&m=1.25", "https://x.example/l?b=c&r=204&p=&m=",
                "https://x.example/l?b=d&r=102&p=&m=1.25",
            ])
        #expect(auction.losses.map(\.id) == ["auction1/0/loss", "auction1/2/loss", "auction1/3/loss"])
    }

    @Test("Of equals the first wins, whatever the seats")
    func tie() throws {
        let answer = Exchange.answer(
            [], ["seatbid": [["bid": [bid("a", 1.0)]], ["bid": [bid("b", 2)]], ["bid": [bid("c", 2.0)]]]])
        #expect(try Exchange.request().judge(answer).win().creativeID == "b")
    }

    @Test("A bid whose markup turns out unfit makes way for the next")
    func unfitMarkup() throws {
        let auction = try Exchange.request().judge(
            Exchange.answer([bid("a", 2, ["adm": "<img src=http://a.example/>"]), bid("b", 1)]))
        #expect(try auction.win().creativeID == "b")
        #expect(auction.losses.map(\.url) == ["https://x.example/l?b=a&r=207&p=&m="])
    }

    @Test("Where none can be taken, the first one's flaw is the reason")
    func noneSound() throws {
        let auction = try Exchange.request().judge(
            Exchange.answer([bid("a", 1, ["w": 1]), bid("b", 2, ["mtype": 3])]))
        #expect(auction.flaw?.field == "seatbid[0].bid[0].w")
        #expect(auction.losses.count == 2)
    }

    @Test("Every macro is replaced in markup and notices, and the billing notice says when")
    func notices() throws {
        let all =
            "id=${AUCTION_ID}&bid=${AUCTION_BID_ID}&imp=${AUCTION_IMP_ID}&seat=${AUCTION_SEAT_ID}"
            + "&ad=${AUCTION_AD_ID}&p=${AUCTION_PRICE}&c=${AUCTION_CURRENCY}&mbr=${AUCTION_MBR}"
            + "&l=${AUCTION_LOSS}&m=${AUCTION_MIN_TO_WIN}&x=${AUCTION_MULTIPLIER}&t=${AUCTION_IMP_TS}"
            + "&n=${AUCTION_NEW}"
        let request = try Exchange.request { settings in
            settings.floor = Price("0.5") ?? .zero
            settings.quantity = DemandSettings.Quantity(multiplier: Price("14.2") ?? .zero)
        }
        let win = try request.judge(
            Exchange.answer(bid: [
                "adid": "ad 1", "nurl": .string("https://x.example/win?" + all),
                "burl": .string("https://x.example/bill?" + all), "adm": .string("<b>\(all)</b>"),
            ])
        ).win()
        let common =
            "id=auction1&bid=response%201&imp=1&seat=seat%261&ad=ad%201&p=1.25&c=USD&mbr=1&l=&m=0.5&x=14.2"
        #expect(win.winNotice?.url == "https://x.example/win?\(common)&t=&n=")
        #expect(win.winNotice?.id == "auction1/0/win")
        let billing = try #require(win.billing?.notice(at: 1_700_000_001_000))
        #expect(billing.url == "https://x.example/bill?\(common)&t=1700000001000&n=")
        #expect(billing.id == "auction1/0/billing")
        #expect(
            win.markup
                == "<b>id=auction1&bid=response 1&imp=1&seat=seat&1&ad=ad 1&p=1.25&c=USD&mbr=1&l=&m=0.5"
                + "&x=14.2&t=&n=</b>")
    }

    @Test("A bid says little, and that is enough")
    func sparse() throws {
        let sparse: JSONObject = [
            "w": nil, "h": nil, "crid": nil, "adomain": nil, "mtype": 1, "exp": nil, "nurl": "",
            "ext": ["a": 1],
        ]
        let win = try Exchange.request().judge(Exchange.answer(bid: sparse)).win()
        #expect(win.creativeID == "b1")
        #expect(win.winNotice == nil && win.billing == nil)
        #expect(win.domains.isEmpty && win.expirySeconds == nil && win.clickURL == nil)
    }

    @Test("An ad holds for as long as both sides want it to")
    func expiry() throws {
        func seconds(bid: JSONValue, settings: Int64?) throws -> Int64? {
            try Exchange.request { $0.expirySeconds = settings }
                .judge(Exchange.answer(bid: ["exp": bid])).win().expirySeconds
        }
        #expect(try seconds(bid: nil, settings: nil) == nil)
        #expect(try seconds(bid: 30, settings: nil) == 30)
        #expect(try seconds(bid: 30, settings: 60) == 30)
        #expect(try seconds(bid: 90, settings: 60) == 60)
        #expect(try seconds(bid: nil, settings: 60) == 60)
        #expect(try seconds(bid: 99_999_999, settings: nil) == 604_800)
    }

    @Test("Domains and categories that only look like blocked ones are not blocked")
    func similar() throws {
        let request = try Exchange.request { settings in
            settings.blocks.domains = ["rival.example"]
            settings.blocks.categories = ["IAB2"]
        }
        let bid: JSONObject = ["adomain": ["notrival.example", "example"], "cat": ["IAB25", "IAB20-1"]]
        _ = try request.judge(Exchange.answer(bid: bid)).win()
    }

    @Test(
        "However a blocked domain or category is written, it is blocked",
        arguments: [
            ("RIVAL.example", "IAB9"), ("rival.example.", "IAB9"), ("https://rival.example/x", "IAB9"),
            ("shop.rival.example", "IAB9"), ("a.example", "iab2-3"),
        ])
    func disguised(domain: String, category: String) throws {
        let request = try Exchange.request { settings in
            settings.blocks.domains = ["rival.example"]
            settings.blocks.categories = ["IAB2"]
        }
        let bid: JSONObject = ["adomain": [.string(domain)], "cat": [.string(category)]]
        let result = request.judge(Exchange.answer(bid: bid))
        guard case .refused = result.outcome else {
            Issue.record("\(result)")
            return
        }
    }

    @Test("Prices are compared as they were written")
    func exactFloor() throws {
        let request = try Exchange.request { $0.floor = Price("0.3") ?? .zero }
        // 0.1 + 0.2, as a bidder that adds doubles writes it, and the floor itself.
        for price in ["0.30000000000000004", "0.3", "0.300", "3e-1"] {
            let body =
                #"{"id":"auction1","seatbid":[{"bid":[{"id":"b","impid":"1","adm":"x","price":"#
                + "\(price)}]}]}"
            #expect(try request.judge(Array(body.utf8)).win().price == Price("0.3"))
        }
    }
}
