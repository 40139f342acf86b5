/// The notices that wait to be sent, in an open file.
struct OutboxTable {
    private let insert, remove, tried: Statement
    private let database: Database

    init(_ database: Database) throws(LedgerError) {
        self.database = database
        insert = try database.prepare(
            """
            INSERT OR IGNORE INTO outbox (id, kind, url, origin, wall, trusted, attempts)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
            """)
        remove = try database.prepare("DELETE FROM outbox WHERE id = ?1")
        tried = try database.prepare("UPDATE outbox SET attempts = ?2 WHERE id = ?1")
    }

    /// Writes what changes say about notices, within the caller's transaction.
    func write(_ changes: [Change]) throws(LedgerError) {
        for change in changes {
            switch change {
            case .notice(let notice):
                try insert.run([
                    .text(notice.id), .text(notice.kind), .text(notice.url), .text(notice.origin),
                    .integer(notice.wall), .integer(notice.isTrusted ? 1 : 0),
                    .integer(Int64(notice.attempts)),
                ])
            case .noticeDone(let id): try remove.run([.text(id)])
            case .noticeTried(let id, let attempts): try tried.run([.text(id), .integer(Int64(attempts))])
            case .append, .endImpression, .endAction, .mark: break
            }
        }
    }

    /// All that wait, oldest first.
    func read() throws(LedgerError) -> [OutboundNotice] {
        var notices: [OutboundNotice] = []
        try database.prepare(
            """
            SELECT id, kind, url, wall, trusted, attempts FROM outbox ORDER BY number
            LIMIT \(Limits.noticesMax)
            """
        ).rows { row in
            notices.append(
                OutboundNotice(
                    id: row.text(0) ?? "", kind: row.text(1) ?? "", url: row.text(2) ?? "",
                    wall: row.integer(3) ?? 0, isTrusted: row.integer(4) == 1,
                    attempts: Int(row.integer(5) ?? 0)))
        }
        return notices
    }
}
