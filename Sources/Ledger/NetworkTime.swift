internal import Reachability

/// A time in which the network was as it was.
struct NetworkStay {
    /// By the wall clock at its end: its length is measured on a clock that does not step.
    var span: Range<Int64>
    var isReachable: Bool
}

extension LedgerFile {
    private struct Row {
        let kind: Mark.Kind
        let wall: Int64
        let boot: String
        let at: Int64
        let isReachable: Bool
        let after: Int64
    }

    /// The times of which is known how the network was, up to now.
    ///
    /// A daemon that was killed left no mark; its last time lasts up to the last row that it wrote.
    func network(at clocks: Clocks) throws(LedgerError) -> [NetworkStay] {
        var marks: [Row] = []
        try database.prepare(
            """
            SELECT kind, wall, boot, at, reachable, after FROM marks WHERE reachable IS NOT NULL
            ORDER BY number
            """
        ).rows { row in
            guard let kind = Mark.Kind(rawValue: row.text(0) ?? "") else { return }
            marks.append(
                Row(
                    kind: kind, wall: row.integer(1) ?? 0, boot: row.text(2) ?? "", at: row.integer(3) ?? 0,
                    isReachable: row.integer(4) == 1, after: row.integer(5) ?? 0))
        }
        var stays: [NetworkStay] = []
        let lastWrite = try database.prepare("SELECT wall, at FROM entries WHERE sequence = ?1")
        for (index, mark) in marks.enumerated() where mark.kind != .stopped {
            var end: (wall: Int64, at: Int64)?
            if index + 1 < marks.count {
                let next = marks[index + 1]
                if next.kind == .started {
                    // A row that was there before the mark says nothing of what came after it.
                    guard next.after > mark.after else { continue }
                    try lastWrite.rows([.integer(next.after)]) { row in
                        end = (row.integer(0) ?? 0, row.integer(1) ?? 0)
                    }
                } else {
                    end = (next.wall, next.at)
                }
            } else if mark.boot == clocks.boot {
                end = (clocks.wall, clocks.now.microseconds)
            }
            guard let end, end.at > mark.at else { continue }
            stays.append(
                NetworkStay(span: end.wall - (end.at - mark.at)..<end.wall, isReachable: mark.isReachable))
        }
        return stays
    }
}

extension Report.Group {
    /// Takes in the times that lie in a span.
    mutating func addTime(_ network: [NetworkStay], in span: WallSpan) {
        var (watched, unreachable): (Int64, Int64) = (0, 0)
        for stay in network {
            let overlap =
                min(stay.span.upperBound, span.until ?? .max) - max(stay.span.lowerBound, span.since ?? .min)
            guard overlap > 0 else { continue }
            watched += overlap
            if !stay.isReachable { unreachable += overlap }
        }
        (self.watched, self.unreachable) = (watched, unreachable)
    }
}
