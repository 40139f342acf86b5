internal import CLinux
internal import Glibc

/// A set of descriptors that can be waited for as one: its own descriptor is readable while any of them is
/// ready (epoll(7)).
///
/// It is how a library with several descriptors shows one to the loop of the program that uses it.
public final class Poller {
    private let epoll: OwnedDescriptor

    /// Creates an empty set.
    public init() throws(SystemError) {
        epoll = OwnedDescriptor(takingOver: try check("epoll_create1") { adslot_epoll_create() })
    }

    /// Readable while ``ready()`` has something to say.
    public var descriptor: CInt { epoll.raw }

    /// Adds a descriptor, which stays its owner's.
    public func add(_ descriptor: CInt, _ interest: IOInterest) throws(SystemError) {
        try control(0, descriptor, interest)
    }

    /// Waits for something else on a descriptor.
    public func change(_ descriptor: CInt, to interest: IOInterest) throws(SystemError) {
        try control(1, descriptor, interest)
    }

    /// Takes a descriptor out, before it is closed.
    public func remove(_ descriptor: CInt) {
        // It fails only for one that is not in the set.
        try? control(2, descriptor, [])
    }

    private func control(_ change: CInt, _ descriptor: CInt, _ interest: IOInterest) throws(SystemError) {
        _ = try check("epoll_ctl") {
            adslot_epoll_control(epoll.raw, change, descriptor, interest.rawValue)
        }
    }

    /// The descriptors that are ready now, a few at a time; does not wait.
    public func ready() throws(SystemError) -> [(descriptor: CInt, readiness: IOReadiness)] {
        var descriptors = [CInt](repeating: 0, count: Self.readyMax)
        var events = [UInt32](repeating: 0, count: Self.readyMax)
        let count = try check("epoll_wait") {
            unsafe adslot_epoll_ready(epoll.raw, &descriptors, &events, CInt(Self.readyMax))
        }
        return (0..<Int(count)).map { (descriptors[$0], IOReadiness(rawValue: events[$0])) }
    }

    private static let readyMax = 8
}

/// A timer with a descriptor, on the clock that goes on over suspend (timerfd_create(2)).
public struct TimerDescriptor: ~Copyable {
    private let timer: OwnedDescriptor

    /// Creates a timer that is not set.
    public init() throws(SystemError) {
        timer = OwnedDescriptor(takingOver: try check("timerfd_create") { adslot_timer_create() })
    }

    /// Readable once the time has come, until it is set anew.
    public var descriptor: CInt { timer.raw }

    /// Sets the time, counted from now; never for `nil`.
    public func set(after duration: Duration?) {
        let (seconds, attoseconds) = duration?.components ?? (0, 0)
        let microseconds = min(seconds, .max / 2_000_000) * 1_000_000 + attoseconds / 1_000_000_000_000
        // It fails only on a descriptor that is none.
        _ = adslot_timer_set(timer.raw, duration == nil ? 0 : max(1, microseconds))
    }
}

/// Wakes a thread that waits for descriptors (eventfd(2)). Any thread may raise it.
public struct WakeUp: ~Copyable, Sendable {
    private let counter: OwnedDescriptor

    /// Creates one that is not raised.
    public init() throws(SystemError) {
        counter = OwnedDescriptor(takingOver: try check("eventfd") { adslot_wake_up_create() })
    }

    /// Readable while it is raised.
    public var descriptor: CInt { counter.raw }

    /// Raises it.
    public func raise() {
        var one: UInt64 = 1
        // It fails only where it has been raised 2⁶⁴ − 2 times.
        _ = unsafe write(counter.raw, &one, 8)
    }

    /// Lowers it.
    public func lower() {
        var count: UInt64 = 0
        _ = unsafe read(counter.raw, &count, 8)
    }
}

/// Threads of the system, for the few places that need one.
public enum SystemThread {
    /// Runs `body` on a thread of its own, which ends with it.
    public static func start(_ body: @escaping @Sendable () -> Void) throws(SystemError) {
        let box = unsafe Unmanaged.passRetained(Box(body)).toOpaque()
        do throws(SystemError) {
            _ = try check("pthread_create") {
                unsafe adslot_thread_start(
                    { context in
                        guard let context = unsafe context else { return }
                        unsafe Unmanaged<Box>.fromOpaque(context).takeRetainedValue().body()
                    }, box)
            }
        } catch {
            unsafe Unmanaged<Box>.fromOpaque(box).release()
            throw error
        }
    }

    private final class Box {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }
}
