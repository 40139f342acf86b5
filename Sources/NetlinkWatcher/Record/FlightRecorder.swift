public import Reachability

/// Keeps the latest of what went into the judgement, in a fixed amount of memory, so that a replay gives the
/// same notifications.
///
/// There are two halves, each begun by a snapshot of the model. When one is full the other is cleared and
/// gone on in, so that between one half and both of the latest records are there, and what is there can be
/// replayed from its beginning. Whoever owns the model tells what it is about to do to it *before* doing so:
/// a snapshot that becomes due is then of the moment before.
public final class FlightRecorder {
    /// The model as it stands; nil while there is none.
    public var model: () -> ReachabilityModel? = { nil }

    /// What stands between records that belong together.
    private enum Phase {
        /// Any record may follow, and a new half may be begun. Moves to: reading, judging, severed.
        case between
        /// A list is being read; the model still is as it was before. Moves to: between, severed.
        case reading
        /// A judgement is being made; the model cannot be looked at. Moves to: between, severed.
        case judging
        /// Something did not fit, or nothing has been recorded yet; a snapshot must come next. Moves to:
        /// between.
        case severed
    }

    /// What other sources than netlink know of a link.
    struct Findings: Equatable {
        var deviceType: String?
        var isWireless = false

        init(_ link: Link) {
            deviceType = link.deviceType
            isWireless = link.isWireless
        }

        init(deviceType: String?, isWireless: Bool) {
            self.deviceType = deviceType
            self.isWireless = isWireless
        }

        static let none = Findings(deviceType: nil, isWireless: false)
    }

    private var phase = Phase.severed
    private var current: RecordBuffer
    private var older: RecordBuffer
    private var findings: [Int: Findings] = [:]
    private let recordsMax: Int

    /// Reserves the memory.
    public convenience init() {
        self.init(bytesMax: Limits.recorderBytesMax, recordsMax: Limits.recorderRecordsMax)
    }

    init(bytesMax: Int, recordsMax: Int) {
        current = RecordBuffer(capacity: bytesMax / 2)
        older = RecordBuffer(capacity: bytesMax / 2)
        self.recordsMax = recordsMax / 2
    }

    /// A copy of everything, as the file that `adslotctl replay` reads.
    /// - Parameters:
    ///   - boottime: the moment now, in microseconds of CLOCK_BOOTTIME.
    ///   - realtime: the same moment in microseconds since the Unix epoch.
    public func file(boottime: Int64, realtime: Int64) -> [UInt8] {
        let closing = RecordBuffer(capacity: current.capacity + Limits.recordReserveBytes)
        if let model = model() {
            if !closing.append(.snapshot, at: boottime, { $0.put(model) }) {
                closing.append(.overgrown, at: boottime)
            }
        }
        let records = UInt64(older.records + current.records + closing.records)
        closing.append(.end, at: boottime) { $0.put(records) }
        return RecordFormat.header(boottime: boottime, realtime: realtime)
            + older.checked + current.checked + closing.checked
    }
}

// What the watcher tells.
extension FlightRecorder {
    /// A message of the event socket that is about to be applied.
    /// - Parameter fact: what it means, completed by findings.
    func message(_ message: RawMessage, meaning fact: Fact?, at time: Int64) {
        guard makeRoom(message.count + Limits.smallRecordBytesMax, at: time) else {
            note(fact)
            return
        }
        tell(fact, at: time)
        append(.message, at: time) { $0.put(message) }
    }

    /// A link, as the kernel has said on request, is about to be applied.
    func told(_ fact: Fact, at time: Int64) {
        note(fact)
        guard case .link(let link) = fact, makeRoom(Limits.smallRecordBytesMax * 2, at: time) else { return }
        append(.link, at: time) { $0.put(link) }
    }

    /// The lists are about to be read, or read again from their beginning.
    func dumpBegins(at time: Int64) {
        findings = [:]
        guard makeRoom(min(Limits.dumpRoomBytes, current.capacity / 2), at: time) else { return }
        append(.dump, at: time)
        if case .between = phase { phase = .reading }
    }

    /// A message of a list.
    func dumped(_ message: RawMessage, meaning fact: Fact?, at time: Int64) {
        guard case .reading = phase, hasRoom(message.count + Limits.smallRecordBytesMax) else {
            note(fact)
            if case .reading = phase { sever(at: time) }
            return
        }
        tell(fact, at: time)
        append(.dumped, at: time) { $0.put(message) }
    }

    /// The lists are complete and about to stand in the place of the network.
    func dumpEnds(at time: Int64) {
        guard case .reading = phase else { return }
        append(.dumpEnd, at: time)
        if case .reading = phase { phase = .between }
    }

    /// The kernel has dropped messages.
    func lost(at time: Int64) {
        guard makeRoom(Limits.smallRecordBytesMax, at: time) else { return }
        append(.lost, at: time)
    }
}

// What the model's owner tells.
extension FlightRecorder {
    /// Judges, and records at what moment and by which lookups.
    public func judge<Routes: RouteLookup, Result>(
        at instant: Instant, _ routes: inout Routes,
        _ body: (inout RecordingRoutes<Routes>) -> Result
    ) -> Result {
        let time = instant.microseconds
        if makeRoom(min(Limits.judgementRoomBytes, current.capacity / 4), at: time) { phase = .judging }
        var recording = RecordingRoutes(routes: routes, recorder: self, time: time)
        let result = body(&recording)
        routes = recording.routes
        if case .judging = phase {
            append(.judged, at: time)
            if case .judging = phase { phase = .between }
        }
        return result
    }

