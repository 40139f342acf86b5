/// An amount of money per thousand impressions (CPM), exact: billionths of a unit of its currency.
///
/// Prices of exchanges are JSON numbers. What they write with up to 15 significant digits is kept to the last
/// digit; digits finer than a billionth are cut off, so that a price is never taken for more than it is.
public struct Price: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// Billionths of a unit; never negative.
    public let billionths: Int64

    private static let scaleDigits = 9
    private static let unit: Int64 = 1_000_000_000

    /// Nothing.
    public static let zero = Price(billionths: 0)

    private init(billionths: Int64) {
        self.billionths = billionths
    }

    /// Reads a decimal number such as `0.25`, `3` or `1.5e-2`; `nil` where it is none, is negative, or is
    /// more than 9.2 billion.
    public init?(_ text: some StringProtocol) {
        var digits: [UInt8] = []
        var scale = 0
        var rest = Substring(text).utf8[...]
        var isPastPoint = false
        var hasDigit = false
        while let byte = rest.first, byte != UInt8(ascii: "e"), byte != UInt8(ascii: "E") {
            rest = rest.dropFirst()
            if byte == UInt8(ascii: "."), !isPastPoint, hasDigit {
                isPastPoint = true
                continue
            }
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte), digits.count < 400 else {
                return nil
            }
            hasDigit = true
            digits.append(byte - UInt8(ascii: "0"))
            if isPastPoint { scale += 1 }
        }
        guard hasDigit, !isPastPoint || scale > 0 else { return nil }
        if !rest.isEmpty {
            guard let exponent = Int(Substring(rest.dropFirst())), abs(exponent) <= 1_000 else { return nil }
            scale -= exponent
        }
        var value: Int64 = 0
        // The digits of the billionths: all of them, with zeros behind or without the finest.
        let wanted = digits.count - scale + Self.scaleDigits
        guard wanted > 0 else {
            billionths = 0
            return
        }
        for place in 0..<wanted {
            let digit = place < digits.count ? digits[place] : 0
            let (product, overflow) = value.multipliedReportingOverflow(by: 10)
            let (sum, carry) = product.addingReportingOverflow(Int64(digit))
            guard !overflow, !carry else { return nil }
            value = sum
        }
        billionths = value
    }

    /// The shortest decimal number: `0.25`, `3`.
    public var description: String {
        let fraction = billionths % Self.unit
        guard fraction > 0 else { return "\(billionths / Self.unit)" }
        var digits = String(fraction)
        digits = String(repeating: "0", count: Self.scaleDigits - digits.count) + digits
        while digits.hasSuffix("0") { digits.removeLast() }
        return "\(billionths / Self.unit).\(digits)"
    }

    /// The lower price first.
    public static func < (left: Price, right: Price) -> Bool { left.billionths < right.billionths }
}
