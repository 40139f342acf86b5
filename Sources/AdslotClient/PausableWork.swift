internal import VarlinkCore

/// Time-critical work that stands still while an ad action covers the screen, for programs with a loop of
/// their own (see ``SlotHost`` for how that works).
///
///     let work = try PausableWork(name: "game") { event in
///         if case .pause(let pause) = event { game.stop(); work.acknowledge(pause) }
///         if case .resume = event { game.go() }
///     }
public final class PausableWork {
    /// What happens to the work.
    public enum Event: Hashable, Sendable {
        /// The daemon knows of it.
        case registered
        /// Stand still, then ``PausableWork/acknowledge(_:)``; or ``PausableWork/veto(_:reason:)``.
        case pause(Pause)
        /// Go on; in a word why. It also comes when the daemon is gone in the middle of a pause.
        case resume(reason: String)
        /// The daemon is gone, or was not there. The next attempt comes after a time.
        case disconnected(AdslotError, retryIn: Duration)
        /// The daemon refuses (the name is taken), and there will be no further attempt.
        case refused(AdslotError)
    }

    /// An instruction to stand still.
    public struct Pause: Hashable, Sendable {
        /// The action that asks for it.
        public let action: Int?
        /// Why, in a word.
        public let reason: String
        let token: Int
        /// Which registration it came to; one that came to an earlier one is over.
        let registration: Int
    }

    private let onEvent: (Event) -> Void
    private var keeper: LeaseKeeper?
    private var isPaused = false
    private var registration = 0

    /// Prepares the work; it registers in the first turn of ``process()``.
    ///
    /// - Parameters:
    ///   - name: unique among all work.
    ///   - mayVeto: whether it may answer a pause with a veto; the action is then refused.
    ///   - socket: the daemon's socket; without one the user's own daemon is tried, then the service.
    ///   - onEvent: is told of each event, in order.
    public init(
        name: String, mayVeto: Bool = false, socket: String? = nil, onEvent: @escaping (Event) -> Void
    ) throws(AdslotError) {
        self.onEvent = onEvent
        keeper = try LeaseKeeper("org.adslotd.Work.Register", socket: socket) {
            ["name": .string(name), "kind": "client", "mayVeto": .bool(mayVeto)]
        } onMessage: { [unowned self] reply throws(AdslotError) in
            try take(reply)
        } onNotice: { [unowned self] in
            notice($0)
        }
    }

    /// To be waited for: readable while ``process()`` has something to do.
    public var descriptor: CInt { keeper?.descriptor ?? -1 }

    /// Takes what has come and does what is due. Does not wait.
    public func process() { keeper?.process() }

    /// The work stands still.
    public func acknowledge(_ pause: Pause) { answer("Acknowledge", pause) }

    /// The work cannot stand still now.
    public func veto(_ pause: Pause, reason: String) { answer("Veto", pause, reason: reason) }

    /// Ends the registration; the work is paused no more. No event comes any more.
    public func close() { keeper?.close() }

    private func answer(_ method: String, _ pause: Pause, reason: String? = nil) {
        guard pause.registration == registration else { return }
        var parameters: JSONObject = ["token": .integer(Int64(pause.token))]
        if let reason { parameters["reason"] = .string(reason) }
        keeper?.call("org.adslotd.Work.\(method)", parameters) { _ in
            // A token that is unknown by now belongs to a pause that is over, of which `resume` tells.
        }
    }

    private func take(_ reply: JSONObject) throws(AdslotError) {
        guard let instruction = reply["instruction"] else { throw .malformed("no instruction") }
        let (kind, reason) = (try instruction.text("kind"), try instruction.text("reason"))
        let token = try instruction.number("token")
        let action = instruction["action"]?.integer.map { Int($0) }
        switch kind {
        case "pause":
            isPaused = true
            onEvent(
                .pause(Pause(action: action, reason: reason, token: token, registration: registration)))
        case "resume":
            isPaused = false
            onEvent(.resume(reason: reason))
        default: throw .malformed("an instruction of kind '\(kind)'")
        }
    }

    private func notice(_ notice: LeaseKeeper.Notice) {
        switch notice {
        case .granted:
            registration += 1
            onEvent(.registered)
        case .lost(let error, let retryIn):
            registration += 1
            if isPaused {
                isPaused = false
                onEvent(.resume(reason: "disconnected"))
            }
            onEvent(.disconnected(error, retryIn: retryIn))
        case .refused(let error):
            onEvent(.refused(error))
        }
    }
}
