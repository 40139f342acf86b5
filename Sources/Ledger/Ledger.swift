public import AdSlots
internal import LinuxSupport
public import Reachability

public import struct Campaigns.SchedulerMemory

/// What the daemon keeps, in one SQLite file of its state directory: what slots remember over a restart, and
/// the proof of what was requested, shown, seen and touched.
///
/// Keeping is never a reason to stop: on a disk that is full, broken or cannot be written the slots go on,
/// trouble is said once, what happens waits in memory, and everything is written as soon as that is possible
/// again.
///
///     let ledger = try Ledger(directory: state, at: clocks) { log($0) }
///     var coordinator = Coordinator(…, remembering: ledger.remembered)
///     let effects = coordinator.handle(…)
///     let changes = ledger.changes(for: effects, path: "wifi", hostName: { … }, at: clocks)
///     ledger.keep(changes, coordinator.takeChangedMemories(), else: { coordinator.memories }, at: clocks)
///     // From here on somebody may be told.
public final class Ledger {
    private enum State {
        /// Moves to: open, failing.
        case unopened
        /// Moves to: failing, open (another file).
        case open(LedgerFile)
        /// Nothing can be written. Moves to: open (an attempt at `retryAt` or later succeeds).
        case failing(LedgerError, retryAt: Instant)
    }

    /// What one run keeps for the next, to be taken up as soon as it can be read.
    private enum Kept {
        case slots, scheduler, notices
    }

    /// The name of the file in the state directory.
    public static let fileName = "ledger.sqlite"

    /// What slots remembered when the file was opened, by name.
    public private(set) var remembered: [SlotMemory] = []

    /// What the scheduler of house campaigns remembered when the file was opened.
    public private(set) var rememberedScheduler = SchedulerMemory()
    /// Gives all that the scheduler remembers now, for when changes could not be kept; nil where there are no
    /// house campaigns.
    public var wholeScheduler: () -> SchedulerChanges? = { nil }

    let path: String
    /// The files of creatives.
    let files: CreativeDirectory
    /// What is still to be cleared away and checked of the inventory.
    var tending = InventoryTending()
    /// The imports that are under way, and how many campaigns of them have come.
    var activeImports: [ImportID: Int] = [:]
    /// What was read of a damaged file and is not written yet.
    private var salvage: Salvage?
    /// Whether it was said that there are fetched files that no ledger knows.
    var hasMissedFetched = false
    let onNotice: (Notice) -> Void
    /// The notices that were found waiting, until somebody takes them.
    private var unsentNotices: [OutboundNotice] = []
    private var state = State.unopened
    /// What could not be read yet of what earlier runs kept: this run knows nothing of it, and must not write
    /// over it.
    private var unread: Set<Kept> = [.slots, .scheduler, .notices]
    /// The slots of which something is remembered anew that is not on disk.
    private var changedSlots: Set<String> = []
    private var bookkeeper = Bookkeeper()
    var markKeeper = MarkKeeper()
    private var generator = SystemRandomNumberGenerator()
    /// The sequence of this run's row number 0, known once the file has been opened.
    private var base: Int64?
    /// The number of the first row that is not on disk.
    private var unwritten: Int64 = 0
    /// What could not be written yet, in order.
    private var waiting: [Change] = []
    private var lost = 0
    private(set) var lostInAll = 0

    /// Opens the file, makes it where it is missing, and sets a damaged one aside.
    ///
    /// - Parameters:
    ///   - directory: The state directory; it need not be writable.
    ///   - clocks: The present moment.
    ///   - onNotice: Is told of trouble, now and later.
    /// - Throws: ``LedgerError/Kind/newer`` and ``LedgerError/Kind/inUse``: another version or another
    ///   process has a claim on the file, and writing to it would do harm; ``LedgerError/Kind/notRegular``:
    ///   whoever put it there has to say what it is for.
    public init(
        directory: String, at clocks: Clocks, onNotice: @escaping (Notice) -> Void
    ) throws(LedgerError) {
        path = "\(directory)/\(Self.fileName)"
        files = CreativeDirectory("\(directory)/creatives")
        self.onNotice = onNotice
        do throws(LedgerError) {
            let file = try openOrReplace()
            remembered = try file.slots.read(at: clocks)
            rememberedScheduler = try file.scheduler.read()
            unsentNotices = try file.outbox.read()
            unread = []
            // The start touches more of the file than all that comes after.
            file.database.releaseMemory()
            state = .open(file)
        } catch {
            if [.newer, .inUse, .notRegular].contains(error.kind) { throw error }
            fail(error, at: clocks)
            takeUpStill(at: clocks)
        }
    }

