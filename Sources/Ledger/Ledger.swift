public import AdSlots
internal import LinuxSupport
internal import Reachability

/// What the daemon keeps over its restarts, in one SQLite file of its state directory.
///
/// Keeping is never a reason to stop: on a disk that is full, broken or cannot be written the slots go on,
/// trouble is said once, and everything is written as soon as that is possible again.
///
///     let ledger = try Ledger(directory: state, at: clocks) { log($0) }
///     var coordinator = Coordinator(…, remembering: ledger.remembered)
///     ledger.keep(coordinator.takeChangedMemories(), else: { coordinator.memories }, at: clocks)
public final class Ledger {
    /// What somebody should know.
    public enum Notice: Equatable, Sendable, CustomStringConvertible {
        /// The file was damaged. It has another name now, and a new one begins empty.
        case setAside(LedgerError, as: String)
        /// Nothing is kept for now. It is said once until it works again.
        case failing(LedgerError)
        /// Everything is kept again.
        case working

        /// The notice in a sentence.
        public var description: String {
            switch self {
            case .setAside(let error, let path): "\(error); set aside as \(path), beginning anew"
            case .failing(let error): "\(error); nothing is kept over a restart for now, going on"
            case .working: "state is kept again"
            }
        }
    }

    private enum State {
        /// Moves to: open, failing.
        case unopened
        /// Moves to: failing.
        case open(SlotTable)
        /// Nothing can be written. Moves to: open (an attempt at `retryAt` or later succeeds).
        case failing(retryAt: Instant)
    }

    /// The name of the file in the state directory.
    public static let fileName = "ledger.sqlite"

    /// What slots remembered when the file was opened, by name.
    public private(set) var remembered: [SlotMemory] = []

    private let path: String
    private let onNotice: (Notice) -> Void
    private var state = State.unopened

    /// Opens the file, makes it where it is missing, and sets a damaged one aside.
    ///
    /// - Parameters:
    ///   - directory: The state directory; it need not be writable.
    ///   - clocks: The present moment.
    ///   - onNotice: Is told of trouble, now and later.
    /// - Throws: ``LedgerError/Kind/newer`` and ``LedgerError/Kind/inUse``: another version or another
    ///   process has a claim on the file, and writing to it would do harm.
    public init(
        directory: String, at clocks: Clocks, onNotice: @escaping (Notice) -> Void
    ) throws(LedgerError) {
        path = "\(directory)/\(Self.fileName)"
        self.onNotice = onNotice
        do throws(LedgerError) {
            let table = try openOrReplace()
            remembered = try table.read(at: clocks)
            state = .open(table)
        } catch {
            if error.kind == .newer || error.kind == .inUse { throw error }
            fail(error, at: clocks)
            // A file that cannot even be read holds nothing that could be taken up.
            remembered = (try? SlotTable.read(unwritable: path, at: clocks)) ?? []
        }
    }

    /// Keeps what has changed, before anybody is told of it.
    ///
    /// - Parameters:
    ///   - changed: What slots remember now.
    ///   - everything: The memories of all slots, for when earlier ones could not be kept.
    ///   - clocks: The present moment.
    public func keep(
        _ changed: [SlotMemory], else everything: () -> [SlotMemory], at clocks: Clocks
    ) {
        guard !changed.isEmpty else { return }
        do throws(LedgerError) {
            switch state {
            case .open(let table):
                try table.write(changed, at: clocks)
            case .unopened:
                preconditionFailure("the ledger is opened when it is made")
            case .failing(let retryAt):
                guard clocks.now >= retryAt else { return }
                let table = try openOrReplace()
                try table.write(everything(), at: clocks)
                state = .open(table)
                onNotice(.working)
            }
        } catch {
            fail(error, at: clocks)
        }
    }

    private func fail(_ error: LedgerError, at clocks: Clocks) {
        switch state {
        case .unopened, .open: onNotice(.failing(error))
        case .failing: break
        }
        state = .failing(retryAt: clocks.now + Limits.retryInterval)
    }

    private func openOrReplace() throws(LedgerError) -> SlotTable {
        do throws(LedgerError) {
            return try SlotTable(path)
        } catch {
            guard error.kind == .damaged else { throw error }
            let other = "\(path).damaged"
            do throws(SystemError) {
                // The log belongs to the file: together they may still be mended by hand (sqlite3 .recover).
                try Directory.rename(path, to: other)
                try? Directory.rename("\(path)-wal", to: "\(other)-wal")
            } catch let failure {
                throw LedgerError(
                    .readOnly, operation: "set aside", path: path, message: "\(error.message); \(failure)")
            }
            let table = try SlotTable(path)
            onNotice(.setAside(error, as: other))
            return table
        }
    }
}
