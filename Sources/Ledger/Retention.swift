internal import Reachability

/// How much of the past is kept.
public struct Retention: Hashable, Sendable {
    /// How old rows may get.
    public var ageMax: Duration
    /// How many bytes of the file may be in use.
    public var sizeMaxBytes: Int64

    /// Creates bounds.
    public init(ageMax: Duration = .seconds(90 * 86_400), sizeMaxBytes: Int64 = 256 << 20) {
        (self.ageMax, self.sizeMaxBytes) = (ageMax, sizeMaxBytes)
    }
}

extension LedgerFile {
    /// Takes out some of the rows that are too many, the oldest first. The newest always stays.
    ///
    /// A row's age is known where the clock could be believed when it was written, and only while it can be
    /// believed now: a clock that jumps takes nothing away. Rows of an unknown age go with a later row of a
    /// known one, and at the latest by the size.
    ///
    /// - Returns: whether there are more.
    func sweep(_ retention: Retention, at clocks: Clocks) throws(LedgerError) -> Bool {
        let newest = try entries.next() - 1
        let isTooLarge = try sizeBytes() > retention.sizeMaxBytes
        let cutoff = clocks.wall - retention.ageMax.microseconds
        let old = clocks.isTrusted ? try lastOlder(than: cutoff) : 0
        let oldest = isTooLarge ? try lastOfStep() : old
        let last = min(max(old, oldest), newest - 1)
        guard last > 0 else {
            let more = try marks.sweep(
                olderThan: clocks.isTrusted ? cutoff : nil, lastRow: 0, isTooLarge: isTooLarge)
            if more { try giveBack() }
            return more
        }
        var gone: Int64 = 0
        try database.transaction { () throws(LedgerError) in
            try database.prepare("DELETE FROM entries WHERE sequence <= ?1").run([.integer(last)])
            gone = database.changes
            _ = try marks.sweep(
                olderThan: clocks.isTrusted ? cutoff : nil, lastRow: last, isTooLarge: false)
            try database.prepare("DELETE FROM hours WHERE last <= ?1").run([.integer(last)])
            if clocks.isTrusted {
                try database.prepare("DELETE FROM sums WHERE hour < ?1").run([.integer(cutoff.hour)])
            }
        }
        try giveBack()
        return gone > 0
    }

    /// Gives pages that are free to the file system.
    private func giveBack() throws(LedgerError) {
        try database.execute("PRAGMA incremental_vacuum(\(Limits.sweepPagesMax))")
    }

    private func lastOlder(than cutoff: Int64) throws(LedgerError) -> Int64 {
        try lastOfStep(where: "trusted = 1 AND wall < ?1", [.integer(cutoff)])
    }

    private func lastOfStep(
        where condition: String = "true", _ values: [Statement.Value] = []
    ) throws(LedgerError) -> Int64 {
        var last: Int64 = 0
        try database.prepare(
            """
            SELECT coalesce(max(sequence), 0) FROM
                (SELECT sequence, wall, trusted FROM entries ORDER BY sequence LIMIT \(Limits.sweepRowsMax))
            WHERE \(condition)
            """
        ).rows(values) { last = $0.integer(0) ?? 0 }
        return last
    }
}
