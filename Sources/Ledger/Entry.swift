public import AdSlots
public import Reachability

/// What names a row before it has been written: its place in the order of this run, and its identifier.
public struct EntryReference: Hashable, Sendable {
    /// Counts the rows of this run from 0. The file says which sequence number the run began with.
    public let number: Int64
    /// The identifier.
    public let id: EntryID
}

/// Something that happened and is accounted for: a row of the ledger, as it is appended.
public struct Entry: Hashable, Sendable {
    /// What happened.
    public enum Kind: String, CaseIterable, Sendable {
        /// A source was asked.
        case request
        /// It gave an advertisement.
        case fill
        /// It gave none; the reason says why.
        case noFill
        /// Nobody waited for the answer any more.
        case cancelled
        /// An advertisement was put on screen for the first time.
        case shown
        /// An advertisement was in view long enough.
        case impression
        /// An action on it was allowed.
        case action
        /// A notice to a bidder was given up; the reason says why.
        case noticeGivenUp
        /// Rows could not be kept, and there was no more room in memory for them; the reason says how many.
        case lost

        /// Whether somebody is paid by it: it is on disk, whatever happens to the power, before anybody is
        /// told.
        var isMoney: Bool {
            switch self {
            case .impression, .action, .noticeGivenUp, .lost: true
            case .request, .fill, .noFill, .cancelled, .shown: false
            }
        }
    }

    /// What names it.
    public var reference: EntryReference
    /// What happened.
    public var kind: Kind
    /// When, in microseconds of the wall clock since the Unix epoch.
    public var wall: Int64
    /// Whether that clock could be believed.
    public var isTrusted: Bool
    /// When, on the boot clock.
    public var at: Instant
    /// In which slot.
    public var slot: String?
    /// The host's name for itself.
    public var host: String?
    /// Which source it is about.
    public var source: String?
    /// Which creative.
    public var creative: String?
    /// Which campaign.
    public var campaign: String?
    /// Why.
    public var reason: String?
    /// The path to the internet: for what is about an advertisement, the one that it came over.
    public var path: String?
    /// The request that it comes from.
    public var request: EntryReference?
    /// What a thousand impressions cost.
    public var price: CPM?
    /// When the view began that counts, by the wall clock.
    public var started: Int64?
    /// How long the advertisement has been in view, in microseconds.
    public var visible: Int64?

    /// Creates a row with nothing but its moment.
    init(_ kind: Kind, _ reference: EntryReference, at clocks: Clocks) {
        self.reference = reference
        self.kind = kind
        (wall, isTrusted, at) = (clocks.wall, clocks.isTrusted, clocks.now)
    }
}

/// What a turn of the coordinator changes in the ledger.
public enum Change: Hashable, Sendable {
    /// A row more.
    case append(Entry)
    /// The advertisement of an impression left the screen: when, by the wall clock, and how many
    /// microseconds it has been in view. A later one replaces it.
    case endImpression(EntryReference, ended: Int64, visible: Int64)
    /// An action is over: when, by the wall clock, and how.
    case endAction(EntryReference, ended: Int64, reason: String)
    /// Something is in another state from now on.
    case mark(Mark)
    /// A notice waits to be sent.
    case notice(OutboundNotice)
    /// A notice needs to be sent no more.
    case noticeDone(id: String)
    /// A notice could not be sent and is tried again: it has been tried so many times.
    case noticeTried(id: String, attempts: Int)

    var isMoney: Bool {
        switch self {
        case .append(let entry): entry.kind.isMoney
        case .notice, .noticeDone: true
        case .endImpression, .endAction, .mark, .noticeTried: false
        }
    }
}