    /// A hold's timer fires.
    public func timerFires(at instant: Instant) {
        let time = instant.microseconds
        guard makeRoom(Limits.smallRecordBytesMax, at: time) else { return }
        append(.timer, at: time)
    }

    /// New settings are about to come into force.
    public func configures(_ settings: ReachabilitySettings, at instant: Instant) {
        let time = instant.microseconds
        guard makeRoom(Limits.smallRecordBytesMax, at: time) else { return }
        append(.settings, at: time) { $0.put(settings) }
    }

    /// Something else is about to be judged.
    public func aims(at target: Target, at instant: Instant) {
        let time = instant.microseconds
        guard makeRoom(Limits.smallRecordBytesMax, at: time) else { return }
        append(.target, at: time) { $0.put(target) }
    }

    /// An answer to the model's question is about to be taken in.
    public func takes(_ answer: ConnectivityAnswer, to question: Int, at instant: Instant) {
        let time = instant.microseconds
        guard makeRoom(Limits.smallRecordBytesMax, at: time) else { return }
        append(.answer, at: time) { $0.put(question, answer) }
    }

    /// What the system's own network service says of the cost is about to be taken in.
    public func setsMetered(_ isMetered: Bool, at instant: Instant) {
        let time = instant.microseconds
        guard makeRoom(Limits.smallRecordBytesMax, at: time) else { return }
        append(.metered, at: time) { $0.put(UInt8(isMetered ? 1 : 0)) }
    }

    /// The kernel has answered a lookup.
    func answered(_ query: RouteQuery, _ answer: RouteAnswer, at time: Int64) {
        guard case .judging = phase else { return }
        guard hasRoom(Limits.smallRecordBytesMax) else { return sever(at: time) }
        append(.lookup, at: time) { $0.put(query, answer) }
    }

    /// Somebody has told the far end of a tunnel.
    func told(_ end: TunnelEnd?, of tunnel: Link, for destination: IPAddress, at time: Int64) {
        guard case .judging = phase else { return }
        guard hasRoom(Limits.smallRecordBytesMax) else { return sever(at: time) }
        append(.farEnd, at: time) { $0.put(end, of: tunnel, for: destination) }
    }
}

extension FlightRecorder {
    private func hasRoom(_ bytes: Int) -> Bool {
        current.room >= bytes + Limits.recordReserveBytes && current.records < recordsMax
    }

    /// Makes sure that a record of so many bytes fits, where the model may be looked at.
    private func makeRoom(_ bytes: Int, at time: Int64) -> Bool {
        switch phase {
        case .between: break
        // A list that was not read to its end is read again.
        case .reading: phase = .between
        case .severed: return turnOver(at: time)
        case .judging: preconditionFailure("something was recorded while judging")
        }
        return hasRoom(bytes) || turnOver(at: time)
    }

    /// Goes on in the other half, from a snapshot.
    private func turnOver(at time: Int64) -> Bool {
        guard let model = model() else { return false }
        swap(&current, &older)
        current.clear()
        if !current.append(.snapshot, at: time, { $0.put(model) }) || !hasRoom(current.capacity / 4) {
            current.clear()
            current.append(.overgrown, at: time)
        }
        phase = .between
        return true
    }

    private func append(
        _ kind: RecordFormat.Kind, at time: Int64, _ body: (RecordBuffer) -> Void = { _ in }
    ) {
        if !current.append(kind, at: time, body) { sever(at: time) }
    }

    /// Something did not fit; what follows it would be wrong without it.
    private func sever(at time: Int64) {
        current.append(.cut, at: time)
        phase = .severed
    }

    /// Writes down what is known of a link besides its message, where that is news.
    private func tell(_ fact: Fact?, at time: Int64) {
        guard let (index, found) = note(fact) else { return }
        append(.findings, at: time) { buffer in
            buffer.put(UInt32(clamping: index))
            buffer.put(UInt8(found.isWireless ? 1 : 0))
            buffer.put(found.deviceType)
        }
    }

    /// Keeps what is known of a link besides its message.
    /// - Returns: it, where it is news.
    @discardableResult
    private func note(_ fact: Fact?) -> (index: Int, findings: Findings)? {
        switch fact {
        case .link(let link):
            let found = Findings(link)
            guard found != findings[link.index] ?? .none else { return nil }
            findings[link.index] = found == .none ? nil : found
            return (link.index, found)
        case .linkGone(let index):
            findings[index] = nil
            return nil
        case .address, .addressGone, .routesMayHaveChanged, nil:
            return nil
        }
    }
}

/// Route lookups that leave a record of what was asked and answered.
public struct RecordingRoutes<Routes: RouteLookup>: RouteLookup {
    fileprivate(set) var routes: Routes
    fileprivate let recorder: FlightRecorder
    fileprivate let time: Int64

    /// Asks, and records.
    public mutating func answer(_ query: RouteQuery) -> RouteAnswer {
        let answer = routes.answer(query)
        recorder.answered(query, answer, at: time)
        return answer
    }

    /// Asks, and records.
    public mutating func farEnd(of tunnel: Link, for destination: IPAddress) -> TunnelEnd? {
        let end = routes.farEnd(of: tunnel, for: destination)
        recorder.told(end, of: tunnel, for: destination, at: time)
        return end
    }
}
