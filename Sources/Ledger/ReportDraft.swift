private let microsecondsPerHour: Int64 = 3_600_000_000

/// A report that is being put together, some hours at a time: years of them take longer than anybody else
/// should wait.
public struct ReportDraft: Sendable {
    /// The span, widened to whole hours.
    let span: WallSpan
    let grouping: ReportGrouping?
    /// The hours that are still to be summed up.
    var next: Int64
    let last: Int64
    var groups: [String: Report.Group] = [:]

    init(_ span: WallSpan, by grouping: ReportGrouping?) {
        let first = span.since.map(\.hour)
        // The hour in which the span ends is part of it, unless it ends where that begins.
        let last = span.until.map { max(($0 - 1).hour, first ?? .min) }
        self.span = WallSpan(
            since: first.map { $0 * microsecondsPerHour }, until: last.map { ($0 + 1) * microsecondsPerHour })
        self.grouping = grouping
        next = first ?? .min
        self.last = last ?? .max - 1
    }

    /// Whether all hours have been summed up.
    public var isComplete: Bool { next > last }
}

extension LedgerFile {
    /// Sums up some more hours: so few that it takes a few milliseconds, but one at the least.
    func add(to draft: inout ReportDraft) throws(LedgerError) {
        var end: Int64?
        try database.prepare(
            """
            SELECT hour FROM sums WHERE hour BETWEEN ?1 AND ?2 ORDER BY hour
            LIMIT 1 OFFSET \(Limits.reportSumsMax)
            """
        ).rows([.integer(draft.next), .integer(draft.last)]) { end = $0.integer(0) }
        let last = end.map { max($0 - 1, draft.next) } ?? draft.last
        for part in try parts(draft.grouping?.rawValue ?? "''", draft.next, last) {
            draft.groups[part.key, default: Report.Group(key: part.key)].add(part)
        }
        draft.next = last + 1
    }

    /// The report, with the times of the network.
    func finish(_ draft: ReportDraft, at clocks: Clocks) throws(LedgerError) -> Report {
        var groups = draft.groups.values.sorted { left, right in
            guard draft.grouping == .hour else { return left.key < right.key }
            return (Int64(left.key) ?? 0) < (Int64(right.key) ?? 0)
        }
        var total = Report.Group(key: "")
        for group in groups { total.add(group) }
        let network = try network(at: clocks)
        total.addTime(network, in: draft.span)
        let isCut = groups.count > Limits.reportGroupsMax
        groups.removeLast(max(0, groups.count - Limits.reportGroupsMax))
        switch draft.grouping {
        case .hour:
            for index in groups.indices {
                let start = (Int64(groups[index].key) ?? 0) * microsecondsPerHour
                groups[index].addTime(
                    network, in: WallSpan(since: start, until: start + microsecondsPerHour))
                groups[index].key = String(start)
            }
        case nil: groups = []
        case .slot, .source, .campaign, .path: break
        }
        return Report(span: draft.span, total: total, groups: groups, isCut: isCut)
    }

    /// The sums of some hours, one for each group and currency.
    /// - Parameter column: a column of ours, or a constant.
    private func parts(_ column: String, _ first: Int64, _ last: Int64) throws(LedgerError) -> [Report.Group]
    {
        var parts: [Report.Group] = []
        try database.prepare(
            """
            SELECT \(column) AS key, currency, sum(requests), sum(fills), sum(no_fills), sum(cancelled),
                sum(shown), sum(impressions), sum(actions), sum(cpm_units), sum(cpm_nanos)
            FROM sums WHERE hour BETWEEN ?1 AND ?2 GROUP BY key, currency
            """
        ).rows([.integer(first), .integer(last)]) { row in
            func count(_ column: Int32) -> Int64 { row.integer(column) ?? 0 }
            var part = Report.Group(key: row.text(0) ?? String(count(0)))
            (part.requests, part.fills, part.noFills) = (count(2), count(3), count(4))
            (part.cancelled, part.shown) = (count(5), count(6))
            (part.impressions, part.actions) = (count(7), count(8))
            if let currency = row.text(1), !currency.isEmpty, part.impressions > 0 {
                let nanos = Int128(count(9)) * Int128(Sums.nanosPerUnit) + Int128(count(10))
                part.revenue = [Report.Revenue(currency: currency, cpmNanos: nanos)]
            }
            parts.append(part)
        }
        return parts
    }
}
