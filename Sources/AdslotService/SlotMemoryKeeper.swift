internal import AdSlots
internal import Ledger
internal import LinuxSupport
internal import Reachability

/// Keeps what slots remember over restarts of the daemon, and says in the log when it cannot.
final class SlotMemoryKeeper {
    /// What was remembered before this start.
    let remembered: [SlotMemory]

    private let ledger: Ledger
    private let boot: String

    /// - Parameter directory: the state directory.
    init(in directory: String, log: Log) throws(LedgerError) {
        // Without it every start counts as one after a reboot, and moments go by the wall clock.
        let name = try? TextFile.read("/proc/sys/kernel/random/boot_id", maximum: 64)
        boot = String(decoding: name ?? [], as: UTF8.self).filter { !$0.isWhitespace }
        ledger = try Ledger(directory: directory, at: Self.clocks(boot)) { notice in
            switch notice {
            case .setAside, .failing: log.write(.warning, "state", notice.description)
            case .working: log.write(.info, "state", notice.description)
            }
        }
        remembered = ledger.remembered
    }

    /// Has on disk what a turn has changed.
    func keepChanges(of coordinator: inout Coordinator) {
        let changed = coordinator.takeChangedMemories()
        guard !changed.isEmpty else { return }
        ledger.keep(changed, else: { coordinator.memories }, at: Self.clocks(boot))
    }

    private static func clocks(_ boot: String) -> Clocks {
        Clocks(
            boot: boot, now: Instant(microseconds: SystemClock.boottime()), wall: SystemClock.realtime())
    }
}
