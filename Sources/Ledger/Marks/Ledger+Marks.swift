public import AdSlots

/// The marks that a turn brings, for ``Ledger/keep(_:_:_:else:at:)``.
extension Ledger {
    /// The marks for what the effects of one event have changed: see ``MarkKeeper``.
    public func marks(
        for effects: [Effect], slotState: (String) -> SlotState?, workSnapshot: (WorkID) -> WorkSnapshot?,
        at clocks: Clocks
    ) -> [Change] {
        markKeeper.marks(for: effects, slotState: slotState, workSnapshot: workSnapshot, at: clocks)
            .map { .mark($0) }
    }

    /// The mark for the posted state of the network.
    public func mark(path: String, isReachable: Bool, at clocks: Clocks) -> Change {
        .mark(markKeeper.network(path: path, isReachable: isReachable, at: clocks))
    }

    /// The mark for the orderly end of the daemon.
    public func stopMark(at clocks: Clocks) -> [Change] {
        markKeeper.stop(at: clocks).map { [.mark($0)] } ?? []
    }

    /// All that is not at rest, marked again: reading can begin there, and a daemon that is killed is known
    /// to have lived till then.
    public func aliveMarks(at clocks: Clocks) -> [Change] {
        markKeeper.all(at: clocks).map { .mark($0) }
    }
}