    /// Takes up what can be read of a file that cannot be written.
    private func takeUpStill(at clocks: Clocks) {
        guard let database = try? Database(path, .still) else { return }
        if let memories = try? SlotTable.read(unwritable: database, at: clocks) {
            remembered = memories
            unread.remove(.slots)
        }
        if let memory = try? SchedulerTable.read(database) {
            rememberedScheduler = memory
            unread.remove(.scheduler)
        }
    }

    /// Takes the notices of earlier runs that wait to be sent, oldest first: those that were found when the
    /// file was opened, which may be later than the start.
    public func takeUnsentNotices() -> [OutboundNotice] {
        defer { unsentNotices = [] }
        return unsentNotices
    }

    /// The rows and completions that the effects of one event bring: see ``Bookkeeper``.
    public func changes(
        for effects: [Effect], path: String, hostName: (String) -> String?, at clocks: Clocks
    ) -> [Change] {
        bookkeeper.changes(
            for: effects, at: clocks, path: path, hostName: hostName, using: &generator)
    }

    /// The changes by which a notice is given up.
    public func changes(givingUp notice: OutboundNotice, reason: String, at clocks: Clocks) -> [Change] {
        var entry = bookkeeper.entry(.noticeGivenUp, at: clocks, using: &generator)
        entry.reason = "\(notice.kind) \(notice.id): \(reason)".cut
        return [.append(entry), .noticeDone(id: notice.id)]
    }

    /// Keeps what a turn has changed, as a whole, before anybody is told of it.
    ///
    /// - Parameters:
    ///   - changes: What happened.
    ///   - memories: What slots remember now, of those where that has changed.
    ///   - scheduler: What the scheduler of house campaigns remembers anew.
    ///   - everything: The memories of all slots, for when earlier ones could not be kept.
    ///   - clocks: The present moment.
    public func keep(
        _ changes: [Change], _ memories: [SlotMemory] = [], _ scheduler: SchedulerChanges? = nil,
        else everything: () -> [SlotMemory], at clocks: Clocks
    ) {
        switch state {
        case .unopened:
            preconditionFailure("the ledger is opened when it is made")
        case .open(let file):
            guard !changes.isEmpty || !memories.isEmpty || scheduler != nil else { return }
            do throws(LedgerError) {
                try write(changes, memories, scheduler, to: file, at: clocks)
            } catch {
                wait(with: changes, memories)
                recover(from: error, everything, at: clocks)
            }
        case .failing(_, let retryAt):
            wait(with: changes, memories)
            guard clocks.now >= retryAt else { return }
            reopen(everything, at: clocks)
        }
    }

    /// The daemon ends: makes a last attempt to write what waits, and says what is lost where that fails.
    public func finish(_ everything: () -> [SlotMemory], at clocks: Clocks) {
        guard case .failing = state else { return }
        reopen(everything, at: clocks)
        let count = waiting.count + lost
        guard case .failing = state, count > 0 || !changedSlots.isEmpty else { return }
        onNotice(.ending(lost: count, slots: changedSlots.count))
    }

    /// When an attempt should be made to write what waits (``keep(_:_:else:at:)`` with nothing new), `nil`
    /// where nothing does.
    public var retryAt: Instant? {
        guard case .failing(_, let retryAt) = state else { return nil }
        return retryAt
    }

    /// Reads from the file, with the damage that may be met there.
    /// - Throws: what kept the file from being opened, where it is not open.
    func read<Value>(
        at clocks: Clocks, _ body: (LedgerFile) throws(LedgerError) -> Value
    ) throws(LedgerError) -> Value {
        switch state {
        case .unopened: preconditionFailure("the ledger is opened when it is made")
        case .failing(let error, _): throw error
        case .open(let file):
            do throws(LedgerError) {
                return try body(file)
            } catch {
                // Whoever writes next finds it closed, sets it aside and begins anew.
                if error.kind == .damaged { fail(error, at: clocks) }
                throw error
            }
        }
    }

    /// Why nothing can be written for now.
    var trouble: LedgerError? {
        guard case .failing(let error, _) = state else { return nil }
        return error
    }

    /// How many changes wait to be written.
    var waitingCount: Int { waiting.count }

    private func write(
        _ changes: [Change], _ memories: [SlotMemory], _ scheduler: SchedulerChanges?, to file: LedgerFile,
        at clocks: Clocks
    ) throws(LedgerError) {
        let next = if let base { base + unwritten } else { try file.entries.next() }
        let base = next - unwritten
        try file.write(changes, memories, scheduler, base: base, at: clocks)
        self.base = base
        for case .append(let entry) in changes.reversed() {
            unwritten = entry.reference.number + 1
            break
        }
    }

