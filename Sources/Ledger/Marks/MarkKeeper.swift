public import AdSlots

/// Knows what has been marked, so that each state is marked once.
public struct MarkKeeper: Sendable {
    /// What is known of a piece of work.
    private struct Work: Sendable {
        let name: String
        var state: WorkState
    }

    private var path = ""
    private var isReachable = false
    /// Slots that have a host.
    private var slots: [String: SlotState] = [:]
    private var work: [WorkID: Work] = [:]

    /// Creates one for a start: no slot has a host, and no work is registered.
    public init() {}

    /// The mark for the posted state of the network, from the first one on.
    public mutating func network(path: String, isReachable: Bool, at clocks: Clocks) -> Mark {
        defer { (self.path, self.isReachable) = (path, isReachable) }
        return Mark(self.path.isEmpty ? .started : .changed, path: path, isReachable: isReachable, at: clocks)
    }

    /// The mark for the orderly end, none where the network was never known.
    public func stop(at clocks: Clocks) -> Mark? {
        path.isEmpty ? nil : Mark(.stopped, path: path, isReachable: isReachable, at: clocks)
    }

    /// The marks for what the effects of one event have changed.
    /// - Parameters:
    ///   - slotState: What a slot of that name does now.
    ///   - workSnapshot: The piece of work as it is now.
    public mutating func marks(
        for effects: [Effect], slotState: (String) -> SlotState?, workSnapshot: (WorkID) -> WorkSnapshot?,
        at clocks: Clocks
    ) -> [Mark] {
        var marks: [Mark] = []
        for effect in effects {
            switch effect {
            case .slotChanged(let name):
                let state = slotState(name)
                guard state ?? .detached != slots[name] ?? .detached else { continue }
                slots[name] = state == .detached ? nil : state
                marks.append(Mark(.slot, name, state: state?.rawValue, at: clocks))
            case .workChanged(let id):
                let known = work[id]
                guard let snapshot = workSnapshot(id) else {
                    work[id] = nil
                    if let known { marks.append(Mark(.work, known.name, at: clocks)) }
                    continue
                }
                guard snapshot.state != known?.state else { continue }
                work[id] = Work(name: snapshot.name, state: snapshot.state)
                marks.append(Mark(.work, snapshot.name, state: snapshot.state.rawValue, at: clocks))
            default: continue
            }
        }
        return marks
    }

    /// A mark that reading can begin at, and all that is not at rest, in a defined order; nothing before the
    /// network is known.
    public func all(at clocks: Clocks) -> [Mark] {
        guard !path.isEmpty else { return [] }
        let slots = slots.sorted { $0.key < $1.key }
        let work = work.sorted { $0.key < $1.key }
        return [Mark(.alive, path: path, isReachable: isReachable, at: clocks)]
            + slots.map { Mark(.slot, $0.key, state: $0.value.rawValue, at: clocks) }
            + work.map { Mark(.work, $0.value.name, state: $0.value.state.rawValue, at: clocks) }
    }
}
