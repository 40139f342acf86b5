public import Reachability

/// What happens to the coordinator. Every input is one of these; nothing else reaches it.
public enum Event: Equatable, Sendable {
    /// The posted state of the network: with holds and damping applied.
    case reachability(reachable: Bool)

    /// A host asks for a slot. Answered by `attached` or `attachRefused`.
    case attach(slot: String, host: HostID, name: String?, viewport: Size, visible: Bool)
    /// A host's screen changed; `nil` leaves a part as it was. Answered by `updateRefused` or by nothing.
    case update(host: HostID, viewport: Size?, visible: Bool?)
    /// A host's connection is closed.
    case detach(host: HostID)

    /// A source answered. An answer to a request that was cancelled or that timed out changes nothing.
    ///
    /// `detail` says in a person's words what a failure comes from, for Explain.
    case sourceAnswered(request: RequestID, Result<Creative, SourceError>, detail: String? = nil)
    /// A source that had nothing for these slots may have something now: one that waits after a failure may
    /// ask again at once, but for `MinimumInterval=`. Names that there are not change nothing.
    case sourceChanged(slots: [String])
    /// Advertisements may be seen for a shorter or a longer time than was said when they came. One that is
    /// gone already changes nothing.
    case expiryChanged([Expiry])

    /// A person touched a banner. Answered by `beginAnswered`, at once or when work has paused.
    ///
    /// `pathUsable` is the network as it is at this moment, without holds.
    case beginAction(
        begin: BeginID, host: HostID, banner: BannerID, leavesApplication: Bool, pathUsable: Bool)
    /// A host says that an action is over. Answered by `actionEnded` or `finishRefused`.
    case finishAction(host: HostID, action: ActionID)

    /// Work registers. Answered by `registered` or `registerRefused`.
    case register(work: WorkID, name: String, kind: WorkKind, mayVeto: Bool)
    /// Work has paused as the instruction with this token said. Answered by `tokenRefused` or by nothing.
    case acknowledged(work: WorkID, token: Int)
    /// Work cannot pause now. Answered by `tokenRefused` or by nothing.
    case vetoed(work: WorkID, token: Int, reason: String)
    /// Work ended, or the connection that registered it closed.
    case workGone(work: WorkID)

    /// The operator disables or enables a slot. Answered by `enablementRefused` or by nothing.
    case setEnablement(slot: String, Enablement)
    /// The system is short of memory: banners of slots that are not visible go.
    case memoryPressure

    /// The configuration was read again.
    case configure(CoordinatorSettings)
    /// The moment of ``Coordinator/deadline`` has come. Too early or too late does no harm.
    case timer
    /// The daemon stops: work resumes, hosts are let go. Every later event is ignored.
    case shutdown
}

/// From when on an advertisement must not be seen any more.
public struct Expiry: Hashable, Sendable {
    /// The slot that asked for it.
    public var slot: String
    /// The request that it answers.
    public var request: RequestID
    /// The moment; one that is past means now. `nil` means never.
    public var expires: Instant?

    /// Puts the parts together.
    public init(slot: String, request: RequestID, expires: Instant?) {
        self.slot = slot
        self.request = request
        self.expires = expires
    }
}
