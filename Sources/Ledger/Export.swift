public import AdSlots

/// A row of the ledger, as it was kept.
public struct LedgerRow: Hashable, Sendable {
    /// Its place in the order.
    public let sequence: Int64
    /// What names it for ever.
    public let id: EntryID
    /// What happened: a word of ``Entry/Kind``.
    public let kind: String
    /// When, in microseconds since the Unix epoch.
    public let wall: Int64
    /// Whether the clock could be believed.
    public let isTrusted: Bool
    /// The words of the row: see ``Entry``.
    public let slot, host, source, creative, campaign, path, reason: String?
    /// The sequence of the request that it comes from.
    public let request: Int64?
    /// What a thousand impressions cost.
    public let price: CPM?
    /// When the view began that counts; when the ad left the screen or the action ended; how many
    /// microseconds the ad was in view.
    public let started, ended, visible: Int64?

    /// The price of a thousand impressions as a decimal number.
    public var cpm: String? { price.map { decimalText(Int128($0.nanos), digits: 9) } }

    static let columns = """
        sequence, id, kind, wall, trusted, slot, host, source, creative, campaign, path, reason, request,
            cpm_nanos, currency, started, ended, visible
        """

    init?(_ row: Statement) {
        guard let id = EntryID(bytes: row.blob(1)) else { return nil }
        sequence = row.integer(0) ?? 0
        self.id = id
        kind = row.text(2) ?? ""
        wall = row.integer(3) ?? 0
        isTrusted = row.integer(4) == 1
        (slot, host, source, creative) = (row.text(5), row.text(6), row.text(7), row.text(8))
        (campaign, path, reason, request) = (row.text(9), row.text(10), row.text(11), row.integer(12))
        price =
            if let nanos = row.integer(13), nanos >= 0, let currency = row.text(14) {
                CPM(nanos: nanos, currency: currency)
            } else { nil }
        (started, ended, visible) = (row.integer(15), row.integer(16), row.integer(17))
    }
}

/// A span of the wall clock, in microseconds since the Unix epoch: from the first up to before the second.
public struct WallSpan: Hashable, Sendable {
    /// The beginning; nothing for all that there is.
    public var since: Int64?
    /// The end, which is no part of it; nothing for now.
    public var until: Int64?

    /// Creates a span.
    public init(since: Int64? = nil, until: Int64? = nil) {
        (self.since, self.until) = (since, until)
    }

    func contains(_ wall: Int64) -> Bool { wall >= since ?? .min && wall < until ?? .max }
}

/// How far an export has come. Rows that are appended after it began are no part of it.
public struct ExportCursor: Sendable {
    let span: WallSpan
    var next: Int64
    let end: Int64

    /// Whether all has been read.
    public var isAtEnd: Bool { next > end }
}

extension LedgerFile {
    /// Begins an export. The clock may have stepped, so that rows of one hour are not always together: what
    /// lies between the first and the last of them is looked at.
    func export(_ span: WallSpan) throws(LedgerError) -> ExportCursor {
        var cursor: ExportCursor?
        try database.prepare(
            "SELECT coalesce(min(first), 1), coalesce(max(last), 0) FROM hours WHERE hour BETWEEN ?1 AND ?2"
        ).rows([.integer((span.since ?? .min).hour), .integer((span.until ?? .max).hour)]) { row in
            cursor = ExportCursor(span: span, next: row.integer(0) ?? 1, end: row.integer(1) ?? 0)
        }
        return cursor ?? ExportCursor(span: span, next: 1, end: 0)
    }

    /// Reads the next page, which may be empty though there is more.
    func read(_ cursor: inout ExportCursor) throws(LedgerError) -> [LedgerRow] {
        var rows: [LedgerRow] = []
        var last: Int64?
        var count = 0
        let span = cursor.span
        try database.prepare(
            """
            SELECT \(LedgerRow.columns) FROM entries WHERE sequence BETWEEN ?1 AND ?2
            ORDER BY sequence LIMIT \(Limits.exportRowsMax)
            """
        ).rows([.integer(cursor.next), .integer(cursor.end)]) { row in
            count += 1
            last = row.integer(0)
            guard let read = LedgerRow(row), span.contains(read.wall) else { return }
            rows.append(read)
        }
        cursor.next = count < Limits.exportRowsMax ? cursor.end + 1 : (last ?? cursor.end) + 1
        return rows
    }
}
