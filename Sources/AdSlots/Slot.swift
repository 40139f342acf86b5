import Reachability

/// What a slot keeps from host to host.
struct SlotRecord: Sendable {
    var settings: SlotSettings
    var enablement = Enablement.enabled
    var backoff = Backoff()
    /// When a source was last asked.
    var lastRequest: Instant?
    var lastError: SourceError?
    var requests = 0
    var fills = 0
    var impressions = 0
    var actions = 0
    var history = History()

    /// The earliest moment of the next attempt, by the minimum interval, the back-off and the operator's
    /// switch alone; `nil` while nothing but the operator can bring one.
    var earliestAttempt: Instant? {
        if enablement == .disabled(until: nil) { return nil }
        var earliest = lastRequest.map { $0 + settings.minimumInterval } ?? Instant(microseconds: .min)
        if let notBefore = backoff.notBefore { earliest = max(earliest, notBefore) }
        if let until = enablement.until { earliest = max(earliest, until) }
        return earliest
    }

    mutating func note(_ decision: Decision, _ turn: Turn) {
        history.append(decision, at: turn.now)
    }
}

/// A named place on the screen: what it keeps, and the host that has it now.
struct Slot: Sendable {
    var record: SlotRecord
    /// `nil` when no host has it.
    var hosting: Hosting?
    /// The deadline queue and the request table know of this request; it is kept to find it again there.
    var indexedRequest: RequestID?
    /// A snapshot from before this event has been taken.
    var isTouched = false
    /// Its memory has changed since the shell last took it.
    var hasChangedMemory = false

    init(settings: SlotSettings) {
        record = SlotRecord(settings: settings)
    }

    /// Makes the slot what the facts ask for.
    mutating func settle(_ turn: inout Turn) {
        record.endDisablement(turn)
        hosting?.settle(&record, &turn)
    }

    /// When the slot must be settled again though nothing happens.
    func deadline(reachable: Bool) -> Instant? {
        earlier(hosting?.deadline(record, reachable: reachable), record.enablement.until)
    }

    /// Why an action on `banner` must not begin, `nil` when it may.
    func refusal(banner: BannerID, pathUsable: Bool) -> BeginRefusal? {
        if record.enablement.isDisabled { return .disabled }
        return hosting?.refusal(banner: banner, pathUsable: pathUsable)
    }
}
