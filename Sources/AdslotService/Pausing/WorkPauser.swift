internal import AdSlots
internal import LinuxSupport

/// Carries out instructions for work that does not pause itself: processes, control groups and units.
///
/// Instructions are collected while the effects of one event are performed; ``flush()`` then writes the
/// record once for all of them and stops what it names.
final class WorkPauser {
    /// Called when all of a piece of work stands still, with the token of the instruction.
    var onStill: (WorkID, Int) -> Void = { _, _ in }
    /// Called when what a piece of work names is no longer there, with a sentence.
    var onGone: (WorkID, String) -> Void = { _, _ in }
    /// For units; connects with the first.
    let units: SystemdUnits

    private let log: Log
    private var record: PausedRecord
    private var isRecordDue = false
    /// The record could not go into the state directory when it last said anything. That has been said.
    private var isElsewhere = false
    private var items: [WorkID: Item] = [:]
    /// To be stopped as soon as the record is on disk, in the order of the instructions.
    private var ready: [(work: WorkID, token: Int)] = []
    /// The targets whose release has not come to its end.
    private var releasing: [String] = []
    private var isFlushing = false
    private var resumption: Resumption?
    /// Waits until nothing is being released any more.
    private var quietHandler: (() -> Void)?

    private struct Item {
        let name: String
        let target: any PauseTarget
        /// The token of the latest instruction: what belongs to an earlier one no longer counts.
        var token = 0
        /// Whether something of it may be stopped.
        var isStopped = false
    }

    /// - Parameter state: where the record is kept.
    init(loop: EventLoop, log: Log, state: StateDirectory) throws(SystemError) {
        self.log = log
        units = SystemdUnits(loop: loop)
        record = try PausedRecord(directory: state.path, runtimeDirectory: StateDirectory.runtimePath)
    }

    /// Resumes what a daemon before this one paused.
    func resumeLeftovers(on loop: EventLoop) {
        for fault in record.load() { log.write(.error, "paused", fault + ", ignoring") }
        let resumption = Resumption(record.leftovers, units: units, loop: loop, log: log)
        self.resumption = resumption
        resumption.start { [unowned self] target in
            record.resolve(target)
            writeRecord()
        }
        // Also what was only of another boot goes away.
        writeRecord()
    }

    /// Whether something that an earlier daemon paused could not be resumed yet.
    var hasLeftovers: Bool { !record.leftovers.isEmpty }

    /// Whether that may still come by waiting: only systemd's answers do.
    var awaitsUnits: Bool {
        record.leftovers.contains { if case .unit = $0 { true } else { false } }
    }

    /// The work that is registered for a target already.
    func name(registeredFor key: String) -> String? {
        items.values.first { $0.target.key == key }?.name
    }

    /// Whether a target that was registered before is still being let go. What is registered anew until then
    /// would be resumed in the midst of its pause.
    func isReleasing(_ key: String) -> Bool {
        releasing.contains(key) || record.leftovers.contains { $0.key == key }
    }

    /// Whether a piece of work is paused by this object.
    func paces(_ work: WorkID) -> Bool { items[work] != nil }

    /// Takes a piece of work on.
    func add(_ work: WorkID, name: String, _ target: any PauseTarget) {
        items[work] = Item(name: name, target: target)
        target.onGone = { [weak self] text in self?.onGone(work, text) }
        target.onNotice = { [weak self] text in self?.log.write(.warning, "work \(name)", text) }
    }

    /// Forgets a piece of work; it has been told to go on before.
    func remove(_ work: WorkID) {
        items[work] = nil
    }

    /// Takes an instruction; nothing for work that pauses itself.
    func instruct(_ work: WorkID, _ instruction: Instruction) {
        guard let item = items[work] else { return }
        items[work]?.token = instruction.token
        // What comes at once waits for the flush at the end of the event, what comes later is one by itself.
        var isAtOnce = true
        switch instruction.kind {
        case .pause:
            item.target.survey { [weak self] survey in
                self?.surveyed(work, instruction.token, survey)
                if !isAtOnce { self?.flush() }
            }
        case .resume:
            resume(work, item) { [weak self] in
                if !isAtOnce { self?.flush() }
            }
        }
        isAtOnce = false
    }

    /// Writes the record and stops what it newly names.
    func flush() {
        guard !isFlushing else { return }
        isFlushing = true
        defer { isFlushing = false }
        // What stands still at once may bring new instructions.
        while !ready.isEmpty || isRecordDue {
            let due = ready
            ready = []
            if writeRecord() {
                for (work, token) in due { stop(work, token) }
            } else {
                isRecordDue = false
                for (work, _) in due { record[work] = [] }
            }
        }
    }

    /// Calls `handler` when nothing that was paused waits to be resumed: at once where that is so.
    func whenQuiet(_ handler: @escaping () -> Void) {
        quietHandler = handler
        checkQuiet()
    }

    private func checkQuiet() {
        guard releasing.isEmpty, let handler = quietHandler else { return }
        quietHandler = nil
        handler()
    }

    private func surveyed(_ work: WorkID, _ token: Int, _ survey: Survey) {
        guard let item = items[work], item.token == token else { return }
        switch survey {
        case .still:
            onStill(work, token)
        case .impossible(let cause):
            log.write(.warning, "work \(item.name)", "cannot be paused: \(cause)")
        case .running(let targets):
            record[work] = targets
            ready.append((work, token))
            isRecordDue = true
        }
    }

    private func stop(_ work: WorkID, _ token: Int) {
        guard let item = items[work], item.token == token else { return }
        items[work]?.isStopped = true
        item.target.stop(
            PauseProgress(
                found: { [weak self] in self?.extend(work, token, $0) ?? false },
                isStill: { [weak self] in
                    guard let self, items[work]?.token == token else { return }
                    onStill(work, token)
                }))
    }

    private func extend(_ work: WorkID, _ token: Int, _ targets: [PausedTarget]) -> Bool {
        guard items[work]?.token == token else { return false }
        record[work] += targets
        return writeRecord()
    }

    private func resume(_ work: WorkID, _ item: Item, _ completion: @escaping () -> Void) {
        ready.removeAll { $0.work == work }
        guard item.isStopped else {
            record[work] = []
            return
        }
        items[work]?.isStopped = false
        let key = item.target.key
        releasing.append(key)
        // The target may have to wait for systemd, and lives that long; a survey meanwhile waits too.
        item.target.release { [self, target = item.target] in
            _ = target
            if let index = releasing.firstIndex(of: key) { releasing.remove(at: index) }
            record[work] = []
            isRecordDue = true
            completion()
            checkQuiet()
        }
    }

    @discardableResult
    private func writeRecord() -> Bool {
        do throws(SystemError) {
            let fault = try record.write()
            isRecordDue = false
            if let fault, !isElsewhere {
                log.write(.warning, "paused", "\(fault); recorded in the runtime directory instead")
            }
            // An empty record can go where no other can be written.
            if fault != nil || !record.isEmpty { isElsewhere = fault != nil }
            return true
        } catch {
            log.write(.error, "paused", "nothing is paused that is not recorded: \(error)")
            return false
        }
    }
}
