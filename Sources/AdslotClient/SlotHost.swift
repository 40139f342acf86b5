package import VarlinkCore

/// A host of an ad slot, for programs with a loop of their own.
///
/// The daemon says what to draw, and the library keeps the connection: it comes back by itself when the
/// daemon restarts. Whoever waits for ``descriptor`` and calls ``process()`` when it is readable gets every
/// event on that thread; nothing here waits or blocks.
///
///     let host = try SlotHost(slot: "banner", viewport: Size(width: 1280, height: 720)) { event in
///         if case .command(let command) = event { draw(command) }
///     }
///     loop.watch(host.descriptor) { host.process() }
///
/// ``AsyncSlotHost`` is the same for programs with async functions.
public final class SlotHost {
    /// What happens to a host.
    public enum Event: Hashable, Sendable {
        /// The slot is this host's; commands follow.
        case attached
        /// The daemon has something done.
        case command(Command)
        /// The daemon is gone, or was not there: an action is over, and a banner has been taken away by the
        /// commands before. The next attempt comes after a time.
        case disconnected(AdslotError, retryIn: Duration)
        /// The daemon refuses (an unknown slot, one that has a host, a viewport that cannot be), and there
        /// will be no further attempt.
        case refused(AdslotError)
    }

    /// The answer to a begun action.
    public enum ActionAnswer: Hashable, Sendable {
        /// The action may run; the number is to be given to ``SlotHost/finishAction(_:)``.
        case allowed(Int)
        /// The action must not run, in a word why: `unreachable`, `vetoed`, `notShown`, `disconnected` …
        case refused(String)
    }

    private let onEvent: (Event) -> Void
    private let slot: String
    private let name: String?
    private var viewport: Size
    private var visible: Bool
    private var screen = Screen()
    private var keeper: LeaseKeeper?
    private var action: Int?
    /// Is shown each reply as it came; for adslotctl.
    package var onReply: (JSONObject) -> Void = { _ in }

    /// Prepares a host; it attaches in the first turn of ``process()``.
    ///
    /// - Parameters:
    ///   - slot: the slot's name in the daemon's configuration.
    ///   - viewport: the size of the host's screen or window.
    ///   - visible: whether at least half of a banner would be in view.
    ///   - name: what the daemon calls the host in its log and lists.
    ///   - socket: the daemon's socket; without one the user's own daemon is tried, then the service.
    ///   - onEvent: is told of each event, in order.
    public init(
        slot: String, viewport: Size, visible: Bool = true, name: String? = nil, socket: String? = nil,
        onEvent: @escaping (Event) -> Void
    ) throws(AdslotError) {
        (self.slot, self.viewport, self.visible, self.name) = (slot, viewport, visible, name)
        self.onEvent = onEvent
        keeper = try LeaseKeeper("org.adslotd.Slots.Attach", socket: socket) { [unowned self] in
            parameters
        } onMessage: { [unowned self] reply throws(AdslotError) in
            try take(reply)
        } onNotice: { [unowned self] in
            notice($0)
        }
    }

    /// To be waited for: readable while ``process()`` has something to do. It is the same over all
    /// connections.
    public var descriptor: CInt { keeper?.descriptor ?? -1 }

    /// Takes what has come and does what is due. Does not wait.
    public func process() { keeper?.process() }

    /// The screen has changed: rotation or a new size (viewport), covered or uncovered (visible). While the
    /// daemon is gone it is remembered for the next attachment.
    ///
    /// - Parameter answer: is told when the daemon has taken it, or why not (a viewport that cannot be).
    public func update(
        viewport: Size? = nil, visible: Bool? = nil, then answer: @escaping (AdslotError?) -> Void = { _ in }
    ) {
        self.viewport = viewport ?? self.viewport
        self.visible = visible ?? self.visible
        var parameters: JSONObject = [:]
        if let viewport { parameters["viewport"] = viewport.json }
        if let visible { parameters["visible"] = .bool(visible) }
        call("Update", parameters) { result in
            switch result {
            case .success, .failure(.disconnected): answer(nil)
            case .failure(let error): answer(error)
            }
        }
    }

