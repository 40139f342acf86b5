internal import LinuxSupport

/// A process, or the process group that it leads, stopped by SIGSTOP and continued by SIGCONT.
///
/// A group is stopped one member after the other, each held by a pidfd, and looked over until no member runs:
/// so nobody is signalled who took over a number, and who stood still before stays so afterwards. The end of
/// the process is the end of the work.
final class ProcessTarget: PauseTarget {
    /// Who may be stopped besides the process itself.
    struct Reach {
        /// The whole group.
        var isGroup: Bool
        /// Of the group only what is this user's; nil for all.
        var user: UInt32?
    }

    let key: String
    var onGone: (String) -> Void = { _ in }
    var onNotice: (String) -> Void = { _ in }

    private let leader: ProcessHandle
    private let reach: Reach
    private let loop: EventLoop
    private var endWatch: IOWatch?
    private var timer: LoopTimer?
    /// What the survey found, and then what is stopped.
    private var held: [ProcessHandle] = []
    private var phase = Phase.idle

    private enum Phase {
        /// Nothing of it is stopped by this daemon. Moves to: stopping.
        case idle
        /// Signalled and looked at until all of it stands still. Moves to: still, idle.
        case stopping(PauseProgress, since: Int64, pause: Int64)
        /// All of it stood still; looked at now and then. Moves to: idle.
        case still(isDisturbed: Bool)
    }

    init(_ leader: ProcessHandle, reach: Reach, loop: EventLoop) throws(SystemError) {
        self.leader = leader
        self.reach = reach
        self.loop = loop
        key = PausedTarget.process(leader.identity).key
        timer = try loop.makeTimer { [unowned self] in look() }
        endWatch = try loop.watch(leader.descriptor, for: .readable) { [unowned self] _ in
            endWatch?.cancel()
            onGone("process \(self.leader.identity.pid) has ended")
        }
    }

    func survey(_ completion: @escaping (Survey) -> Void) {
        held = []
        do throws(SystemError) {
            // It may have become another user's since.
            if let user = reach.user, try !ProcessOwner(pid: leader.identity.pid).isOnly(user) {
                return completion(.impossible("process \(leader.identity.pid) is another user's now"))
            }
            held = reach.isGroup ? try newMembers() : try leader.isStill(afterStop: false) ? [] : [leader]
        } catch {
            return completion(error.isGone ? .still : .impossible(error.description))
        }
        if held.count > Limits.groupMembersMax {
            completion(.impossible("its group has more than \(Limits.groupMembersMax) processes"))
        } else {
            completion(held.isEmpty ? .still : .running(held.map { PausedTarget.process($0.identity) }))
        }
    }

    func stop(_ progress: PauseProgress) {
        for process in held { stop(process) }
        phase = .stopping(progress, since: loop.now, pause: Limits.stillnessPauseMicrosecondsMin)
        look()
    }

    func release(_ completion: @escaping () -> Void) {
        timer?.disarm()
        phase = .idle
        for process in held {
            do throws(SystemError) {
                try process.proceed()
            } catch {
                onNotice("not continued: \(error)")
            }
        }
        held = []
        completion()
    }

    private func stop(_ process: ProcessHandle) {
        do throws(SystemError) {
            try process.stop()
        } catch {
            onNotice("not stopped: \(error)")
        }
    }

    /// Members of the group that run and that nobody here has stopped yet; with those that are held, at most
    /// one more than the bound.
    private func newMembers() throws(SystemError) -> [ProcessHandle] {
        var members: [ProcessHandle] = []
        for status in try ProcessStatus.members(of: leader.identity.pid) where mayStop(status) {
            guard !held.contains(where: { $0.identity == status.identity }),
                try !status.isWhollyStill(afterStop: false)
            else { continue }
            do throws(SystemError) {
                let handle = try ProcessHandle(pid: status.identity.pid)
                guard handle.identity == status.identity, try handle.status()?.group == status.group
                else { continue }
                members.append(handle)
            } catch {
                // One that ends meanwhile is none to stop.
                if !error.isGone { throw error }
            }
            if held.count + members.count > Limits.groupMembersMax { break }
        }
        return members
    }

    private func mayStop(_ status: ProcessStatus) -> Bool {
        let pid = status.identity.pid
        guard pid > 1, pid != ProcessContext.pid, !status.isKernelThread else { return false }
        guard let user = reach.user else { return true }
        return (try? ProcessOwner(pid: pid).isOnly(user)) ?? false
    }

    private func isHeldStill() throws(SystemError) -> Bool {
        var hierarchy: ControlGroupHierarchy?
        for process in held where try !process.isStill(afterStop: true) {
            // Frozen by way of other work, say, it stops no sooner than it thaws.
            if hierarchy == nil { hierarchy = try ControlGroupHierarchy.find() }
            guard let hierarchy, (try? hierarchy.isFrozen(process: process.identity.pid)) == true
            else { return false }
        }
        return true
    }

    private func look() {
        do throws(SystemError) {
            switch phase {
            case .idle: break
            case .stopping(let progress, let since, let pause):
                try settle(progress, since: since, pause: pause)
            case .still(let isDisturbed):
                let isStill = try isHeldStill()
                if !isStill, !isDisturbed { onNotice("was continued by somebody else, left alone") }
                phase = .still(isDisturbed: !isStill)
                timer?.arm(at: loop.now + Limits.disturbancePauseMicroseconds)
            }
        } catch {
            onNotice("cannot be looked at: \(error)")
        }
    }

    private func settle(_ progress: PauseProgress, since: Int64, pause: Int64) throws(SystemError) {
        var isStill = try isHeldStill()
        if reach.isGroup {
            let more = try newMembers()
            if held.count + more.count > Limits.groupMembersMax {
                return onNotice("its group grew beyond \(Limits.groupMembersMax) processes, some run on")
            }
            isStill = isStill && more.isEmpty
            if !more.isEmpty, progress.found(more.map { .process($0.identity) }) {
                held += more
                for process in more { stop(process) }
            }
        }
        let now = loop.now
        if isStill {
            phase = .still(isDisturbed: false)
            timer?.arm(at: now + Limits.disturbancePauseMicroseconds)
            progress.isStill()
        } else if now - since > Limits.stillnessMicrosecondsMax {
            onNotice("does not stop, no longer looked at")
        } else {
            let next = min(pause * 2, Limits.stillnessPauseMicrosecondsMax)
            phase = .stopping(progress, since: since, pause: next)
            timer?.arm(at: now + pause)
        }
    }
}
