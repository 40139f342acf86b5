/// An exact amount of money: whole micro-units of a currency.
public struct Money: Hashable, Sendable, CustomStringConvertible {
    /// Millionths of the currency's unit.
    public var micros: Int64
    /// The currency.
    public var currency: Currency

    /// Digits after the point that an amount can have.
    public static let digits = 6

    /// Creates an amount from millionths of the currency's unit.
    public init(micros: Int64, currency: Currency) {
        self.micros = micros
        self.currency = currency
    }

    /// Reads decimal text such as `12.50`, with up to six digits after the point.
    public init(_ text: some StringProtocol, currency: Currency) throws(DecimalError) {
        self.init(micros: try DecimalText.parse(text, digits: Money.digits), currency: currency)
    }

    /// The number without its currency: `12.50`, `0.000125`.
    public var decimal: String { DecimalText.format(micros, digits: Money.digits) }

    /// The number with its currency: `12.50 EUR`.
    public var description: String { "\(decimal) \(currency)" }

    /// The sum; nil when the currencies differ or it cannot be kept.
    public func adding(_ other: Money) -> Money? {
        let (sum, overflow) = micros.addingReportingOverflow(other.micros)
        return overflow || currency != other.currency ? nil : Money(micros: sum, currency: currency)
    }
}

/// What impressions cost, exactly: whole nano-units of a currency.
///
/// A price is for a thousand impressions (CPM) and has six digits after the point, so the price of one has
/// nine: a sum of these loses nothing, however many there are. It is rounded once, when it becomes money.
public struct ImpressionCost: Hashable, Sendable, CustomStringConvertible {
    /// Billionths of the currency's unit.
    public var nanos: Int64
    /// The currency.
    public var currency: Currency

    /// Creates a cost from billionths of the currency's unit.
    public init(nanos: Int64, currency: Currency) {
        self.nanos = nanos
        self.currency = currency
    }

    /// What one impression costs at a price for a thousand.
    public init(cpm: Money) {
        self.init(nanos: cpm.micros, currency: cpm.currency)
    }

    /// The sum; nil when the currencies differ or it cannot be kept.
    public func adding(_ other: ImpressionCost) -> ImpressionCost? {
        let (sum, overflow) = nanos.addingReportingOverflow(other.nanos)
        return overflow || currency != other.currency ? nil : ImpressionCost(nanos: sum, currency: currency)
    }

    /// What `count` impressions of this cost come to; nil when it cannot be kept.
    public func times(_ count: Int) -> ImpressionCost? {
        let (product, overflow) = nanos.multipliedReportingOverflow(by: Int64(count))
        return overflow ? nil : ImpressionCost(nanos: product, currency: currency)
    }

    /// This cost in whole micro-units, halves to the even one.
    public var rounded: Money {
        let (whole, rest) = nanos.quotientAndRemainder(dividingBy: 1_000)
        let isUp = rest.magnitude > 500 || (rest.magnitude == 500 && whole & 1 == 1)
        return Money(micros: isUp ? whole + nanos.signum() : whole, currency: currency)
    }

    /// The number with its currency and up to nine digits after the point.
    public var description: String { "\(DecimalText.format(nanos, digits: 9)) \(currency)" }
}