    /// A person touched the banner. Time-critical work is paused before the answer comes.
    ///
    /// - Parameters:
    ///   - banner: the banner that was touched.
    ///   - leavesApplication: whether the action leads out of this program.
    ///   - answer: is told whether the action may run.
    public func beginAction(
        banner: Int, leavesApplication: Bool = false, then answer: @escaping (ActionAnswer) -> Void
    ) {
        let parameters: JSONObject = [
            "banner": .integer(Int64(banner)), "leavesApplication": .bool(leavesApplication),
        ]
        call("BeginAction", parameters) { [weak self] result in
            switch result {
            case .success(let reply):
                guard reply["allowed"]?.bool == true, let action = reply["action"]?.integer else {
                    return answer(.refused(reply["reason"]?.string ?? "refused"))
                }
                self?.action = Int(action)
                answer(.allowed(Int(action)))
            case .failure(.disconnected), .failure(.closed): answer(.refused("disconnected"))
            case .failure(let error): answer(.refused(error.description))
            }
        }
    }

    /// The action is over: work goes on when no other action runs. An action that ended with the connection
    /// is over already, and nothing is said.
    public func finishAction(_ action: Int) {
        guard self.action == action else { return }
        self.action = nil
        call("FinishAction", ["action": .integer(Int64(action))]) { _ in
            // An action whose time was over is unknown by now; it is finished in any case.
        }
    }

    /// Leaves the slot. No event comes any more.
    public func close() { keeper?.close() }

    private func call(_ method: String, _ parameters: JSONObject, then answer: @escaping LeaseKeeper.Answer) {
        keeper?.call("org.adslotd.Slots.\(method)", parameters, then: answer)
    }

    private var parameters: JSONObject {
        var parameters: JSONObject = [
            "slot": .string(slot), "viewport": viewport.json, "visible": .bool(visible),
        ]
        if let name { parameters["host"] = .string(name) }
        return parameters
    }

    private func take(_ reply: JSONObject) throws(AdslotError) {
        guard let value = reply["command"] else { throw .malformed("no command") }
        let command = try Command(value)
        onReply(reply)
        screen.note(command)
        onEvent(.command(command))
    }

    private func notice(_ notice: LeaseKeeper.Notice) {
        switch notice {
        case .granted(let reply):
            onReply(reply)
            onEvent(.attached)
        case .lost(let error, let retryIn):
            action = nil
            // The daemon has forgotten the banner: nothing may stay on screen that it does not know of.
            for command in screen.clear(viewport: viewport) { onEvent(.command(command)) }
            onEvent(.disconnected(error, retryIn: retryIn))
        case .refused(let error):
            onEvent(.refused(error))
        }
    }
}

/// What the host was told to have on its screen.
struct Screen {
    private var banner: (id: Int, frame: Rectangle, isShown: Bool)?
    /// Whether the banner lies at the upper edge; known from where it is made.
    private var isTop = false

    mutating func note(_ command: Command) {
        switch command.kind {
        case .create:
            isTop = command.bannerFrame.y < 0
            banner = (command.banner, command.bannerFrame, false)
        case .show: banner = (command.banner, command.bannerFrame, true)
        case .resize: banner = banner.map { ($0.id, command.bannerFrame, $0.isShown) }
        case .hide: banner = (command.banner, command.bannerFrame, false)
        case .release: banner = nil
        }
    }

    /// The commands that take away what is there.
    mutating func clear(viewport: Size) -> [Command] {
        guard let (id, frame, isShown) = banner else { return [] }
        banner = nil
        var hidden = frame
        hidden.y = isTop ? -frame.height : viewport.height
        let whole = Rectangle(x: 0, y: 0, width: viewport.width, height: viewport.height)
        let kinds: [Command.Kind] = isShown ? [.hide, .release] : [.release]
        return kinds.map {
            Command(
                kind: $0, banner: id, bannerFrame: hidden, contentFrame: whole, creative: nil,
                reason: "disconnected")
        }
    }
}
