import Reachability

/// What queries show. None of it changes anything.
extension Coordinator {
    /// The slots, in the configuration's order.
    public var slots: [SlotSnapshot] {
        entries.map { $0.snapshot(reachable: isReachable) }
    }

    /// The slots' names, in the configuration's order.
    public var slotNames: [String] { entries.map(\.record.settings.name) }

    /// One slot, `nil` when there is none of that name.
    public func slot(named name: String) -> SlotSnapshot? {
        indexByName[name].map { entries[$0].snapshot(reachable: isReachable) }
    }

    /// What one slot is doing, `nil` when there is none of that name.
    public func slotState(named name: String) -> SlotState? {
        indexByName[name].map { entries[$0].state(reachable: isReachable) }
    }

    /// The slot that a host has, `nil` when it has none.
    public func slot(of host: HostID) -> SlotSnapshot? {
        indexByHost[host].map { entries[$0].snapshot(reachable: isReachable) }
    }

    /// The size that a slot would ask its sources for, `nil` without a host or where none fits.
    public func wantedSize(slot name: String) -> Size? {
        guard let index = indexByName[name] else { return nil }
        return entries[index].hosting?.chosenSize(entries[index].record)
    }

    /// The work that is registered, in the order of registration.
    public var work: [WorkSnapshot] { roster.snapshots }

    /// One piece of work, `nil` when it is not registered.
    public func work(_ id: WorkID) -> WorkSnapshot? { roster.snapshot(of: id) }

    /// Why a slot shows what it shows: the last decisions, oldest first, and at the end how things stand, the
    /// next attempt and what would change it. `nil` when there is no slot of that name.
    public func explain(slot name: String) -> [ExplainStep]? {
        guard let index = indexByName[name] else { return nil }
        var actionEnds: Instant?
        switch entries[index].hosting?.banner.hold {
        case .pausing(let action), .running(let action): actionEnds = deadlines.due(of: .action(action))
        case nil: break
        }
        return entries[index].explanation(reachable: isReachable, at: clock, actionEnds: actionEnds)
    }

    /// What the slots remember over a restart, in the configuration's order, then by name those that it does
    /// not name now.
    public var memories: [SlotMemory] {
        entries.map(\.record.memory) + departed.values.sorted { $0.name < $1.name }
    }

    /// What one slot remembers over a restart, also one that the configuration no longer names; `nil` when
    /// there was none of that name.
    public func memory(slot name: String) -> SlotMemory? {
        indexByName[name].map { entries[$0].record.memory } ?? departed[name]
    }
}
