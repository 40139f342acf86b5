import JSON
import OpenRTB
import Testing

/// A request, and the answers that an exchange could give to it.
enum Exchange {
    static func settings(_ change: (inout DemandSettings) -> Void = { _ in }) -> DemandSettings {
        var settings = DemandSettings()
        settings.endpoint = "https://exchange.example/bid"
        change(&settings)
        return settings
    }

    static func request(
        neighbours: BidRequest.Neighbours = BidRequest.Neighbours(),
        _ change: (inout DemandSettings) -> Void = { _ in }
    ) throws -> BidRequest {
        try #require(
            BidRequest(
                id: "auction1", settings: settings(change), slot: "banner",
                format: Format(width: 320, height: 50), connection: .wifi, timeLeft: .seconds(2),
                now: 1_700_000_000_000, neighbours: neighbours))
    }

    /// A sound bid, with other members as said; null takes one away.
    static func bid(_ changes: JSONObject = [:]) -> JSONValue {
        var bid: JSONObject = [
            "id": "b1", "impid": "1", "price": 1.25, "adm": "<b>ad</b>", "crid": "creative", "w": 320,
            "h": 50,
            "adomain": ["shoes.example"],
        ]
        for member in changes.members { bid[member.key] = member.value.isNull ? nil : member.value }
        return .object(bid)
    }

    /// An answer with these bids, all of one seat.
    static func answer(_ bids: [JSONValue], _ changes: JSONObject = [:]) -> [UInt8] {
        var answer: JSONObject = [
            "id": "auction1", "bidid": "response 1", "cur": "USD",
            "seatbid": [["seat": "seat&1", "bid": .array(bids)]],
        ]
        for member in changes.members { answer[member.key] = member.value.isNull ? nil : member.value }
        return JSONValue.object(answer).encoded
    }

    static func answer(bid changes: JSONObject = [:]) -> [UInt8] { answer([bid(changes)]) }
}

extension AuctionResult {
    /// The ad, which must have won.
    func win(at place: SourceLocation = #_sourceLocation) throws -> Win {
        guard case .won(let win) = outcome else {
            Issue.record("\(outcome)", sourceLocation: place)
            throw NoWin()
        }
        return win
    }

    /// What is wrong, where something is.
    var flaw: BidFlaw? {
        guard case .refused(let flaw) = outcome else { return nil }
        return flaw
    }

    struct NoWin: Error {}
}
