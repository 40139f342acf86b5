internal import Synchronization

/// The end of an asynchronous sequence that events go into.
struct Outlet<Event: Sendable>: Sendable {
    let stream: AsyncStream<Event>
    private let continuation: AsyncStream<Event>.Continuation

    init() {
        (stream, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(Limits.eventsMax))
    }

    /// Sends an event. Where one is lost, whoever reads could no longer tell what is on the screen: that is
    /// the end.
    func send(_ event: Event) {
        if case .dropped = continuation.yield(event) { end() }
    }

    func end() { continuation.finish() }

    /// Calls `body` once nobody reads any more, or nothing more is sent.
    func whenOver(_ body: @escaping @Sendable () -> Void) {
        continuation.onTermination = { _ in body() }
    }
}

/// An answer that somebody waits for: the first one counts, and where none comes there is a fallback.
final class Once<Value: Sendable>: Sendable {
    private let continuation: Mutex<CheckedContinuation<Value, Never>?>
    private let fallback: Value

    init(_ continuation: CheckedContinuation<Value, Never>, else fallback: Value) {
        self.continuation = Mutex(continuation)
        self.fallback = fallback
    }

    func send(_ value: Value) {
        let waiting = continuation.withLock { waiting in
            defer { waiting = nil }
            return waiting
        }
        waiting?.resume(returning: value)
    }

    deinit { send(fallback) }
}
