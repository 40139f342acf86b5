internal import Reachability

extension LedgerFile {
    /// A mark that reading can begin at.
    private struct Beginning {
        let number: Int64
        let boot: String
        let wall, at: Int64
    }

    /// Begins a timeline.
    /// - Parameter slots: The names of the slots that there are, each once; others follow them.
    func timeline(_ span: WallSpan, slots: [String], at clocks: Clocks) throws(LedgerError) -> TimelineDraft {
        var offsets = [clocks.boot: clocks.wall - clocks.now.microseconds]
        var (first, last): (Int64, Int64) = (
            0, try database.integer("SELECT coalesce(max(number), 0) FROM marks")
        )
        var oldest: Int64?
        var later: (number: Int64, time: Int64) = (.max, clocks.wall)
        for beginning in try beginnings() {
            let offset: Int64
            if let known = offsets[beginning.boot] {
                offset = known
            } else {
                offset = try self.offset(of: beginning, before: later)
                offsets[beginning.boot] = offset
            }
            let time = beginning.at + offset
            (later, oldest, first) = ((beginning.number, time), time, beginning.number)
            if time >= span.until ?? .max { last = beginning.number }
            if time <= span.since ?? .min { break }
        }
        let since = span.since ?? oldest ?? clocks.wall
        let until = max(span.until ?? clocks.wall, since)
        return TimelineDraft(
            since: since, until: until, now: clocks.wall,
            marks: first <= last && last > 0 ? first...last : nil,
            offsets: offsets, counting: try counting(since, until, slots))
    }

    /// The marks to begin at, the newest first.
    private func beginnings() throws(LedgerError) -> [Beginning] {
        var beginnings: [Beginning] = []
        try database.prepare(
            """
            SELECT number, boot, wall, at FROM marks WHERE kind IN ('started', 'alive')
            ORDER BY number DESC LIMIT \(Limits.timelineBeginningsMax)
            """
        ).rows { row in
            beginnings.append(
                Beginning(
                    number: row.integer(0) ?? 0, boot: row.text(1) ?? "", wall: row.integer(2) ?? 0,
                    at: row.integer(3) ?? 0))
        }
        return beginnings
    }

    /// What is to be added to the boot clock of an earlier boot: at its last mark the wall clock was as right
    /// as it ever was then, and the next boot came after it.
    private func offset(
        of beginning: Beginning, before later: (number: Int64, time: Int64)
    ) throws(LedgerError) -> Int64 {
        var last = (wall: beginning.wall, at: beginning.at)
        try database.prepare(
            "SELECT wall, at, boot FROM marks WHERE number < ?1 ORDER BY number DESC LIMIT 1"
        ).rows([.integer(later.number)]) { row in
            guard row.text(2) == beginning.boot else { return }
            last = (row.integer(0) ?? 0, row.integer(1) ?? 0)
        }
        return min(last.wall, later.time) - last.at
    }

    private func counting(
        _ since: Int64, _ until: Int64, _ slots: [String]
    ) throws(LedgerError) -> TimelineDraft.Counting {
        let hour: Int64 = 3_600_000_000
        let first = (since - 1).hour + 1
        let end = until.hour
        guard first < end else {
            let rows = try export(WallSpan(since: since, until: until))
            return TimelineDraft.Counting(hours: nil, rows: [rows], slots: slots)
        }
        let (start, stop) = (first * hour, end * hour)
        var rows: [ExportCursor] = []
        for span in [WallSpan(since: since, until: start), WallSpan(since: stop, until: until)]
        where span.since != span.until {
            rows.append(try export(span))
        }
        return TimelineDraft.Counting(
            hours: ReportDraft(WallSpan(since: start, until: stop), by: .slot), rows: rows, slots: slots)
    }

    /// Reads the next page, which may be empty though there is more: so little that it takes a few
    /// milliseconds.
    func read(_ draft: inout TimelineDraft) throws(LedgerError) -> TimelinePage {
        if let range = draft.marks { return TimelinePage(marks: try readMarks(range, &draft)) }
        guard draft.counting.isCounted else {
            try count(&draft.counting)
            return TimelinePage()
        }
        let told = draft.counting.told
        let slots = draft.counting.counts.dropFirst(told).prefix(Limits.timelineMarksMax)
        draft.counting.told += slots.count
        return TimelinePage(slots: Array(slots))
    }

