public import Reachability

/// What the shell does for the coordinator, in the order given. Plain data: performing it decides nothing.
public enum Effect: Equatable, Sendable {
    /// The host has the slot; its commands follow.
    case attached(HostID)
    /// The host does not get the slot.
    case attachRefused(HostID, AttachRefusal)
    /// The change of the host's screen was not taken.
    case updateRefused(HostID, UpdateRefusal)
    /// The host is to carry out a command. After `detach` there is nobody left to tell: the `release` that
    /// comes then says that the banner's life is over.
    case command(HostID, Command)
    /// The host loses its slot; its commands came before.
    case hostDropped(HostID, HostDrop)

    /// A source is to be asked.
    case request(SourceRequest)
    /// Nobody waits for this answer any more.
    case cancel(RequestID)
    /// A source filled.
    case filled(slot: String, Creative)
    /// An advertisement that had come was dropped before it was ever seen.
    case dropped(slot: String, Creative)
    /// A source gave nothing.
    case sourceFailed(slot: String, source: String, SourceError)
    /// An advertisement counts as seen.
    case impression(Impression)
    /// An advertisement left the screen, for good or for a while. What it says the last time of an
    /// advertisement holds.
    case leftScreen(ScreenTime)

    /// The answer to a begun action.
    case beginAnswered(BeginID, BeginAnswer)
    /// An action that was allowed runs; it comes before its answer.
    case actionStarted(ActionID, slot: String, Creative, leavesApplication: Bool)
    /// An action that was allowed is over.
    case actionEnded(ActionID, slot: String, ActionEnd)
    /// The host has no such action under way.
    case finishRefused(HostID, ActionID)

    /// The work is registered; its instructions follow.
    case registered(WorkID)
    /// The work is not registered.
    case registerRefused(WorkID, RegisterRefusal)
    /// Work is told to stand still or to go on.
    case instruct(WorkID, Instruction)
    /// Work did not answer within `PauseTimeout=`; the action does not wait for it.
    case pauseUnanswered(WorkID)
    /// An acknowledgement or a veto was not taken.
    case tokenRefused(WorkID, token: Int, TokenRefusal)

    /// There is no slot of that name to disable or enable; `known` are the names that there are.
    case enablementRefused(slot: String, known: [String])

    /// Something that queries show of a slot has changed: at most once per event and slot, at the end.
    case slotChanged(String)
    /// Something that queries show of a piece of work has changed: at most once per event, at the end.
    case workChanged(WorkID)
}

/// A question to a source.
public struct SourceRequest: Hashable, Sendable {
    /// What the answer names.
    public var id: RequestID
    /// The slot that asks.
    public var slot: String
    /// The source that is asked.
    public var source: SourceReference
    /// The size that is wanted, in density-independent pixels.
    public var size: Size
    /// The moment at which the coordinator stops waiting.
    public var deadline: Instant

    /// Creates a question.
    public init(id: RequestID, slot: String, source: SourceReference, size: Size, deadline: Instant) {
        self.id = id
        self.slot = slot
        self.source = source
        self.size = size
        self.deadline = deadline
    }
}

/// An advertisement that was in view long enough.
public struct Impression: Hashable, Sendable {
    /// The slot that showed it.
    public var slot: String
    /// The host that drew it.
    public var host: HostID
    /// The host's name for itself.
    public var hostName: String?
    /// What was shown.
    public var creative: Creative
    /// When the view that counts began.
    public var start: Instant
    /// How long it had been in view, without a break, when it counted.
    public var visible: Duration

    /// Creates an impression.
    public init(
        slot: String, host: HostID, hostName: String? = nil, creative: Creative, start: Instant,
        visible: Duration
    ) {
        self.slot = slot
        self.host = host
        self.hostName = hostName
        self.creative = creative
        self.start = start
        self.visible = visible
    }
}

/// How long an advertisement that has left the screen was in view.
public struct ScreenTime: Hashable, Sendable {
    /// The slot that showed it.
    public var slot: String
    /// What was shown.
    public var creative: Creative
    /// How long it has been in view since it was first shown, all views together. Neither the time under an
    /// action counts, nor that in which the host said that it is not visible.
    public var visible: Duration
    /// Whether it counted as an impression.
    public var isCounted: Bool

    /// Creates an account.
    public init(slot: String, creative: Creative, visible: Duration, isCounted: Bool) {
        self.slot = slot
        self.creative = creative
        self.visible = visible
        self.isCounted = isCounted
    }
}
