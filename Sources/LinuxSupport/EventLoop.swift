internal import CLinux
internal import CSystemd
internal import Glibc

/// The one loop of a program: descriptors, timers, signals and deferred work, on sd-event.
///
/// Everything happens on the thread that calls ``run()``. Sources are objects; one that is cancelled or
/// released is never called again.
@safe
public final class EventLoop {
    let handle: OpaquePointer

    /// Creates a loop.
    /// - Throws: what sd_event_new(3) reports.
    public init() throws(SystemError) {
        var created: OpaquePointer?
        try unsafe checkNegative("sd_event_new", sd_event_new(&created))
        guard let created = unsafe created else {
            throw SystemError(operation: "sd_event_new", code: ENOMEM)
        }
        unsafe handle = created
    }

    deinit {
        _ = unsafe sd_event_unref(handle)
    }

    /// Runs until ``exit(code:)``; returns the code given there.
    public func run() throws(SystemError) -> Int32 {
        try unsafe checkNegative("sd_event_loop", sd_event_loop(handle))
    }

    /// Runs one turn: waits at most `timeout` microseconds for an event and handles it.
    /// - Returns: whether there was one.
    @discardableResult
    public func runOnce(timeout: UInt64) throws(SystemError) -> Bool {
        try unsafe checkNegative("sd_event_run", sd_event_run(handle, timeout)) > 0
    }

    /// Ends ``run()`` after the event being handled.
    public func exit(code: Int32) {
        // It fails only on a loop that has ended already, where there is nothing left to end.
        _ = unsafe sd_event_exit(handle, code)
    }

    /// Microseconds of CLOCK_BOOTTIME: monotonic, and going on over suspend.
    public var now: Int64 { SystemClock.boottime() }

    /// Answers the service manager's watchdog from this loop, where it asks for that (WATCHDOG_USEC).
    /// - Returns: whether it does.
    @discardableResult
    public func enableWatchdog() throws(SystemError) -> Bool {
        try unsafe checkNegative("sd_event_set_watchdog", sd_event_set_watchdog(handle, 1)) > 0
    }

    /// Calls `handler` whenever `descriptor` is ready for `interest`, and on errors and hang-ups always.
    ///
    /// The descriptor stays the caller's and must outlive the watch.
    public func watch(
        _ descriptor: Int32, for interest: IOInterest, priority: EventPriority = .normal,
        handler: @escaping (IOReadiness) -> Void
    ) throws(SystemError) -> IOWatch {
        try IOWatch(
            loop: self, descriptor: descriptor, interest: interest, priority: priority, handler: handler)
    }

    /// Makes a timer, not armed yet.
    public func makeTimer(
        priority: EventPriority = .normal, handler: @escaping () -> Void
    ) throws(SystemError) -> LoopTimer {
        try LoopTimer(loop: self, priority: priority, handler: handler)
    }

    /// Makes a piece of work that, once armed, runs soon: among all else that is ready, by its priority.
    public func makeDeferral(
        priority: EventPriority = .normal, handler: @escaping () -> Void
    ) throws(SystemError) -> Deferral {
        try Deferral(loop: self, priority: priority, handler: handler)
    }

    /// Makes a piece of work that, once armed, runs when all that is ready by then has been served.
    public func makeTurnEnd(handler: @escaping () -> Void) throws(SystemError) -> TurnEnd {
        try TurnEnd(loop: self, handler: handler)
    }

    /// Calls `handler` when the wall clock was set or the machine woke up from suspend.
    public func watchClocks(
        priority: EventPriority = .normal, handler: @escaping (ClockJump) -> Void
    ) throws(SystemError) -> ClockWatch {
        try ClockWatch(loop: self, priority: priority, handler: handler)
    }

    /// Calls `handler` for each arrival of `signal`, which must be blocked (``Signals``).
    public func watch(
        signal: Signals, handler: @escaping () -> Void
    ) throws(SystemError) -> SignalWatch {
        try SignalWatch(loop: self, signal: signal.rawValue, handler: handler)
    }

    /// Calls `handler` for each arrival of `signal`, which must be blocked (``PassedSignal/block()``).
    public func watch(
        passed signal: PassedSignal, handler: @escaping () -> Void
    ) throws(SystemError) -> SignalWatch {
        try SignalWatch(loop: self, signal: signal.rawValue, handler: handler)
    }
}

/// The order of sources that are ready in the same turn: the lower value first.
public struct EventPriority: Hashable, Sendable {
    /// The value for sd_event_source_set_priority(3).
    public let value: Int64

    /// Facts of the kernel: judged before anything that asks about them.
    public static let facts = EventPriority(value: -10)
    /// Clients and timers.
    public static let normal = EventPriority(value: 0)
    /// What may wait until all else of the turn is done.
    public static let late = EventPriority(value: 10)
}
