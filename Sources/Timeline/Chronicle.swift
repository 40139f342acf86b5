/// What happened in a span of time, lane by lane: marks folded into spans.
public struct Chronicle: Sendable {
    /// Something that has a moment and no length.
    enum Incident: String, CaseIterable, Sendable {
        case flap, resync
        case start, stop, kill, clock

        var text: String {
            switch self {
            case .flap: "flap, changed and changed back"
            case .resync: "resync, kernel messages lost"
            case .start: "daemon started"
            case .stop: "stopped"
            case .kill: "ended without a word"
            case .clock: "clock jumped"
            }
        }
    }

    let extent: Extent
    private(set) var network: Lane
    private(set) var slots: [Lane] = []
    private(set) var work: [Lane] = []
    private(set) var incidents: [Incident: [Int64]] = [:]
    /// By slot.
    private(set) var counts: [String: SlotCount] = [:]
    /// Slots and work for which there are no lanes.
    private(set) var slotsLeftOut = 0
    private(set) var workLeftOut = 0

    /// Folds marks.
    /// - Parameters:
    ///   - marks: In their order; those before the extent say how things stood at its beginning.
    ///   - counts: The slots, in the order in which they are shown.
    public init(_ marks: [Mark], counts: [SlotCount], in extent: Extent) {
        self.extent = extent
        network = Lane("network", since: extent.since)
        for count in counts { self.counts[count.slot] = count }
        let (slotNames, slotsLeftOut) = Self.names(
            .slot, in: marks, after: counts.map(\.slot), Limits.slotLanesMax)
        let (workNames, workLeftOut) = Self.names(.work, in: marks, after: [], Limits.workLanesMax)
        (self.slotsLeftOut, self.workLeftOut) = (slotsLeftOut, workLeftOut)
        slots = slotNames.map { Lane($0, since: extent.since) }
        work = workNames.map { Lane($0, since: extent.since) }
        let slotIndices = Dictionary(uniqueKeysWithValues: zip(slotNames, slots.indices))
        let workIndices = Dictionary(uniqueKeysWithValues: zip(workNames, work.indices))
        var isKnown = false
        for mark in marks where mark.time < extent.until {
            let time = max(mark.time, extent.since)
            switch mark.kind {
            case .started: begin(at: time)
            case .alive, .changed, .slot, .work: if !isKnown { begin(at: time) }
            case .stopped, .killed: end(at: time)
            case .flap, .resync, .clock: break
            }
            switch mark.kind {
            case .started, .alive, .changed:
                isKnown = true
                network.turn(.network(mark.state, isReachable: mark.isReachable), at: time)
            case .slot:
                isKnown = true
                guard let index = slotIndices[mark.subject ?? ""] else { continue }
                slots[index].turn(.slot(mark.state), at: time)
            case .work:
                isKnown = true
                guard let index = workIndices[mark.subject ?? ""] else { continue }
                work[index].turn(.work(mark.state), at: time)
            case .stopped, .killed: isKnown = false
            case .flap, .resync, .clock: break
            }
            if mark.time >= extent.since { note(mark.kind, at: time) }
        }
        close()
    }

    /// The names that have lanes, in their order, and how many have none.
    private static func names(
        _ kind: Mark.Kind, in marks: [Mark], after first: [String], _ maximum: Int
    ) -> ([String], leftOut: Int) {
        var known = Set(first)
        var others: Set<String> = []
        for mark in marks where mark.kind == kind {
            guard let subject = mark.subject, !known.contains(subject) else { continue }
            others.insert(subject)
        }
        known.formUnion(others)
        var order: [String] = []
        var seen: Set<String> = []
        for name in first + others.sorted() where seen.insert(name).inserted { order.append(name) }
        return (Array(order.prefix(maximum)), max(0, order.count - maximum))
    }

    /// The daemon runs from now on: nothing has a host, nothing is registered.
    private mutating func begin(at time: Int64) {
        for index in slots.indices { slots[index].turn(.detached, at: time) }
        for index in work.indices { work[index].turn(.absent, at: time) }
    }

    private mutating func end(at time: Int64) {
        network.turn(.unknown, at: time)
        for index in slots.indices { slots[index].turn(.unknown, at: time) }
        for index in work.indices { work[index].turn(.unknown, at: time) }
    }

    private mutating func close() {
        network.close(at: extent.known)
        for index in slots.indices { slots[index].close(at: extent.known) }
        for index in work.indices { work[index].close(at: extent.known) }
    }

    private mutating func note(_ kind: Mark.Kind, at time: Int64) {
        let incident: Incident
        switch kind {
        case .started: incident = .start
        case .stopped: incident = .stop
        case .killed: incident = .kill
        case .flap: incident = .flap
        case .resync: incident = .resync
        case .clock: incident = .clock
        case .alive, .changed, .slot, .work: return
        }
        incidents[incident, default: []].append(time)
    }

    /// How long the network was watched.
    var watched: Int64 { network.time { $0 != .unknown } }
    /// How long the internet could be reached.
    var reachable: Int64 { network.time(\.isReachable) }
    /// How often it was lost.
    var losses: Int {
        let spans = network.spans
        return spans.indices.dropFirst().count {
            spans[$0 - 1].state.isReachable && !spans[$0].state.isReachable && spans[$0].state != .unknown
        }
    }
    var impressions: Int64 { counts.values.reduce(0) { $0 + $1.impressions } }
    var actions: Int64 { counts.values.reduce(0) { $0 + $1.actions } }
}
