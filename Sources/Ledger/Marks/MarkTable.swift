internal import Reachability

/// The marks of what was in which state, in an open file.
struct MarkTable {
    private let insert: Statement
    private let database: Database

    init(_ database: Database) throws(LedgerError) {
        self.database = database
        insert = try database.prepare(
            """
            INSERT INTO marks (kind, wall, trusted, boot, at, subject, state, reachable, after)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, (SELECT coalesce(max(sequence), 0) FROM entries))
            """)
    }

    /// Writes a mark, within the caller's transaction.
    func append(_ mark: Mark) throws(LedgerError) {
        try insert.run([
            .text(mark.kind.rawValue), .integer(mark.clocks.wall), .integer(mark.clocks.isTrusted ? 1 : 0),
            .text(mark.clocks.boot), .integer(mark.clocks.now.microseconds), .text(mark.subject),
            .text(mark.state), .integer(mark.isReachable.map { $0 ? 1 : 0 }),
        ])
    }

    /// Takes out some of the oldest marks that are too old or too many, or whose rows have gone. What stays
    /// begins with a mark that says how all was then.
    ///
    /// - Parameters:
    ///   - cutoff: The wall clock's moment before which marks are too old; `nil` while it cannot be believed.
    ///   - lastRow: The last row that has gone.
    ///   - isTooLarge: Whether the file is too large, and has no rows to spare.
    /// - Returns: whether there may be more.
    func sweep(olderThan cutoff: Int64?, lastRow: Int64, isTooLarge: Bool) throws(LedgerError) -> Bool {
        let (first, last) = try ends()
        guard last > first else { return false }
        var bound = last - Limits.marksMax
        if isTooLarge { bound = max(bound, first + Int64(Limits.sweepRowsMax)) }
        let surplus = try database.prepare(
            """
            SELECT max(number) FROM marks WHERE kind IN ('started', 'alive')
                AND (number <= ?1 OR (trusted = 1 AND wall < ?2))
            """)
        var target: Int64 = 0
        try surplus.rows([.integer(min(bound, last)), .integer(cutoff ?? .min)]) { row in
            target = row.integer(0) ?? 0
        }
        if lastRow > 0 { target = max(target, try beginning(of: lastRow)) }
        // So many in one hour are cut anywhere.
        if target <= first, bound > first { target = min(bound, last) }
        let end = min(target, first + Int64(Limits.sweepRowsMax))
        guard end > first else { return false }
        try database.prepare("DELETE FROM marks WHERE number < ?1").run([.integer(end)])
        return end < target || isTooLarge
    }

    private func ends() throws(LedgerError) -> (first: Int64, last: Int64) {
        let first = try database.integer("SELECT coalesce(min(number), 0) FROM marks")
        return (first, try database.integer("SELECT coalesce(max(number), 0) FROM marks"))
    }

    /// The last mark to begin at that came before the first row that stays.
    private func beginning(of lastRow: Int64) throws(LedgerError) -> Int64 {
        var number: Int64 = 0
        try database.prepare(
            """
            SELECT number FROM marks WHERE kind IN ('started', 'alive') AND after <= ?1
            ORDER BY number DESC LIMIT 1
            """
        ).rows([.integer(lastRow)]) { number = $0.integer(0) ?? 0 }
        return number
    }
}
