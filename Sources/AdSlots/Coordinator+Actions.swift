import Reachability

/// An action from a person's touch to its end.
struct Action: Hashable, Sendable {
    /// The host that began it.
    let host: HostID
    /// The call that awaits or has had its answer.
    let begin: BeginID
    let leavesApplication: Bool
}

/// Actions pause work and hold the screen. How far an action has come is the slot's to know (``Hold``).
extension Coordinator {
    mutating func beginAction(
        _ action: Action, banner: BannerID, pathUsable: Bool, _ turn: inout Turn
    ) {
        guard let index = indexByHost[action.host] else {
            turn.effects.append(.beginAnswered(action.begin, .refused(.hostLeft)))
            return
        }
        touch(index)
        if let refusal = entries[index].refusal(banner: banner, pathUsable: pathUsable) {
            entries[index].record.note(.actionRefused(refusal), turn)
            turn.effects.append(.beginAnswered(action.begin, .refused(refusal)))
            return
        }
        let id = turn.ids.action()
        actions[id] = action
        entries[index].hosting?.holdBanner(for: id)
        entries[index].record.note(.actionBegan(id), turn)
        file(index)
        let awaitedUntil = roster.pauseAll(for: id, timeout: pauseTimeout, &turn)
        if roster.isAwaiting {
            deadlines.set(.action(id), due: awaitedUntil)
        } else {
            allow(id, &turn)
        }
    }

    mutating func finishAction(_ id: ActionID, of host: HostID, _ turn: inout Turn) {
        guard let action = actions[id], action.host == host, let index = indexByHost[host],
            case .running = entries[index].hosting?.banner.hold
        else {
            turn.effects.append(.finishRefused(host, id))
            return
        }
        touch(index)
        endAction(id, .finished, &turn)
        settle(index, &turn)
    }

    /// The pausing or the running time of an action is over.
    mutating func actionIsDue(_ id: ActionID, _ turn: inout Turn) {
        guard let action = actions[id], let index = indexByHost[action.host] else { return }
        touch(index)
        switch entries[index].hosting?.banner.hold {
        case .pausing:
            roster.giveUp(at: turn.now, &turn)
            allow(id, &turn)
        case .running:
            endAction(id, .timedOut, &turn)
            settle(index, &turn)
        case nil:
            break
        }
    }

    /// Allows every action that waited for work, once none is awaited any more.
    mutating func allowWhatWaits(_ turn: inout Turn) {
        guard !roster.isAwaiting else { return }
        for id in pausingActions { allow(id, &turn) }
    }

    mutating func vetoed(_ work: WorkID, token: Int, reason: String, _ turn: inout Turn) {
        guard let name = roster.veto(work, token: token, &turn) else { return }
        let refusal = BeginRefusal.vetoed(work: name, reason: reason.cut(to: Limits.vetoReasonBytesMax))
        for id in pausingActions {
            guard let action = actions[id], let index = indexByHost[action.host] else { continue }
            touch(index)
            refuseBegin(id, refusal, &turn)
            settle(index, &turn)
        }
    }

    /// Gives up an action that waits for work. The caller settles the slot.
    mutating func refuseBegin(_ id: ActionID, _ refusal: BeginRefusal, _ turn: inout Turn) {
        guard let (action, index) = forget(id, &turn) else { return }
        roster.end(id, reason: refusal.word, &turn)
        entries[index].record.note(.actionRefused(refusal), turn)
        turn.effects.append(.beginAnswered(action.begin, .refused(refusal)))
    }

    /// Ends an action that runs; work goes on before anything else happens. The caller settles the slot.
    mutating func endAction(_ id: ActionID, _ end: ActionEnd, _ turn: inout Turn) {
        guard let (_, index) = forget(id, &turn) else { return }
        roster.end(id, reason: end.rawValue, &turn)
        entries[index].record.note(.actionEnded(id, end), turn)
        turn.effects.append(.actionEnded(id, slot: entries[index].record.settings.name, end))
    }

    private mutating func forget(_ id: ActionID, _ turn: inout Turn) -> (Action, Int)? {
        deadlines.remove(.action(id))
        guard let action = actions.removeValue(forKey: id), let index = indexByHost[action.host]
        else { return nil }
        entries[index].hosting?.freeBanner(at: turn.now)
        return (action, index)
    }

    private mutating func allow(_ id: ActionID, _ turn: inout Turn) {
        guard let action = actions[id], let index = indexByHost[action.host],
            let creative = entries[index].hosting?.coverBanner(for: id, at: turn.now)
        else { return }
        touch(index)
        entries[index].record.actions += 1
        entries[index].record.note(.actionAllowed(id), turn)
        deadlines.set(.action(id), due: turn.now + actionTimeout)
        turn.effects.append(
            .actionStarted(
                id, slot: entries[index].record.settings.name, creative,
                leavesApplication: action.leavesApplication))
        turn.effects.append(.beginAnswered(action.begin, .allowed(id)))
        file(index)
    }

    /// The actions that wait for work, in the order in which they began.
    private var pausingActions: [ActionID] {
        roster.actions.filter { id in
            guard let action = actions[id], let index = indexByHost[action.host] else { return false }
            switch entries[index].hosting?.banner.hold {
            case .pausing: return true
            case .running, nil: return false
            }
        }
    }
}

extension String {
    /// At most this many bytes of the text, without a broken character at the end.
    func cut(to bytesMax: Int) -> String {
        guard utf8.count > bytesMax else { return self }
        var bytes = 0
        return String(
            prefix { character in
                bytes += character.utf8.count
                return bytes <= bytesMax
            })
    }
}
