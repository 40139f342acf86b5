public import AdSlots
public import Reachability

/// The invariants, judged from outside: by what hosts were told, sources asked and queries show.
public struct Invariants: Sendable {
    /// What is known of one slot's requests.
    private struct Requests {
        var last: Instant?
        var failures = 0
        var notBefore: Instant?
        var position = -1
        var pending: RequestID?
        /// The last source failed or was cancelled, so that the next in order may follow at once.
        var mayFollow = false
        /// A source failed, and none has been asked after it.
        var hasFailed = false
    }

    private var settings: [String: SlotSettings] = [:]
    private var requests: [String: Requests] = [:]
    private var counted: Set<String> = []
    private var covered: Set<String> = []

    /// Starts with nothing seen.
    public init(settings: CoordinatorSettings) {
        adopt(settings)
    }

    private mutating func adopt(_ settings: CoordinatorSettings) {
        self.settings = Dictionary(uniqueKeysWithValues: settings.slots.map { ($0.name, $0) })
    }

    /// A slot that leaves the configuration takes its memory along.
    public mutating func reconfigure(_ settings: CoordinatorSettings) {
        adopt(settings)
        let known = self.settings
        requests = requests.filter { known[$0.key] != nil }
    }

    /// The daemon was killed: requests and actions under way are gone, creatives get new identifiers. What
    /// holds for a slot's requests holds on.
    public mutating func restart() {
        for slot in requests.keys {
            requests[slot]?.mayFollow = false
            requests[slot]?.hasFailed = false
            requests[slot]?.pending = nil
        }
        counted.removeAll()
        covered.removeAll()
    }

    /// A source may have something for these slots again: they need not wait for the end of their back-off.
    public mutating func sourceChanged(for slots: [String]) {
        for slot in slots { requests[slot]?.notBefore = nil }
    }

    /// Takes note of an effect; returns the invariant that it breaks.
    public mutating func observe(
        _ effect: Effect, at now: Instant, hosts: [HostID: VirtualHost]
    ) -> Breach? {
        switch effect {
        case .request(let request): return observe(request, at: now)
        case .filled(let slot, _): requests[slot] = Requests(last: requests[slot]?.last)
        case .sourceFailed(let slot, _, _):
            requests[slot]?.mayFollow = true
            requests[slot]?.hasFailed = true
            requests[slot]?.pending = nil
        case .cancel(let request):
            for slot in requests.keys where requests[slot]?.pending == request {
                requests[slot]?.mayFollow = true
                requests[slot]?.pending = nil
            }
        case .impression(let impression): return observe(impression, at: now, hosts: hosts)
        case .actionStarted(_, let slot, _, _): covered.insert(slot)
        case .actionEnded(_, let slot, _): covered.remove(slot)
        case .attached, .attachRefused, .updateRefused, .command, .hostDropped, .dropped, .leftScreen,
            .beginAnswered, .finishRefused, .registered, .registerRefused, .instruct, .pauseUnanswered,
            .tokenRefused,
            .enablementRefused, .slotChanged, .workChanged:
            break
        }
        return nil
    }

    private func settings(of slot: String) -> SlotSettings {
        settings[slot] ?? SlotSettings(name: slot)
    }

    private mutating func observe(_ request: SourceRequest, at now: Instant) -> Breach? {
        let slot = settings(of: request.slot)
        var known = requests[request.slot] ?? Requests()
        let position = slot.sources.firstIndex(of: request.source) ?? 0
        let isNext = known.mayFollow && known.last != nil && position > known.position
        let pending = known.pending
        let before = known
        known.last = now
        known.position = position
        known.mayFollow = false
        known.hasFailed = false
        known.pending = request.id
        requests[request.slot] = known
        if pending != nil { return Breach(.single, "\(request.slot) asks while it is being answered") }
        if isNext { return nil }
        if let last = before.last, now - last < slot.minimumInterval {
            return Breach(.spacing, "\(request.slot) asks \(now - last) after its last request")
        }
        if let notBefore = before.notBefore, now < notBefore {
            return Breach(.spacing, "\(request.slot) asks before its back-off is over")
        }
        return nil
    }