    private func count(_ counting: inout TimelineDraft.Counting) throws(LedgerError) {
        if var hours = counting.hours, !hours.isComplete {
            try add(to: &hours)
            counting.hours = hours
            guard hours.isComplete else { return }
            for group in hours.groups.values.sorted(by: { $0.key < $1.key }) {
                counting.add(group.key, impressions: group.impressions, actions: group.actions)
            }
            return
        }
        guard let index = counting.rows.firstIndex(where: { !$0.isAtEnd }) else { return }
        for row in try read(&counting.rows[index]) {
            let isImpression = row.kind == Entry.Kind.impression.rawValue
            let isAction = row.kind == Entry.Kind.action.rawValue
            counting.add(
                row.slot ?? "", impressions: isImpression ? 1 : 0, actions: isAction ? 1 : 0)
        }
    }
}

// Marks, on one scale of time.
extension LedgerFile {
    private struct Row {
        let number: Int64
        let kind: String
        let wall, at: Int64
        let boot: String
        let subject, state: String?
        let isReachable: Bool?
        let after: Int64
    }

    private func readMarks(
        _ range: ClosedRange<Int64>, _ draft: inout TimelineDraft
    ) throws(LedgerError) -> [TimelineMark] {
        var rows: [Row] = []
        try database.prepare(
            """
            SELECT number, kind, wall, at, boot, subject, state, reachable, after FROM marks
            WHERE number BETWEEN ?1 AND ?2 ORDER BY number LIMIT \(Limits.timelineMarksMax)
            """
        ).rows([.integer(range.lowerBound), .integer(range.upperBound)]) { row in
            rows.append(
                Row(
                    number: row.integer(0) ?? 0, kind: row.text(1) ?? "", wall: row.integer(2) ?? 0,
                    at: row.integer(3) ?? 0, boot: row.text(4) ?? "", subject: row.text(5),
                    state: row.text(6), isReachable: row.integer(7).map { $0 != 0 },
                    after: row.integer(8) ?? 0))
        }
        var marks: [TimelineMark] = []
        for row in rows { try append(row, to: &marks, &draft) }
        let next = (rows.last?.number ?? range.upperBound) + 1
        draft.marks =
            rows.count == Limits.timelineMarksMax && next <= range.upperBound
            ? next...range.upperBound : nil
        return marks
    }

    private func append(
        _ row: Row, to marks: inout [TimelineMark], _ draft: inout TimelineDraft
    ) throws(LedgerError) {
        let time = max(
            row.at + (draft.offsets[row.boot] ?? row.wall - row.at), draft.previous?.time ?? .min)
        if row.kind == Mark.Kind.started.rawValue, let previous = draft.previous, previous.isRunning {
            marks.append(
                TimelineMark(
                    kind: TimelineMark.killed,
                    time: try lastKnown(of: previous, before: row.after, draft, time),
                    subject: nil, state: nil, isReachable: nil))
        }
        marks.append(
            TimelineMark(
                kind: row.kind, time: time, subject: row.subject, state: row.state,
                isReachable: row.isReachable))
        draft.previous = TimelineDraft.Previous(
            time: time, after: row.after, boot: row.boot, isRunning: row.kind != Mark.Kind.stopped.rawValue)
    }

    /// The last moment that is known of a daemon that left no word: that of its last mark, or of a later row.
    private func lastKnown(
        of previous: TimelineDraft.Previous, before lastRow: Int64, _ draft: TimelineDraft, _ next: Int64
    ) throws(LedgerError) -> Int64 {
        guard lastRow > previous.after, let offset = draft.offsets[previous.boot] else {
            return previous.time
        }
        var time = previous.time
        try database.prepare("SELECT at FROM entries WHERE sequence = ?1").rows([.integer(lastRow)]) { row in
            time = max(time, (row.integer(0) ?? 0) + offset)
        }
        return min(time, next)
    }
}
