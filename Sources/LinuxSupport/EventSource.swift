internal import CSystemd
internal import Glibc

/// The C side of a source: the loop's handle to it, released with this object.
///
/// sd-event holds a reference of its own while a source is being dispatched, so a handler may drop the
/// object that it was called for.
@safe
final class SourceHandle {
    let raw: OpaquePointer

    init(_ operation: String, priority: EventPriority, _ add: (inout OpaquePointer?) -> Int32)
        throws(SystemError)
    {
        var created: OpaquePointer?
        try unsafe checkNegative(operation, add(&created))
        guard let created = unsafe created else { throw SystemError(operation: operation, code: ENOMEM) }
        unsafe raw = created
        if priority != .normal {
            try unsafe checkNegative(
                "sd_event_source_set_priority", sd_event_source_set_priority(created, priority.value))
        }
    }

    enum Mode {
        case off, once
    }

    func enable(_ mode: Mode) {
        let value = mode == .off ? SD_EVENT_OFF : SD_EVENT_ONESHOT
        // It fails only on an invalid mode or on a loop that has ended.
        _ = unsafe sd_event_source_set_enabled(raw, Int32(value))
    }

    deinit {
        _ = unsafe sd_event_source_disable_unref(raw)
    }
}

/// A watched descriptor. Watching ends with ``cancel()`` or with the object.
public final class IOWatch {
    private var source: SourceHandle?
    private let handler: (IOReadiness) -> Void

    init(
        loop: EventLoop, descriptor: Int32, interest: IOInterest, priority: EventPriority,
        handler: @escaping (IOReadiness) -> Void
    ) throws(SystemError) {
        self.handler = handler
        self.interest = interest
        let me = unsafe Unmanaged.passUnretained(self).toOpaque()
        source = try unsafe SourceHandle("sd_event_add_io", priority: priority) { created in
            unsafe sd_event_add_io(
                loop.handle, &created, descriptor, interest.rawValue,
                { _, _, events, context in
                    guard let context = unsafe context else { return 0 }
                    let watch = unsafe Unmanaged<IOWatch>.fromOpaque(context).takeUnretainedValue()
                    if watch.source != nil { watch.handler(IOReadiness(rawValue: events)) }
                    return 0
                }, me)
        }
    }

    /// What is waited for; hang-ups and errors are reported besides.
    public var interest: IOInterest {
        didSet {
            guard interest != oldValue, let source else { return }
            // It fails only when epoll cannot change a descriptor it knows, which is a closed one.
            _ = unsafe sd_event_source_set_io_events(source.raw, interest.rawValue)
        }
    }

    /// Ends the watch: the handler is not called again.
    public func cancel() {
        source = nil
    }
}

/// A timer on CLOCK_BOOTTIME that fires once each time it is armed.
public final class LoopTimer {
    private var source: SourceHandle?
    private let handler: () -> Void

    /// How late a timer may fire so that wake-ups can be joined, in microseconds. Holds and pauses are
    /// promised to the millisecond, so this stays well below one.
    static let accuracyMicroseconds: UInt64 = 100

    init(loop: EventLoop, priority: EventPriority, handler: @escaping () -> Void) throws(SystemError) {
        self.handler = handler
        let me = unsafe Unmanaged.passUnretained(self).toOpaque()
        let created = try unsafe SourceHandle("sd_event_add_time", priority: priority) { created in
            unsafe sd_event_add_time(
                loop.handle, &created, CLOCK_BOOTTIME, UInt64.max, LoopTimer.accuracyMicroseconds,
                { _, _, context in
                    guard let context = unsafe context else { return 0 }
                    let timer = unsafe Unmanaged<LoopTimer>.fromOpaque(context).takeUnretainedValue()
                    if timer.source != nil { timer.handler() }
                    return 0
                }, me)
        }
        created.enable(.off)
        source = created
    }

    /// Fires at `microseconds` of CLOCK_BOOTTIME, at once when that is past; replaces an earlier time.
    public func arm(at microseconds: Int64) {
        guard let source else { return }
        _ = unsafe sd_event_source_set_time(source.raw, UInt64(max(0, microseconds)))
        source.enable(.once)
    }

    /// Does not fire until armed again.
    public func disarm() {
        source?.enable(.off)
    }

    /// Ends the timer for good.
    public func cancel() {
        source = nil
    }
}

/// Work that runs once, outside of whatever armed it, each time it is armed. sd-event dates it by its making:
/// of what is ready at the same priority, one that was made long ago comes first.
public final class Deferral {
    private var source: SourceHandle?
    private let handler: () -> Void

    init(loop: EventLoop, priority: EventPriority, handler: @escaping () -> Void) throws(SystemError) {
        self.handler = handler
        let me = unsafe Unmanaged.passUnretained(self).toOpaque()
        let created = try unsafe SourceHandle("sd_event_add_defer", priority: priority) { created in
            unsafe sd_event_add_defer(
                loop.handle, &created,
                { _, context in
                    guard let context = unsafe context else { return 0 }
                    let deferral = unsafe Unmanaged<Deferral>.fromOpaque(context).takeUnretainedValue()
                    if deferral.source != nil { deferral.handler() }
                    return 0
                }, me)
        }
        created.enable(.off)
        source = created
    }

    /// Runs the work once, soon.
    public func arm() {
        source?.enable(.once)
    }

    /// Takes an armed run back.
    public func disarm() {
        source?.enable(.off)
    }
}
