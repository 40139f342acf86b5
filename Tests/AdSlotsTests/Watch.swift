import AdSlots
import Reachability

/// The invariants, judged from outside: by what hosts were told, sources asked and queries show.
struct Watch {
    private var settings: CoordinatorSettings
    /// What is known of one slot's requests.
    private struct Requests {
        var last: Instant?
        var failures = 0
        var notBefore: Instant?
        var position = -1
        /// The last source failed or was cancelled, so that the next in order may follow at once.
        var mayFollow = false
    }

    private var requests: [String: Requests] = [:]
    private var counted: Set<String> = []
    private var covered: Set<String> = []

    init(settings: CoordinatorSettings) {
        self.settings = settings
    }

    /// A slot that leaves the configuration takes its memory along.
    mutating func reconfigure(_ settings: CoordinatorSettings) {
        self.settings = settings
        let names = Set(settings.slots.map(\.name))
        requests = requests.filter { names.contains($0.key) }
    }

    /// Takes note of an effect; returns the invariant that it breaks.
    mutating func observe(_ effect: Effect, at now: Instant, hosts: [HostID: FakeHost]) -> String? {
        switch effect {
        case .request(let request): return observe(request, at: now)
        case .filled(let slot, _):
            requests[slot]?.failures = 0
            requests[slot]?.notBefore = nil
            requests[slot]?.mayFollow = false
        case .sourceFailed(let slot, let source, _): failed(slot, source, at: now)
        case .cancel: for slot in requests.keys { requests[slot]?.mayFollow = true }
        case .impression(let impression): return observe(impression, at: now, hosts: hosts)
        case .actionStarted(_, let slot, _, _): covered.insert(slot)
        case .actionEnded(_, let slot, _): covered.remove(slot)
        case .attached, .attachRefused, .updateRefused, .command, .hostDropped, .beginAnswered,
            .finishRefused, .registered, .registerRefused, .instruct, .pauseUnanswered, .tokenRefused,
            .slotChanged, .workChanged:
            break
        }
        return nil
    }

    private func settings(of slot: String) -> SlotSettings {
        settings.slots.first { $0.name == slot } ?? SlotSettings(name: slot)
    }

    private mutating func observe(_ request: SourceRequest, at now: Instant) -> String? {
        let slot = settings(of: request.slot)
        var known = requests[request.slot] ?? Requests()
        let position = slot.sources.firstIndex(of: request.source) ?? 0
        let isNext = known.mayFollow && known.last != nil && position > known.position
        defer {
            known.last = now
            known.position = position
            known.mayFollow = false
            requests[request.slot] = known
        }
        if isNext { return nil }
        if let last = known.last, now - last < slot.minimumInterval {
            return "6: \(request.slot) asks \(now - last) after its last request"
        }
        if let notBefore = known.notBefore, now < notBefore {
            return "6: \(request.slot) asks before its back-off is over"
        }
        return nil
    }

    private mutating func failed(_ slot: String, _ source: String, at now: Instant) {
        requests[slot]?.mayFollow = true
        let settings = settings(of: slot)
        // Only the last source's failure fails the attempt; which one is last depends on the network, so
        // that the check is of the slots for which it does not.
        guard settings.sources.count == 1, var known = requests[slot] else { return }
        let doubled = settings.retryInterval * (1 << min(known.failures, 20))
        known.failures += 1
        known.notBefore = now + min(doubled, settings.retryMax) * 0.8
        requests[slot] = known
    }

    private mutating func observe(
        _ impression: Impression, at now: Instant, hosts: [HostID: FakeHost]
    ) -> String? {
        let (isNew, _) = counted.insert(impression.creative.id)
        if !isNew { return "7: \(impression.creative.id) counts twice" }
        if covered.contains(impression.slot) { return "7: an ad counts under an action" }
        guard let since = hosts[impression.host]?.inViewSince else { return "7: an ad counts unseen" }
        let least = settings(of: impression.slot).minimumView
        return now - since < least ? "7: an ad counts after \(now - since)" : nil
    }

    /// Judges the whole after an event.
    mutating func check(
        at now: Instant, hosts: [HostID: FakeHost], coordinator: Coordinator, reachable: Bool
    ) -> String? {
        for slot in requests.keys { requests[slot]?.mayFollow = false }
        for (_, host) in hosts {
            guard let creative = host.creative, !covered.contains(host.slot) else { continue }
            if creative.isExpired(at: now) { return "1: an expired ad is on screen" }
            if creative.isFromNetwork, !reachable { return "2: a network ad is on screen without one" }
            guard host.visible || coordinator.slot(named: host.slot)?.state == .acting else {
                return "an ad is on screen that is not visible"
            }
        }
        let slots = coordinator.slots
        for slot in slots where (slot.creative != nil) != (slot.state == .shown || slot.state == .acting) {
            return "\(slot.name) is \(slot.state) with\(slot.creative == nil ? "out" : "") a creative"
        }
        let isActing = slots.contains { $0.state == .acting }
        for work in coordinator.work where !isActing && work.state != .running {
            return "3: \(work.name) is \(work.state) without an action"
        }
        if let deadline = coordinator.deadline, deadline <= now { return "something due was not done" }
        return nil
    }
}
