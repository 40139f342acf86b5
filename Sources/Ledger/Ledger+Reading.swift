/// What is asked of the ledger, and its retention.
extension Ledger {
    /// How the ledger stands.
    public struct Status: Equatable, Sendable {
        /// The file.
        public var path: String
        /// Why nothing can be written for now, `nil` where it can.
        public var trouble: LedgerError?
        /// Changes that wait in memory for the disk.
        public var waiting: Int
        /// Changes that were lost since the daemon started.
        public var lost: Int
        /// Bytes of the file that are in use.
        public var sizeBytes: Int64 = 0
        /// The sequence number of the oldest row; 0 without any.
        public var first: Int64 = 0
        /// The sequence number of the newest row; 0 without any.
        public var last: Int64 = 0
        /// The moment of the oldest row, in microseconds since the Unix epoch.
        public var oldest: Int64?
    }

    /// How the ledger stands.
    public func status(at clocks: Clocks) -> Status {
        var status = Status(path: path, trouble: trouble, waiting: waitingCount, lost: lostInAll)
        do throws(LedgerError) {
            try readStillFile(at: clocks) { file throws(LedgerError) in
                status.sizeBytes = try file.sizeBytes()
                status.last = try file.entries.next() - 1
                try file.database.prepare("SELECT sequence, wall FROM entries ORDER BY sequence LIMIT 1")
                    .rows { row in
                        status.first = row.integer(0) ?? 0
                        status.oldest = row.integer(1)
                    }
            }
        } catch {
            status.trouble = status.trouble ?? error
        }
        return status
    }

    /// Begins an export of the rows of a span, in their order.
    public func export(_ span: WallSpan, at clocks: Clocks) throws(LedgerError) -> ExportCursor {
        try readStillFile(at: clocks) { file throws(LedgerError) in try file.export(span) }
    }

    /// Reads the next rows of an export: so few that it takes a millisecond or two. There may be none though
    /// there is more.
    public func read(_ cursor: inout ExportCursor, at clocks: Clocks) throws(LedgerError) -> [LedgerRow] {
        var next = cursor
        let rows = try readStillFile(at: clocks) { file throws(LedgerError) in try file.read(&next) }
        cursor = next
        return rows
    }

    /// Begins a report of a span, in whole hours.
    public func report(_ span: WallSpan, by grouping: ReportGrouping?) -> ReportDraft {
        ReportDraft(span, by: grouping)
    }

    /// Sums up some more hours: so few that it takes a few milliseconds.
    public func add(to draft: inout ReportDraft, at clocks: Clocks) throws(LedgerError) {
        var next = draft
        try readStillFile(at: clocks) { file throws(LedgerError) in try file.add(to: &next) }
        draft = next
    }

    /// The whole report, once the draft is complete.
    public func finish(_ draft: ReportDraft, at clocks: Clocks) throws(LedgerError) -> Report {
        try readStillFile(at: clocks) { file throws(LedgerError) in try file.finish(draft, at: clocks) }
    }

    /// Begins a timeline of a span.
    /// - Parameter slots: The names of the slots that there are, each once.
    public func timeline(
        _ span: WallSpan, slots: [String], at clocks: Clocks
    ) throws(LedgerError) -> TimelineDraft {
        try readStillFile(at: clocks) { file throws(LedgerError) in
            try file.timeline(span, slots: slots, at: clocks)
        }
    }

    /// Reads the next page of a timeline: so little that it takes a few milliseconds. It may be empty though
    /// there is more.
    public func read(_ draft: inout TimelineDraft, at clocks: Clocks) throws(LedgerError) -> TimelinePage {
        var next = draft
        let page = try readStillFile(at: clocks) { file throws(LedgerError) in try file.read(&next) }
        draft = next
        return page
    }

    /// Takes out some of the rows that are too many: so few that it takes a few milliseconds.
    /// - Returns: whether there are more.
    public func sweep(_ retention: Retention, at clocks: Clocks) -> Bool {
        let more = try? read(at: clocks) { file throws(LedgerError) in try file.sweep(retention, at: clocks) }
        // A disk that cannot be written is found, and said, by whoever writes next.
        return more ?? false
    }
}
