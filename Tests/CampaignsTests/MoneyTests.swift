import Testing

@testable import Campaigns

@Suite("Money")
struct MoneyTests {
    @Test(
        "Decimal text is read exactly and written as it would be read",
        arguments: [
            ("0", 0, "0.00"), ("12.5", 12_500_000, "12.50"), ("0.000001", 1, "0.000001"),
            ("2.50", 2_500_000, "2.50"), ("-3.25", -3_250_000, "-3.25"), ("1.10000000", 1_100_000, "1.10"),
            ("9223372036854.775807", Int64.max, "9223372036854.775807"), ("007", 7_000_000, "7.00"),
            ("-0.000250", -250, "-0.00025"),
        ])
    func text(text: String, micros: Int64, written: String) throws {
        let money = try Money(text, currency: .euro)
        #expect(money.micros == micros)
        #expect(money.decimal == written)
        #expect(try Money(written, currency: .euro) == money)
    }

    @Test(
        "What is no decimal number is refused with its reason",
        arguments: [
            ("", DecimalError.malformed), (".5", .malformed), ("5.", .malformed), ("1e3", .malformed),
            ("1,5", .malformed), ("--1", .malformed), ("+1", .malformed), ("1.2.3", .malformed),
            ("-", .malformed),
            (" 1", .malformed), ("٣", .malformed), ("nan", .malformed),
            ("0.0000001", .tooPrecise(digitsMax: 6)), ("9223372036854.775808", .outOfRange),
            ("99999999999999999999", .outOfRange),
        ])
    func refused(text: String, error: DecimalError) {
        #expect(throws: error) { try Money(text, currency: .euro) }
    }

    @Test("An impression costs a thousandth of the price, to the last digit, and sums lose nothing")
    func impressions() throws {
        let one = ImpressionCost(cpm: try Money("2.499999", currency: .euro))
        #expect(one.description == "0.002499999 EUR")
        var sum = ImpressionCost(nanos: 0, currency: .euro)
        for _ in 0..<1_000 { sum = try #require(sum.adding(one)) }
        #expect(sum == one.times(1_000))
        #expect(sum.rounded == (try Money("2.499999", currency: .euro)))
    }

    @Test(
        "A cost is rounded once, halves to the even one",
        arguments: [(1_500, 2), (2_500, 2), (2_501, 3), (-1_500, -2), (-2_500, -2), (499, 0)])
    func rounding(nanos: Int64, micros: Int64) {
        #expect(ImpressionCost(nanos: nanos, currency: .euro).rounded.micros == micros)
    }

    @Test("Sums that cannot be kept, or of two currencies, are none")
    func bounds() {
        let most = Money(micros: .max, currency: .euro)
        #expect(most.adding(Money(micros: 1, currency: .euro)) == nil)
        #expect(most.adding(Money(micros: 0, currency: .usDollar)) == nil)
        #expect(ImpressionCost(nanos: .max, currency: .euro).times(2) == nil)
        #expect(ImpressionCost(nanos: .max, currency: .euro).adding(ImpressionCost(cpm: most)) == nil)
    }

    @Test("A currency is three capital letters")
    func currencies() {
        #expect(Currency(code: "CHF")?.code == "CHF")
        for code in ["", "eur", "EURO", "E1R", "ÄÖÜ"] { #expect(Currency(code: code) == nil, "\(code)") }
    }
}
