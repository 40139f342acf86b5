import Reachability

/// The work that is registered, paused and resumed together.
///
/// It knows nothing of slots: only for which actions the work stands still.
struct WorkRoster: Sendable {
    /// In the order of registration.
    private var order: [WorkID] = []
    private var items: [WorkID: WorkItem] = [:]
    private var names: Set<String> = []
    private var touched: [(id: WorkID, before: WorkSnapshot?)] = []
    /// Work that an action waits for. Only its count matters, never its order.
    private var awaited: Set<WorkID> = []

    /// The actions that are beginning or running, in the order in which they began.
    private(set) var actions: [ActionID] = []

    /// Whether some work has been told to pause and may still answer in time.
    var isAwaiting: Bool { !awaited.isEmpty }

    /// The work as queries show it, in the order of registration.
    var snapshots: [WorkSnapshot] {
        order.compactMap { snapshot(of: $0) }
    }

    /// One piece of work as queries show it, `nil` when it is not registered.
    func snapshot(of id: WorkID) -> WorkSnapshot? { items[id]?.snapshot(actions: actions) }

    /// Registers work; while an action is under way it is told to pause at once.
    mutating func register(_ item: WorkItem, pauseTimeout: Duration, _ turn: inout Turn) {
        if let refusal = refusal(item) {
            turn.effects.append(.registerRefused(item.id, refusal))
            return
        }
        order.append(item.id)
        items[item.id] = item
        names.insert(item.name)
        touched.append((item.id, nil))
        items[item.id]?.isTouched = true
        turn.effects.append(.registered(item.id))
        if let action = actions.last { pause(item.id, action, until: turn.now + pauseTimeout, &turn) }
    }

    private func refusal(_ item: WorkItem) -> RegisterRefusal? {
        precondition(items[item.id] == nil, "a registration is made once")
        let bytes = item.name.utf8.count
        if bytes == 0 { return .invalidName(message: "a name is needed") }
        if bytes > Limits.nameBytesMax {
            return .invalidName(message: "\(bytes) bytes are more than \(Limits.nameBytesMax)")
        }
        if names.contains(item.name) { return .nameTaken(item.name) }
        return items.count < Limits.workItemsMax ? nil : .tooMany(max: Limits.workItemsMax)
    }

    /// Forgets work; what does not run is told to go on first.
    mutating func forget(_ id: WorkID, _ turn: inout Turn) {
        guard let item = items[id] else { return }
        touch(id)
        resume(id, action: nil, reason: "workGone", &turn)
        items[id] = nil
        names.remove(item.name)
        order.removeAll { $0 == id }
    }

    /// An action begins: all work that runs is told to pause. Returns until when work is awaited (which may
    /// be past), `nil` when all of it stands still or is no longer waited for.
    mutating func pauseAll(for action: ActionID, timeout: Duration, _ turn: inout Turn) -> Instant? {
        touchAll()
        actions.append(action)
        var latest: Instant?
        for id in order {
            switch items[id]?.state {
            case .running:
                pause(id, action, until: turn.now + timeout, &turn)
                latest = max(latest ?? turn.now, turn.now + timeout)
            case .pausing(_, let until):
                latest = max(latest ?? until, until)
            case .overdue, .paused, nil:
                break
            }
        }
        return latest
    }

    /// An action is over or was refused: when it was the last, all work goes on.
    mutating func end(_ action: ActionID, reason: String, _ turn: inout Turn) {
        touchAll()
        actions.removeAll { $0 == action }
        guard actions.isEmpty else { return }
        for id in order { resume(id, action: action, reason: reason, &turn) }
    }

    /// Stops waiting for work whose time to answer is over.
    mutating func giveUp(at now: Instant, _ turn: inout Turn) {
        guard isAwaiting else { return }
        for id in order {
            guard case .pausing(let since, let until) = items[id]?.state, until <= now else { continue }
            touch(id)
            items[id]?.state = .overdue(since: since)
            items[id]?.unanswered += 1
            awaited.remove(id)
            turn.effects.append(.pauseUnanswered(id))
        }
    }

    /// Work says that it stands still. One for an instruction that has been overtaken changes nothing.
    mutating func acknowledge(_ id: WorkID, token: Int, _ turn: inout Turn) {
        guard let item = known(id, token: token, &turn), item.token == token else { return }
        switch item.state {
        case .pausing(let since, _), .overdue(let since):
            touch(id)
            items[id]?.state = .paused
            items[id]?.pauses += 1
            items[id]?.lastPause = turn.now - since
            awaited.remove(id)
        case .running, .paused:
            break
        }
    }

    /// Work says that it cannot pause. Returns its name when actions were waiting for it.
    mutating func veto(_ id: WorkID, token: Int, _ turn: inout Turn) -> String? {
        guard let item = known(id, token: token, &turn) else { return nil }
        guard item.mayVeto else {
            turn.effects.append(.tokenRefused(id, token: token, .mayNotVeto))
            return nil
        }
        guard item.token == token else { return nil }
        switch item.state {
        case .pausing, .overdue:
            touch(id)
            items[id]?.state = .running
            return awaited.remove(id) == nil ? nil : item.name
        case .running, .paused:
            return nil
        }
    }

    /// The work that queries now show otherwise than at the last call, in the order of its identifiers.
    mutating func takeChanges() -> [WorkID] {
        guard !touched.isEmpty else { return [] }
        var changed: [WorkID] = []
        for (id, before) in touched {
            items[id]?.isTouched = false
            if items[id]?.snapshot(actions: actions) != before { changed.append(id) }
        }
        touched.removeAll(keepingCapacity: true)
        return changed.sorted()
    }

    private func known(_ id: WorkID, token: Int, _ turn: inout Turn) -> WorkItem? {
        guard let item = items[id] else {
            turn.effects.append(.tokenRefused(id, token: token, .unknownWork))
            return nil
        }
        guard (1...).contains(token), token <= item.token else {
            turn.effects.append(.tokenRefused(id, token: token, .unknownToken))
            return nil
        }
        return item
    }

    private mutating func pause(_ id: WorkID, _ action: ActionID, until: Instant, _ turn: inout Turn) {
        items[id]?.state = .pausing(since: turn.now, until: until)
        items[id]?.instruct(.pause, action: action, reason: "action", &turn)
        awaited.insert(id)
    }

    private mutating func resume(_ id: WorkID, action: ActionID?, reason: String, _ turn: inout Turn) {
        switch items[id]?.state {
        case .pausing, .overdue, .paused:
            items[id]?.state = .running
            items[id]?.instruct(.resume, action: action, reason: reason, &turn)
            awaited.remove(id)
        case .running, nil:
            break
        }
    }

    private mutating func touch(_ id: WorkID) {
        guard let item = items[id], !item.isTouched else { return }
        items[id]?.isTouched = true
        touched.append((id, item.snapshot(actions: actions)))
    }

    private mutating func touchAll() {
        for id in order { touch(id) }
    }
}
