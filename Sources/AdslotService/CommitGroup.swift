internal import Ledger

/// What the events of one turn of the loop have brought, until it is on disk in one transaction.
struct CommitGroup {
    /// The rows and what completes earlier ones, in their order.
    private(set) var changes: [Change] = []
    /// The notices among them, to be sent once they are on disk.
    private(set) var notices: [OutboundNotice] = []
    /// How many events have joined, those that brought nothing to keep included.
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }

    /// Whether no more may join.
    var isFull: Bool { count >= Limits.groupEventsMax }

    mutating func add(_ changes: [Change], announcing notices: [OutboundNotice] = []) {
        count += 1
        self.changes += changes
        self.changes += notices.map { .notice($0) }
        self.notices += notices
    }
}
