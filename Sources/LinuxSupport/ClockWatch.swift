internal import CLinux
internal import Glibc

/// What happened to the system's clocks.
public enum ClockJump: Hashable, Sendable {
    /// The wall clock was set. Nothing else has changed.
    case set
    /// The machine was suspended for so many microseconds: CLOCK_BOOTTIME went on, CLOCK_MONOTONIC did not.
    /// The wall clock may have been set besides.
    case slept(Int64)

    /// Tells the two apart.
    /// - Parameters:
    ///   - before: by how much CLOCK_BOOTTIME was ahead of CLOCK_MONOTONIC, in microseconds.
    ///   - now: by how much it is.
    init(before: Int64, now: Int64) {
        // The two cannot be read at the same moment, and nobody sleeps for less.
        let slept = now - before
        self = slept > 1_000 ? .slept(slept) : .set
    }
}

/// Notices that the wall clock was set, or that the machine woke up from suspend.
///
/// The kernel cancels a timer of CLOCK_REALTIME in both cases (TFD_TIMER_CANCEL_ON_SET, timerfd_create(2);
/// timerfd_clock_was_set and timekeeping_resume in the kernel): no bus and no service manager is asked.
public final class ClockWatch {
    private let timer: OwnedDescriptor
    private var watch: IOWatch?
    private var lead = ClockWatch.bootLead()
    private let handler: (ClockJump) -> Void

    init(
        loop: EventLoop, priority: EventPriority, handler: @escaping (ClockJump) -> Void
    ) throws(SystemError) {
        self.handler = handler
        timer = OwnedDescriptor(takingOver: try check("timerfd_create") { adslot_clock_jump_timer() })
        watch = try loop.watch(timer.raw, for: .readable, priority: priority) { [unowned self] _ in
            read()
        }
    }

    /// By how much CLOCK_BOOTTIME is ahead of CLOCK_MONOTONIC, in microseconds: the time slept so far.
    private static func bootLead() -> Int64 {
        SystemClock.boottime() - SystemClock.monotonic()
    }

    private func read() {
        var expirations: UInt64 = 0
        let count = unsafe Glibc.read(timer.raw, &expirations, MemoryLayout<UInt64>.size)
        // Once read it waits for the next jump; another error is no jump.
        guard count < 0, errno == ECANCELED else { return }
        let before = lead
        lead = Self.bootLead()
        handler(ClockJump(before: before, now: lead))
    }
}
