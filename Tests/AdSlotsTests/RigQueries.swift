import AdSlots
import Reachability
import Testing

/// What tests ask a rig.
extension Rig {
    /// The slot `banner`.
    var slot: SlotSnapshot { slot("banner") }

    func slot(_ name: String) -> SlotSnapshot {
        guard let slot = coordinator.slot(named: name) else {
            Issue.record("there is no slot \(name)")
            return coordinator.slots[0]
        }
        return slot
    }

    func work(_ id: WorkID) -> WorkState? {
        coordinator.work.first { $0.id == id }?.state
    }

    /// The kinds of all commands that a host was given.
    func kinds(_ host: HostID) -> [Command.Kind] {
        commands(host).map(\.kind)
    }

    /// All commands that a host was given, also one that has left.
    func commands(_ host: HostID) -> [Command] {
        log.compactMap { entry in
            guard case .command(host, let command) = entry.effect else { return nil }
            return command
        }
    }

    /// All requests, with their times.
    var requests: [(at: Instant, request: SourceRequest)] {
        log.compactMap { entry in
            guard case .request(let request) = entry.effect else { return nil }
            return (entry.at, request)
        }
    }

    /// All instructions to a piece of work.
    func instructions(_ work: WorkID) -> [Instruction.Kind] {
        log.compactMap { entry in
            guard case .instruct(work, let instruction) = entry.effect else { return nil }
            return instruction.kind
        }
    }

    func isAllowed(_ begin: BeginID) -> Bool {
        guard case .allowed = answers[begin] else { return false }
        return true
    }

    /// Attaches and waits until the ad is on screen.
    func showAd(_ slot: String = "banner", _ viewport: Size = .phone) -> HostID {
        let host = attach(slot, viewport)
        run(for: .milliseconds(50))
        #expect(self.slot(slot).state == .shown)
        return host
    }
}

extension SourceReference {
    static func network(_ name: String) -> SourceReference {
        SourceReference(name: name, isNetwork: true)
    }

    static func local(_ name: String) -> SourceReference {
        SourceReference(name: name, isNetwork: false)
    }
}

extension TestSource {
    static func answering(
        _ behaviour: Behaviour, delay: Duration = .milliseconds(50), expires: Duration? = nil
    ) -> TestSource {
        var source = TestSource()
        source.behaviour = behaviour
        source.delay = delay
        source.expires = expires
        return source
    }
}
