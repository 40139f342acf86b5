/// What a report groups by.
public enum ReportGrouping: String, CaseIterable, Sendable {
    /// The slot.
    case slot
    /// The source that was asked.
    case source
    /// The campaign; empty for what came of none.
    case campaign
    /// The hour, UTC.
    case hour
    /// The path to the internet.
    case path
}

/// What was delivered in a span of time.
public struct Report: Equatable, Sendable {
    /// One group, or the whole.
    public struct Group: Equatable, Sendable {
        /// What the rows of the group have in common: a name, or for hours the microseconds since the Unix
        /// epoch at which the hour began. Empty for the whole.
        public var key: String
        /// Questions to sources.
        public var requests: Int64 = 0
        /// Questions that brought an advertisement.
        public var fills: Int64 = 0
        /// Questions that brought none.
        public var noFills: Int64 = 0
        /// Questions whose answer nobody waited for.
        public var cancelled: Int64 = 0
        /// Advertisements put on screen.
        public var shown: Int64 = 0
        /// Advertisements in view for long enough.
        public var impressions: Int64 = 0
        /// Actions allowed.
        public var actions: Int64 = 0
        /// The impressions' prices, by currency.
        public var revenue: [Revenue] = []
        /// Microseconds in which the network was watched. Known for hours and the whole.
        public var watched: Int64?
        /// Microseconds of those in which the internet could not be reached.
        public var unreachable: Int64?

        /// Fills of the requests that were answered or given up by the source: cancelled ones are nobody's
        /// failure.
        public var fillRate: Double? { ratio(fills, requests - cancelled) }
        /// Impressions of the advertisements that were put on screen.
        public var viewableShare: Double? { ratio(impressions, shown) }
        /// Actions of the impressions.
        public var clickThroughRate: Double? { ratio(actions, impressions) }

        init(key: String) { self.key = key }

        /// Takes in the counts of another part of the same group.
        mutating func add(_ part: Report.Group) {
            requests += part.requests
            fills += part.fills
            noFills += part.noFills
            cancelled += part.cancelled
            shown += part.shown
            impressions += part.impressions
            actions += part.actions
            for revenue in part.revenue { add(revenue) }
        }

        private mutating func add(_ part: Report.Revenue) {
            if let index = revenue.firstIndex(where: { $0.currency == part.currency }) {
                revenue[index].cpmNanos += part.cpmNanos
            } else {
                revenue.append(part)
                revenue.sort { $0.currency < $1.currency }
            }
        }

        private func ratio(_ part: Int64, _ whole: Int64) -> Double? {
            whole > 0 ? Double(part) / Double(whole) : nil
        }
    }

    /// What impressions brought in one currency.
    public struct Revenue: Equatable, Sendable {
        /// The currency by its ISO 4217 code.
        public var currency: String
        /// The prices for a thousand, summed up over the impressions: billionths of the currency's unit.
        public var cpmNanos: Int128

        /// All of it, exact: a thousandth of the sum.
        public var amount: String { decimalText(cpmNanos, digits: 12) }

        /// What a thousand of so many brought, rounded to six digits; `nil` for none. Of impressions it is
        /// the eCPM, of requests the RPM.
        public func perThousand(of count: Int64) -> String? {
            guard count > 0 else { return nil }
            let scale = Int128(count) * 1_000
            return decimalText((cpmNanos + scale / 2) / scale, digits: 6)
        }
    }

    /// The span, widened to whole hours.
    public var span: WallSpan
    /// All of it.
    public var total: Group
    /// The groups by name, or by time; what is beyond the bound is left out, and ``isCut``.
    public var groups: [Group]
    /// Whether there were more groups than are told.
    public var isCut: Bool
}
