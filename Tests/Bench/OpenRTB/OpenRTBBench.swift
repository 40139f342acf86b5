import OpenRTB

#if canImport(Glibc)
    import Glibc
#endif

/// Measures what an auction costs the device itself: `openrtb-bench ROUNDS` prints one JSON line with how
/// many requests are built, and how many answers are read and judged, a second; then the request and the
/// answer, a line each, for whoever wants to do the same with them.
@main
struct OpenRTBBench {
    static func main() {
        guard CommandLine.arguments.count == 2, let rounds = Int(CommandLine.arguments[1]), rounds > 0,
            let first = request(0)
        else {
            print("usage: openrtb-bench ROUNDS")
            exit(2)
        }
        let answer = Array(Self.answer.utf8)
        guard case .won = first.judge(answer).outcome else {
            print("the answer is refused")
            exit(1)
        }
        var bytes = 0
        let building = ContinuousClock().measure {
            for round in 0..<rounds { bytes += request(round)?.encoded.count ?? 0 }
        }
        var wins = 0
        let judging = ContinuousClock().measure {
            for _ in 0..<rounds { if case .won = first.judge(answer).outcome { wins += 1 } }
        }
        precondition(bytes > rounds && wins == rounds)
        func rate(_ spent: Duration) -> Int { Int(Double(rounds) / (spent / .seconds(1))) }
        print(
            #"{"requestsPerSecond": \#(rate(building)), "requestBytes": \#(first.encoded.count), "#
                + #""answersPerSecond": \#(rate(judging)), "answerBytes": \#(answer.count)}"#)
        print(String(decoding: first.encoded, as: UTF8.self))
        print(Self.answer)
    }

    /// A request with all that an operator of screens would say.
    private static func request(_ number: Int) -> BidRequest? {
        var settings = DemandSettings()
        settings.endpoint = "https://exchange.example/bid"
        settings.blocks.domains = ["rival.example", "other.example"]
        settings.blocks.categories = ["IAB25", "IAB26"]
        return BidRequest(
            id: "auction\(number)", settings: settings, slot: "banner",
            format: Format(width: 320, height: 50), connection: .wifi, timeLeft: .seconds(2),
            now: 1_700_000_000_000)
    }

    /// Three bids of two seats, each with markup of half a kilobyte and three notices.
    private static let answer: String = {
        let bids = (1...3).map { number in
            #"{"id":"b\#(number)","impid":"1","price":1.\#(number),"crid":"creative\#(number)","cid":"c1","#
                + #""w":320,"h":50,"mtype":1,"adomain":["shoes.example"],"cat":["IAB18"],"#
                + #""nurl":"https://x.example/win?p=${AUCTION_PRICE}&i=${AUCTION_ID}","#
                + #""burl":"https://x.example/bill?p=${AUCTION_PRICE}","#
                + #""lurl":"https://x.example/loss?r=${AUCTION_LOSS}","#
                + #""adm":"<a href='https://shoes.example/?p=${AUCTION_PRICE}'>"#
                + String(repeating: "text ", count: 100) + #"</a>"}"#
        }
        return #"{"id":"auction0","bidid":"r1","cur":"USD","seatbid":[{"seat":"s1","bid":[\#(bids[0]),"#
            + #"\#(bids[1])]},{"seat":"s2","bid":[\#(bids[2])]}]}"#
    }()
}