    private mutating func observe(
        _ impression: Impression, at now: Instant, hosts: [HostID: VirtualHost]
    ) -> Breach? {
        let (isNew, _) = counted.insert(impression.creative.id)
        if !isNew { return Breach(.impressions, "\(impression.creative.id) counts twice") }
        if covered.contains(impression.slot) { return Breach(.impressions, "an ad counts under an action") }
        guard let since = hosts[impression.host]?.inViewSince else {
            return Breach(.impressions, "an ad counts unseen")
        }
        let least = settings(of: impression.slot).minimumView
        return now - since < least ? Breach(.impressions, "an ad counts after \(now - since)") : nil
    }

    /// Judges the whole after an event.
    ///
    /// - Parameters:
    ///   - now: The moment of the event.
    ///   - hosts: The hosts that are there.
    ///   - coordinator: What queries show.
    ///   - reachable: What is posted.
    ///   - stopped: The work that really stands still.
    ///   - obedient: The work that never refuses to pause.
    public mutating func check(
        at now: Instant, hosts: [HostID: VirtualHost], coordinator: Coordinator, reachable: Bool,
        stopped: [String] = [], obedient: Set<String> = []
    ) -> Breach? {
        for slot in requests.keys { endTurn(of: slot, at: now) }
        return screenBreach(at: now, hosts, coordinator, reachable: reachable)
            ?? slotBreach(coordinator, hosts, now) ?? workBreach(coordinator, stopped, obedient)
            ?? coordinator.deadline.flatMap { deadline in
                deadline <= now ? Breach(.progress, "something due was not done") : nil
            }
    }

    /// An attempt has failed when its last source has, and nothing was asked after it.
    private mutating func endTurn(of slot: String, at now: Instant) {
        requests[slot]?.mayFollow = false
        guard var known = requests[slot], known.hasFailed else { return }
        let settings = settings(of: slot)
        let doubled = settings.retryInterval * (1 << min(known.failures, 20))
        known.hasFailed = false
        known.failures += 1
        known.notBefore = now + min(doubled, settings.retryMax) * 0.8
        requests[slot] = known
    }

    private func screenBreach(
        at now: Instant, _ hosts: [HostID: VirtualHost], _ coordinator: Coordinator, reachable: Bool
    ) -> Breach? {
        for (_, host) in hosts {
            guard let creative = host.creative, !covered.contains(host.slot) else { continue }
            if creative.isExpired(at: now) { return Breach(.blank, "an expired ad is on screen") }
            if creative.isFromNetwork, !reachable {
                return Breach(.unreachable, "a network ad is on screen after a loss")
            }
            guard host.visible || coordinator.slot(named: host.slot)?.state == .acting else {
                return Breach(.commands, "an ad is on screen that is not visible")
            }
        }
        return nil
    }

    private func slotBreach(
        _ coordinator: Coordinator, _ hosts: [HostID: VirtualHost], _ now: Instant
    ) -> Breach? {
        let slots = coordinator.slots
        for slot in slots where (slot.creative != nil) != (slot.state == .shown || slot.state == .acting) {
            let with = slot.creative == nil ? "without" : "with"
            return Breach(.blank, "\(slot.name) is \(slot.state) \(with) a creative")
        }
        for slot in slots where slot.enablement.isDisabled && slot.banner != nil {
            return Breach(.commands, "\(slot.name) is disabled and holds a banner")
        }
        for slot in slots where slot.nextAttempt.map({ $0 <= now }) == true {
            return Breach(.progress, "an attempt of \(slot.name) that is due was not made")
        }
        var held: Set<String> = []
        for (_, host) in hosts where !held.insert(host.slot).inserted {
            return Breach(.single, "\(host.slot) has two hosts")
        }
        return nil
    }

    private func workBreach(
        _ coordinator: Coordinator, _ stopped: [String], _ obedient: Set<String>
    ) -> Breach? {
        if !covered.isEmpty {
            for work in coordinator.work where work.state == .running && obedient.contains(work.name) {
                return Breach(.work, "\(work.name) goes on under a running action")
            }
        }
        guard !coordinator.slots.contains(where: { $0.state == .acting }) else { return nil }
        for work in coordinator.work where work.state != .running {
            return Breach(.work, "\(work.name) is \(work.state) without an action")
        }
        return stopped.first.map { Breach(.work, "\($0) stands still without an action") }
    }
}
