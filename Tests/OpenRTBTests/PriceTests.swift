import OpenRTB
import Testing

@Suite("Prices")
struct PriceTests {
    @Test(
        "A decimal number is read exactly and written as shortly as it can be",
        arguments: [
            ("0", "0"), ("0.0", "0"), ("3", "3"), ("1.25", "1.25"), ("0.1", "0.1"), ("1.250", "1.25"),
            ("0.000000001", "0.000000001"), ("1e-05", "0.00001"), ("1.5E3", "1500"), ("2e0", "2"),
            ("9223372036.854775807", "9223372036.854775807"), ("00.5", "0.5"), ("1e-400", "0"),
            ("123456.789012345", "123456.789012345"),
        ])
    func exact(text: String, written: String) throws {
        #expect(try #require(Price(text)).description == written)
    }

    @Test("What is finer than a billionth is cut off, never rounded up")
    func cut() throws {
        #expect(try #require(Price("1.2999999999999998")).description == "1.299999999")
        #expect(try #require(Price("0.0000000009")) == .zero)
    }

    @Test(
        "What is no price is refused",
        arguments: [
            "", "-1", "+1", "-0", ".5", "1.", "1.2.3", "1e", "1e99", "e5", "1e2000", "nan", "inf", "0x1",
            "1,5",
            " 1", "1 ", "９", "9223372036.854775808", "1e10",
        ])
    func refused(text: String) {
        #expect(Price(text) == nil)
    }

    @Test("Prices are ordered by what they are worth")
    func order() throws {
        let texts = ["0", "0.000000001", "0.3", "0.31", "1", "10", "9"]
        let prices = texts.compactMap { Price($0) }.sorted()
        #expect(prices.map(\.description) == ["0", "0.000000001", "0.3", "0.31", "1", "9", "10"])
    }
}
