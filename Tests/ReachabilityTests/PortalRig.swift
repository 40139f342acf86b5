import Reachability

/// A device with Wi-Fi (link 2, `wlan0`) and a check, played through with a virtual clock.
struct PortalRig {
    /// What happens to the network at a moment.
    enum Event: Sendable {
        /// Wi-Fi loses and gains its carrier.
        case wifi(Bool)
        /// Traffic leaves by Ethernet (link 3, `eth0`) or by Wi-Fi.
        case ethernet(Bool)
        /// A link that carries no traffic changes: the network is judged, and nothing comes of it.
        case nothing
        /// Other settings come into force.
        case configure(ConnectivitySettings)
        case metered(Bool)
    }

    /// A notification, as far as portals are concerned.
    struct Posted: Equatable, Sendable, CustomStringConvertible {
        var milliseconds: Int64
        var reachable: Bool
        var reason: Reason

        init(_ milliseconds: Int64, _ reachable: Bool, _ reason: Reason) {
            self.milliseconds = milliseconds
            self.reachable = reachable
            self.reason = reason
        }

        var description: String { "(\(milliseconds), \(reachable), \(reason))" }
    }

    var model: ReachabilityModel
    private(set) var asked: [Int64] = []
    private(set) var changes: [ReachabilityChange] = []
    private var routes = Routes()
    private var answers: [(at: Instant, number: Int, answer: ConnectivityAnswer)] = []
    private var running: ConnectivityQuestion?
    /// What answers, and after how many milliseconds; nil for never.
    private let server: (_ milliseconds: Int64) -> (after: Int64, ConnectivityAnswer)?

    init(
        _ settings: ConnectivitySettings = .check,
        server: @escaping (_ milliseconds: Int64) -> (after: Int64, ConnectivityAnswer)?
    ) {
        self.server = server
        model = ReachabilityModel(settings: ReachabilitySettings(connectivity: settings))
        routes.routes = [Routes.Route(prefix: prefix("0.0.0.0/0"), metric: 600, link: 2)]
        for (index, name) in [(2, "wlan0"), (3, "eth0")] {
            model.apply(.link(.working(index, name)))
            model.apply(.address(.of(index, "10.0.\(index).2/24")))
        }
        judge(.zero)
    }

    /// Plays events at their moments, and everything that is due up to `end`, in milliseconds.
    mutating func play(_ events: [(Int64, Event)], until end: Int64) {
        for (milliseconds, event) in events {
            advance(to: .at(milliseconds))
            perform(event, at: .at(milliseconds))
        }
        advance(to: .at(end))
    }

    /// What has been posted.
    var posted: [Posted] {
        changes.compactMap { change in
            guard case .posted(let state) = change else { return nil }
            return Posted(state.since.milliseconds, state.reachable, state.reason)
        }
    }

    private mutating func perform(_ event: Event, at now: Instant) {
        switch event {
        case .wifi(let carrier): model.apply(.link(.working(2, "wlan0") { $0.carrier = carrier }))
        case .ethernet(let isOn):
            routes.routes.removeAll { $0.link == 3 }
            if isOn {
                routes.routes.append(Routes.Route(prefix: prefix("0.0.0.0/0"), metric: 100, link: 3))
            }
        case .nothing: break
        case .configure(let settings):
            model.configure(ReachabilitySettings(connectivity: settings))
        case .metered(let isMetered):
            changes += model.setMetered(isMetered, at: now)
        }
        judge(now)
    }

    private mutating func judge(_ now: Instant) {
        changes += model.judge(at: now, lookup: &routes)
        follow(now)
    }

    private mutating func advance(to end: Instant) {
        while true {
            let answer = answers.indices.min { answers[$0].at < answers[$1].at }
            let deadline = model.deadline
            guard let next = [deadline, answer.map { answers[$0].at }].compactMap({ $0 }).min(), next <= end
            else { return }
            if let answer, answers[answer].at == next {
                let reply = answers.remove(at: answer)
                changes += model.answered(reply.number, reply.answer, at: next)
            } else {
                changes += model.timerFired(at: next)
            }
            follow(next)
        }
    }

    /// What the shell does: asks what is new. It does not take back what is not wanted, to be harder on the
    /// model: late answers arrive all the same.
    private mutating func follow(_ now: Instant) {
        defer { running = model.question }
        guard let question = model.question, question != running else { return }
        asked.append(now.milliseconds)
        if let (after, answer) = server(now.milliseconds) {
            answers.append((now + .milliseconds(after), question.number, answer))
        }
    }
}

extension ConnectivitySettings {
    /// The check of these tests: the defaults.
    static let check = ConnectivitySettings(url: "http://check.example/")
}

extension ConnectivityAnswer {
    static let open = ConnectivityAnswer.response(status: 204, body: [])
    static let portal = ConnectivityAnswer.response(status: 302, body: [])
}
