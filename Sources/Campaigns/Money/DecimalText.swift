/// What is wrong with a decimal number in text.
public enum DecimalError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Not an optional sign, digits, and digits after a point.
    case malformed
    /// More digits after the point than are kept, and not zeros.
    case tooPrecise(digitsMax: Int)
    /// Beyond what can be kept.
    case outOfRange

    /// In words, for an error message.
    public var description: String {
        switch self {
        case .malformed: "is not a decimal number such as 12.50"
        case .tooPrecise(let digits): "has more than \(digits) digits after the point"
        case .outOfRange: "is out of range"
        }
    }
}

/// Decimal numbers as text and as whole numbers of their smallest unit, without floating point between.
enum DecimalText {
    /// Reads `-12.5` as -12,500,000 for six digits. Zeros may follow beyond the digits that are kept.
    static func parse(_ text: some StringProtocol, digits: Int) throws(DecimalError) -> Int64 {
        var rest = Substring(text).utf8[...]
        let isNegative = rest.first == UInt8(ascii: "-")
        if isNegative { rest = rest.dropFirst() }
        var value: Int64 = 0
        var whole = 0
        var fraction: Int?
        for byte in rest {
            if byte == UInt8(ascii: "."), fraction == nil, whole > 0 {
                fraction = 0
                continue
            }
            guard (0x30...0x39).contains(byte) else { throw .malformed }
            if let places = fraction {
                fraction = places + 1
                if places >= digits {
                    guard byte == 0x30 else { throw .tooPrecise(digitsMax: digits) }
                    continue
                }
            } else {
                whole += 1
            }
            value = try appending(Int64(byte) - 0x30, to: value)
        }
        guard whole > 0, fraction != 0 else { throw .malformed }
        for _ in min(fraction ?? 0, digits)..<digits { value = try appending(0, to: value) }
        return isNegative ? -value : value
    }

    private static func appending(_ digit: Int64, to value: Int64) throws(DecimalError) -> Int64 {
        let (product, overflow) = value.multipliedReportingOverflow(by: 10)
        let (sum, carry) = product.addingReportingOverflow(digit)
        guard !overflow, !carry else { throw .outOfRange }
        return sum
    }

    /// Writes -12,500,000 of six digits as `-12.50`: at least `digitsMin` digits after the point.
    static func format(_ value: Int64, digits: Int, digitsMin: Int = 2) -> String {
        var figures = String(value.magnitude)
        if figures.utf8.count <= digits {
            figures = String(repeating: "0", count: digits + 1 - figures.utf8.count) + figures
        }
        var fraction = figures.suffix(digits)
        let whole = figures.dropLast(digits)
        while fraction.utf8.count > digitsMin, fraction.last == "0" { fraction.removeLast() }
        return (value < 0 ? "-" : "") + whole + (fraction.isEmpty ? "" : "." + fraction)
    }
}
