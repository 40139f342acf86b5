public import Reachability

/// A flight record, played through the same decoder and the same model that it was taken from.
///
///     var replay = try Replay(bytes)
///     while let step = replay.next() { … }
public struct Replay {
    /// Something that the replay has to tell.
    public struct Step: Equatable, Sendable {
        /// When, on the recorded machine.
        public let instant: Instant
        /// What.
        public let event: Event
    }

    /// What can be told.
    public enum Event: Equatable, Sendable {
        /// What hosts or operators were told.
        case change(ReachabilityChange)
        /// The kernel had dropped messages.
        case lost
        /// The lists were read anew: so many links.
        case resynchronised(links: Int)
        /// New settings came into force.
        case configured
        /// The replay is not what the daemon did.
        case diverged(Divergence)
    }

    /// How a replay can differ from what the daemon did.
    public enum Divergence: Equatable, Sendable {
        /// The judgement asked for so many routes that the daemon had not asked for; they count as no route.
        case lookups(Int)
        /// The daemon's own state was another one.
        case state
    }

    /// The longest file that is taken for a record.
    public static let fileBytesMax = Limits.recordFileBytesMax

    /// When the record begins.
    public let start: Instant
    /// When it was taken.
    public let end: Instant
    /// What is added to an instant to give microseconds since the Unix epoch.
    public let realtimeOffset: Int64
    /// How many records there are.
    public var count: Int { records.count }

    private let bytes: [UInt8]
    private let records: [Record]
    private var position = 0
    private var pending: [Step] = []
    private var player: Player

    /// Reads a record, whole.
    public init(_ bytes: [UInt8]) throws(RecordError) {
        let reader = try RecordReader(bytes)
        self.bytes = bytes
        records = reader.records
        end = Instant(microseconds: reader.boottime)
        start = Instant(microseconds: records.first?.time ?? reader.boottime)
        realtimeOffset = reader.realtime - reader.boottime
        player = try Player(beginningOf: records)
    }

    /// The model as far as it has been played.
    public var model: ReachabilityModel { player.model }

    /// Plays on to the next thing that is to be told; nil at the end.
    public mutating func next() -> Step? {
        while pending.isEmpty {
            guard position < records.count else { return nil }
            let record = records[position]
            position += 1
            let instant = Instant(microseconds: record.time)
            pending = player.play(record, of: bytes).map { Step(instant: instant, event: $0) }
        }
        return pending.removeFirst()
    }
}

/// The daemon's steps, one for each record.
private struct Player {
    private(set) var model: ReachabilityModel
    private var findings: [Int: FlightRecorder.Findings] = [:]
    /// The lists that are being read.
    private var list = Network()
    private var routes = RecordedRoutes()
    /// What comes next cannot follow from what came before.
    private var isCut = true

    init(beginningOf records: [Record]) throws(RecordError) {
        // Whatever comes before the first snapshot says nothing.
        guard let first = records.first else {
            model = ReachabilityModel(settings: ReachabilitySettings())
            return
        }
        guard case .snapshot(let model) = first.content else {
            throw RecordError(.overgrown, at: first.offset)
        }
        self.model = model
    }

    mutating func play(_ record: Record, of bytes: [UInt8]) -> [Replay.Event] {
        let now = Instant(microseconds: record.time)
        switch record.content {
        case .snapshot(let model): return meet(model)
        case .message(let range):
            MessageDecoder.forEachFact(in: bytes[range]) { model.apply(completed($0)) }
        case .findings(let index, let found): findings[index] = found
        case .dump:
            list = Network()
            findings = [:]
        case .dumped(let range):
            MessageDecoder.forEachFact(in: bytes[range]) { _ = list.apply(completed($0)) }
        case .dumpEnd:
            model.replaceNetwork(list)
            list = Network()
            return [.resynchronised(links: model.network.linkCount)]
        case .lost: return [.lost]
        case .lookup(let query, let answer): routes.add(query, answer)
        case .farEnd(let query, let end): routes.add(query, end)
        case .judged:
            let changes = model.judge(at: now, lookup: &routes)
            let unknown = routes.finish()
            return changes.map { .change($0) } + (unknown > 0 ? [.diverged(.lookups(unknown))] : [])
        case .timer: return model.timerFired(at: now).map { .change($0) }
        case .settings(let settings):
            model.configure(settings)
            return [.configured]
        case .link(let link):
            findings[link.index] = FlightRecorder.Findings(link)
            model.apply(.link(link))
        case .target(let target): model.target = target
        case .answer(let question, let answer):
            return model.answered(question, answer, at: now).map { .change($0) }
        case .metered(let isMetered):
            return model.setMetered(isMetered, at: now).map { .change($0) }
        case .cut, .overgrown:
            isCut = true
            _ = routes.finish()
        }
        return []
    }

    /// Compares with a snapshot, and goes on from it where there is nothing to compare.
    private mutating func meet(_ snapshot: ReachabilityModel) -> [Replay.Event] {
        defer {
            findings = [:]
            model.network.forEachLink { link in
                let found = FlightRecorder.Findings(link)
                if found != .none { findings[link.index] = found }
            }
            isCut = false
        }
        let isSame =
            snapshot.network == model.network && snapshot.settings == model.settings
            && snapshot.memory == model.memory
        if isSame { return [] }
        guard isCut else { return [.diverged(.state)] }
        let before = model.current
        model = snapshot
        guard let state = model.current, state != before else { return [] }
        return [.change(state.sequence == before?.sequence ? .detail(state) : .posted(state))]
    }

    private mutating func completed(_ fact: Fact) -> Fact {
        switch fact {
        case .link(var link):
            let found = findings[link.index] ?? .none
            link.deviceType = found.deviceType
            link.isWireless = found.isWireless
            return .link(link)
        case .linkGone(let index):
            findings[index] = nil
            return fact
        case .address, .addressGone, .routesMayHaveChanged: return fact
        }
    }
}

/// Answers lookups as the kernel did.
private struct RecordedRoutes: RouteLookup {
    private var answers: [RouteQuery: [RouteAnswer]] = [:]
    private var farEnds: [TunnelQuery: TunnelEnd?] = [:]
    private var unknown = 0

    mutating func add(_ query: TunnelQuery, _ end: TunnelEnd?) {
        farEnds[query] = .some(end)
    }

    mutating func farEnd(of tunnel: Link, for destination: IPAddress) -> TunnelEnd? {
        if let end = farEnds[TunnelQuery(tunnel: tunnel.index, destination: destination)] { return end }
        unknown += 1
        return tunnel.remoteEndpoint.map { TunnelEnd(address: $0) }
    }

    mutating func add(_ query: RouteQuery, _ answer: RouteAnswer) {
        answers[query, default: []].append(answer)
    }

    /// A question that was asked several times got its answers in this order; asked once more, the last.
    mutating func answer(_ query: RouteQuery) -> RouteAnswer {
        guard let known = answers[query], let first = known.first else {
            unknown += 1
            return .unroutable
        }
        if known.count > 1 { answers[query]?.removeFirst() }
        return first
    }

    /// Forgets the answers: they are of one judgement.
    /// - Returns: how many questions had none.
    mutating func finish() -> Int {
        defer {
            answers = [:]
            farEnds = [:]
            unknown = 0
        }
        return unknown
    }
}
