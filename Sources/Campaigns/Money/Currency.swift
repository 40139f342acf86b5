/// A currency by its ISO 4217 code.
public struct Currency: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The three capital letters.
    public let code: String

    /// Checks the form of a code, three letters A to Z; whether ISO has given it to a currency is not known
    /// here.
    public init?(code: String) {
        guard code.utf8.count == 3, code.utf8.allSatisfy({ (0x41...0x5A).contains($0) }) else { return nil }
        self.code = code
    }

    private init(checked code: String) {
        self.code = code
    }

    /// The US dollar, which OpenRTB takes where no currency is named.
    public static let usDollar = Currency(checked: "USD")
    /// The euro.
    public static let euro = Currency(checked: "EUR")

    /// The code.
    public var description: String { code }

    /// By the letters.
    public static func < (left: Currency, right: Currency) -> Bool {
        left.code < right.code
    }
}
