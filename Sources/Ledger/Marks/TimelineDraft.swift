/// A mark as a timeline has it: on one scale of time, which never goes back.
public struct TimelineMark: Hashable, Sendable {
    /// What it is about: a word of ``Mark/Kind``, or `killed` where the daemon ended without a mark: then the
    /// moment is the last that is known of it.
    public let kind: String
    /// When, in microseconds since the Unix epoch, as the wall clock would have it that is right now, or was
    /// right at the last of an earlier boot.
    public let time: Int64
    /// The name of the slot or the work.
    public let subject: String?
    /// The state: see ``Mark``.
    public let state: String?
    /// Whether the internet could be reached; of marks about the network alone.
    public let isReachable: Bool?

    static let killed = "killed"
}

/// What a slot has delivered in the span of a timeline.
public struct SlotCount: Hashable, Sendable {
    /// The slot's name.
    public let slot: String
    /// Advertisements in view for long enough.
    public var impressions: Int64 = 0
    /// Actions allowed.
    public var actions: Int64 = 0
}

/// A part of a timeline. It may be empty.
public struct TimelinePage: Hashable, Sendable {
    /// Marks, in order.
    public var marks: [TimelineMark] = []
    /// Slots, those of the configuration first.
    public var slots: [SlotCount] = []
}

/// A timeline that is being read, a page at a time: first the marks, then what the slots have delivered.
public struct TimelineDraft: Sendable {
    /// From when on, in microseconds since the Unix epoch.
    public let since: Int64
    /// Up to before when; it may be to come.
    public let until: Int64
    /// The moment at which the reading began: of what comes after it nothing is known.
    public let now: Int64

    /// The numbers of the marks that are still to be read.
    var marks: ClosedRange<Int64>?
    /// What is to be added to the boot clock of each boot for the wall clock.
    let offsets: [String: Int64]
    /// The mark before, of which is known what time it was.
    var previous: Previous?
    var counting: Counting

    /// Whether all has been read.
    public var isAtEnd: Bool { marks == nil && counting.isAtEnd }

    struct Previous: Sendable {
        var time: Int64
        let after: Int64
        let boot: String
        let isRunning: Bool
    }

    /// Counts impressions and actions: whole hours by their sums, what is left at both ends by its rows.
    struct Counting: Sendable {
        var hours: ReportDraft?
        var rows: [ExportCursor]
        var counts: [SlotCount]
        var indices: [String: Int]
        var isCounted: Bool { hours?.isComplete ?? true && rows.allSatisfy(\.isAtEnd) }
        /// How many have been told.
        var told = 0
        var isAtEnd: Bool { isCounted && told == counts.count }

        init(hours: ReportDraft?, rows: [ExportCursor], slots: [String]) {
            self.hours = hours
            self.rows = rows
            counts = slots.map { SlotCount(slot: $0) }
            indices = Dictionary(uniqueKeysWithValues: zip(slots, counts.indices))
        }

        mutating func add(_ slot: String, impressions: Int64, actions: Int64) {
            guard impressions > 0 || actions > 0 else { return }
            let index = indices[slot] ?? counts.count
            if index == counts.count {
                counts.append(SlotCount(slot: slot))
                indices[slot] = index
            }
            counts[index].impressions += impressions
            counts[index].actions += actions
        }
    }
}
