/// Reads the rows of a table that may be damaged anywhere, one by one by their numbers and past what cannot
/// be read. Indexes are not used: they may be damaged too, and hold nothing that the rows do not.
struct DamagedTable {
    /// What lies at a number or behind it.
    private enum Finding {
        case row(Int64)
        case unreadable
        case end
    }

    private let statement: Statement

    /// - Parameters:
    ///   - key: the column that is the number of the row.
    ///   - columns: what is read behind it: the first of them is column 1.
    init(_ database: Database, _ table: String, key: String, columns: String) throws(LedgerError) {
        statement = try database.prepare(
            """
            SELECT \(key), \(columns) FROM \(table) NOT INDEXED WHERE \(key) >= ?1 ORDER BY \(key) LIMIT 1
            """)
    }

    /// Hands over all rows that can be read, in the order of their numbers; one behind damage more than once.
    ///
    /// - Parameter take: takes a row, and says whether it is one that this program may have written.
    /// - Returns: whether there was no damage.
    func rows(_ take: (Int64, Statement) -> Bool) -> Bool {
        var isWhole = true
        var next: Int64 = 1
        var failures = 0
        var step: Int64 = 1
        while next <= Limits.salvagedNumberMax {
            var finding = find(from: next, take)
            if case .unreadable = finding {
                isWhole = false
                failures += 1
                // One by one over a page, and in longer strides over more of them.
                if failures % Limits.salvagedPageRows == 0 { step *= 2 }
                next += step
                continue
            }
            // The last stride may have gone too far.
            if step > 1 { finding = first(behind: next - step, through: next, take) }
            guard case .row(let number) = finding else { return isWhole }
            next = number + 1
            failures = 0
            step = 1
        }
        return isWhole
    }

    /// What comes first behind a number where nothing could be read.
    /// - Parameter last: a number where there is a row to be read, or the table's end.
    private func first(
        behind start: Int64, through last: Int64, _ take: (Int64, Statement) -> Bool
    ) -> Finding {
        var (low, high) = (start, last)
        while high - low > 1 {
            let middle = low + (high - low) / 2
            if case .unreadable = find(from: middle, take) { low = middle } else { high = middle }
        }
        return find(from: high, take)
    }

    private func find(from number: Int64, _ take: (Int64, Statement) -> Bool) -> Finding {
        var finding = Finding.end
        do throws(LedgerError) {
            try statement.rows([.integer(number)]) { row in
                guard let found = row.integer(0), (number...Limits.salvagedNumberMax).contains(found),
                    take(found, row)
                else { return finding = .unreadable }
                finding = .row(found)
            }
        } catch {
            return .unreadable
        }
        return finding
    }
}
