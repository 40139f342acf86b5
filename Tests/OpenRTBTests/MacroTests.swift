import Testing

@testable import OpenRTB

@Suite("Substitution macros")
struct MacroTests {
    private let macros = Macros(
        auctionID: "a1", bidID: "b&1", impressionID: "1", seatID: "s t", adID: "ad/1", currency: "EUR",
        price: "1.25", marketBidRatio: "1", loss: "102", minimumToWin: "0.9", multiplier: "14.2",
        impressionTime: "1700000000000")

    @Test(
        "Each is replaced, percent-encoded in a URL and as it stands in markup",
        arguments: [
            ("AUCTION_ID", "a1", "a1"), ("AUCTION_BID_ID", "b%261", "b&1"), ("AUCTION_IMP_ID", "1", "1"),
            ("AUCTION_SEAT_ID", "s%20t", "s t"), ("AUCTION_AD_ID", "ad%2F1", "ad/1"),
            ("AUCTION_PRICE", "1.25", "1.25"), ("AUCTION_CURRENCY", "EUR", "EUR"), ("AUCTION_MBR", "1", "1"),
            ("AUCTION_LOSS", "102", "102"), ("AUCTION_MIN_TO_WIN", "0.9", "0.9"),
            ("AUCTION_MULTIPLIER", "14.2", "14.2"), ("AUCTION_IMP_TS", "1700000000000", "1700000000000"),
        ])
    func each(name: String, inURL: String, inMarkup: String) {
        #expect(macros.substituted(in: "x${\(name)}y", of: .url) == "x\(inURL)y")
        #expect(macros.substituted(in: "x${\(name)}y", of: .markup) == "x\(inMarkup)y")
    }

    @Test("Each that has no value becomes nothing")
    func empty() {
        let bare = Macros(auctionID: "a1", impressionID: "1", currency: "USD")
        let text =
            "${AUCTION_BID_ID}${AUCTION_SEAT_ID}${AUCTION_AD_ID}${AUCTION_PRICE}${AUCTION_MBR}"
            + "${AUCTION_LOSS}${AUCTION_MIN_TO_WIN}${AUCTION_MULTIPLIER}${AUCTION_IMP_TS}"
        #expect(bare.substituted(in: text, of: .url) == "")
        #expect(bare.substituted(in: text, of: .markup) == "")
    }

    @Test(
        "One that nobody knows, or that asks for an algorithm, becomes nothing",
        arguments: ["AUCTION_NEW", "AUCTION_PRICE:B64", "AUCTION_", "AUCTION_PRICE ", "AUCTION_price"])
    func unknown(name: String) {
        #expect(macros.substituted(in: "x${\(name)}y", of: .url) == "xy")
        #expect(macros.substituted(in: "x${\(name)}y", of: .markup) == "xy")
    }

    @Test("Other dollars and braces are left to the markup, and taken out of a URL")
    func otherBraces() {
        let text = "`${count} of ${price}` $ {} ${ $${AUCTION_ID}"
        #expect(macros.substituted(in: text, of: .markup) == "`${count} of ${price}` $ {} ${ $a1")
        #expect(macros.substituted(in: "/?a=${AD}&b=$&c=${}", of: .url) == "/?a=&b=$&c=")
        #expect(macros.substituted(in: "/${AUCTION_ID", of: .url) == "/${AUCTION_ID")
    }

    @Test("A value is not looked through again")
    func once() {
        var macros = macros
        macros.seatID = "${AUCTION_PRICE}"
        #expect(macros.substituted(in: "${AUCTION_SEAT_ID}", of: .markup) == "${AUCTION_PRICE}")
        #expect(macros.substituted(in: "${AUCTION_SEAT_ID}", of: .url) == "%24%7BAUCTION_PRICE%7D")
    }

    @Test("Text of other languages is kept, and encoded where it is a value in a URL")
    func unicode() {
        var macros = macros
        macros.seatID = "é"
        #expect(macros.substituted(in: "ü${AUCTION_SEAT_ID}", of: .markup) == "üé")
        #expect(macros.substituted(in: "/${AUCTION_SEAT_ID}", of: .url) == "/%C3%A9")
    }
}