    private func wait(with changes: [Change], _ memories: [SlotMemory]) {
        changedSlots.formUnion(memories.map(\.name))
        let room = Limits.waitingChangesMax - waiting.count
        waiting += changes.prefix(room)
        guard changes.count > room else { return }
        if lost == 0 { onNotice(.losing) }
        lost += changes.count - room
    }

    /// A write failed. A damaged file is replaced at once; anything else is tried again later.
    private func recover(
        from error: LedgerError, _ everything: () -> [SlotMemory], at clocks: Clocks
    ) {
        fail(error, at: clocks)
        if error.kind == .damaged { reopen(everything, at: clocks) }
    }

    private func reopen(_ everything: () -> [SlotMemory], at clocks: Clocks) {
        guard case .failing(let cause, _) = state else { return }
        do throws(LedgerError) {
            let file = try openOrReplace(knowing: cause.kind == .damaged ? cause : nil)
            if let base {
                // Somebody may have put another file there: no number is given twice.
                self.base = max(base, try file.entries.next() - unwritten)
            }
            // Of those that are known some may have been sent meanwhile.
            if unread.contains(.notices) { unsentNotices = try file.outbox.read() }
            var changes = waiting
            if lost > 0 {
                var entry = bookkeeper.entry(.lost, at: clocks, using: &generator)
                entry.reason = "\(lost) changes"
                changes.append(.append(entry))
            }
            // What was lost may have been marks, and another file has none.
            changes += aliveMarks(at: clocks)
            let memories = try unknown(everything(), to: file, at: clocks)
            try write(changes, memories, try unknown(wholeScheduler(), to: file), to: file, at: clocks)
            state = .open(file)
        } catch {
            return fail(error, at: clocks)
        }
        forgetHeld()
        onNotice(.working(lost: lost))
        lostInAll += lost
        (waiting, lost, changedSlots, unread) = ([], 0, [], [])
    }

    /// Of all memories those that take the place of nothing that this run could not read, but for slots that
    /// have changed in it.
    private func unknown(
        _ memories: [SlotMemory], to file: LedgerFile, at clocks: Clocks
    ) throws(LedgerError) -> [SlotMemory] {
        guard unread.contains(.slots) else { return memories }
        let kept = Set(try file.slots.read(at: clocks).map(\.name)).subtracting(changedSlots)
        return memories.filter { !kept.contains($0.name) }
    }

    /// The same of what the scheduler remembers.
    private func unknown(
        _ changes: SchedulerChanges?, to file: LedgerFile
    ) throws(LedgerError) -> SchedulerChanges? {
        guard unread.contains(.scheduler) else { return changes }
        return try file.scheduler.read() == SchedulerMemory() ? changes : nil
    }

    private func fail(_ error: LedgerError, at clocks: Clocks) {
        switch state {
        case .unopened, .open: onNotice(.failing(error))
        case .failing: break
        }
        state = .failing(error, retryAt: clocks.now + Limits.retryInterval)
    }

    /// - Parameter damage: the damage that was met in the file, which need not show when it is opened.
    private func openOrReplace(knowing damage: LedgerError? = nil) throws(LedgerError) -> LedgerFile {
        do throws(LedgerError) {
            if let damage { throw damage }
            return try openAndFill()
        } catch {
            guard error.kind == .damaged else { throw error }
            let other = "\(path).damaged"
            salvage = Salvage(from: path, files: files)
            do throws(SystemError) {
                // The log belongs to the file: together they may still be mended by hand (sqlite3 .recover).
                try Directory.rename(path, to: other)
                try? Directory.rename("\(path)-wal", to: "\(other)-wal")
            } catch let failure {
                throw LedgerError(
                    .readOnly, operation: "set aside", path: path, message: "\(error.message); \(failure)")
            }
            onNotice(.setAside(error, as: other))
            return try openAndFill()
        }
    }

    /// Opens the file, and fills it with what could be read of one that was set aside.
    private func openAndFill() throws(LedgerError) -> LedgerFile {
        restrictFiles()
        if salvage == nil { try setAsideUnknownFiles() }
        let file = try LedgerFile(path)
        guard let salvage else { return file }
        try salvage.write(to: file.database)
        self.salvage = nil
        let leftovers = salvage.isWhole ? nil : files.setAside(keeping: salvage)
        if !salvage.campaigns.isEmpty || leftovers != nil {
            onNotice(
                .carriedOver(
                    campaigns: salvage.campaigns.count, creatives: salvage.creativeCount,
                    leftoversIn: leftovers))
        }
        return file
    }
}
