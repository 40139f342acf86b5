/// Knows whether the device can reach the network: facts and moments in, changes to tell out.
///
///     var model = ReachabilityModel(settings: ReachabilitySettings())
///     model.apply(.link(link))                              // for each fact of a burst
///     let changes = model.judge(at: now, lookup: &kernel)   // once at its end
///     // arm a timer for model.deadline; when it fires:
///     let more = model.timerFired(at: now)
///     // ask model.question when it is another than before; when it is answered:
///     let news = model.answered(question.number, answer, at: now)
public struct ReachabilityModel: Sendable {
    /// The links and addresses as far as facts have told them.
    public private(set) var network = Network()

    /// The settings in force.
    public private(set) var settings: ReachabilitySettings

    /// The latest judgement, unheld; nil before the first. An action is allowed or refused by this one.
    public private(set) var raw: Judgement?

    /// What is judged; nil while the addresses of a named host are awaited for the first time: nothing is
    /// judged then, and nothing posted. A change comes into force with the next `judge(at:lookup:)`.
    public var target: Target?

    private var holds: Holds
    private var portal: PortalWatch
    /// What the kernel alone says.
    private var kernel: Judgement?
    private var isMetered = false

    /// Starts with an empty network and nothing judged. A named target is not known yet: whoever resolves it
    /// sets ``target``.
    public init(settings: ReachabilitySettings) {
        self.settings = settings
        target = Self.target(before: settings.targetHost)
        holds = Holds(settings: settings)
        portal = PortalWatch(settings: settings.connectivity)
    }

    /// Goes on from a memory, taken under the settings that were in force then.
    public init(network: Network, settings: ReachabilitySettings, memory: ReachabilityMemory) {
        self.network = network
        self.settings = settings
        raw = memory.raw
        target = memory.target
        holds = Holds(settings: settings, memory: memory)
        portal = PortalWatch(settings: settings.connectivity, memory: memory.portal)
        kernel = memory.kernel
        isMetered = memory.isMetered
    }

    /// What is judged before anything is resolved.
    private static func target(before host: Host?) -> Target? {
        switch host {
        case nil: .internet
        case .address(let address): .resolved([address])
        case .name: nil
        }
    }

    /// What must be known, with the network and the settings, to go on from here later.
    public var memory: ReachabilityMemory {
        var memory = holds.memory
        memory.target = target
        memory.kernel = kernel
        memory.isMetered = isMetered
        memory.portal = portal.memory
        return memory
    }

    /// What is posted; nil before the first judgement.
    public var current: ReachabilityState? { holds.posted }

    /// When `timerFired(at:)` is to be called next; nil when there is nothing to wait for. It may have passed
    /// already, after `configure(_:)`.
    public var deadline: Instant? {
        guard let held = holds.deadline, let asked = portal.deadline else {
            return holds.deadline ?? portal.deadline
        }
        return min(held, asked)
    }

    /// What is to be asked of the internet now, over the path as it is. When it becomes another question or
    /// nil, the answer to the earlier one is not wanted any more.
    public var question: ConnectivityQuestion? { portal.question }

    /// Folds a fact in. Returns true when `judge(at:lookup:)` is worth calling: something differs that can
    /// change the judgement.
    @discardableResult
    public mutating func apply(_ fact: Fact) -> Bool {
        network.apply(fact)
    }

    /// Puts a network in the place of the one known, after a resync. The next judgement posts what differs.
    public mutating func replaceNetwork(_ network: Network) {
        self.network = network
    }

    /// Changes the settings. A running hold is measured anew from when it began. Rules for links and lookup
    /// addresses come into force with the next `judge(at:lookup:)`.
    /// Another target host does so once whoever resolves it has set ``target``.
    public mutating func configure(_ settings: ReachabilitySettings) {
        self.settings = settings
        holds.configure(settings)
        portal.configure(settings.connectivity)
    }

    /// Judges the network as it stands, and returns what is to be told, in order.
    ///
    /// A hold that has run out by `instant` is posted first, as if its timer had fired in time.
    public mutating func judge(at instant: Instant, lookup: inout some RouteLookup) -> [ReachabilityChange] {
        guard let target else { return timerFired(at: instant) }
        let judgement = Reachability.judge(network, target: target, settings: settings, lookup: &lookup)
        kernel = judgement
        portal.pathJudged(judgement, at: instant)
        return settle(judgement, at: instant)
    }

    /// Takes in what came of a question. An answer to another than the present one changes nothing.
    public mutating func answered(
        _ question: Int, _ answer: ConnectivityAnswer, at instant: Instant
    ) -> [ReachabilityChange] {
        guard portal.answered(question, answer, at: instant), let kernel else { return [] }
        return settle(kernel, at: instant)
    }

    /// Takes in whether the system's own network service says that the connection is metered. Cellular is
    /// expensive in any case.
    public mutating func setMetered(_ isMetered: Bool, at instant: Instant) -> [ReachabilityChange] {
        guard isMetered != self.isMetered else { return [] }
        self.isMetered = isMetered
        guard let kernel else { return [] }
        return settle(kernel, at: instant)
    }

    /// Lets a hold run out, or a check. Called early, it does nothing; called late, it does what it would
    /// have done.
    public mutating func timerFired(at instant: Instant) -> [ReachabilityChange] {
        guard portal.timerFired(at: instant), let kernel else { return holds.timerFired(at: instant) }
        return settle(kernel, at: instant)
    }

    /// What the kernel says, with what else is known about the path. A gain does not wait for the check, and
    /// what the check finds is held as what the kernel says is.
    private mutating func settle(_ kernel: Judgement, at instant: Instant) -> [ReachabilityChange] {
        var judgement = kernel
        if kernel.reachable {
            judgement.captivePortal = portal.isCaptive
            if portal.isCaptive == true { judgement.reason = .captivePortal }
            if isMetered { judgement.expensive = true }
        }
        raw = judgement
        return holds.judged(judgement, at: instant)
    }
}
