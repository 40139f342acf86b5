/// A host of an ad slot, for programs with async functions. It has a thread of its own and leaves the slot
/// when it is closed or nobody holds it any more.
///
///     let host = try AsyncSlotHost(slot: "banner", viewport: Size(width: 1280, height: 720))
///     for await event in host.events { … }
public final class AsyncSlotHost: Sendable {
    /// All events, in order, for one reader. It ends after ``SlotHost/Event/refused(_:)`` and when the host
    /// is closed; a reader that leaves ``Limits/eventsMax`` of them unread loses the slot.
    public let events: AsyncStream<SlotHost.Event>

    private let loop: BackgroundLoop<SlotHost>

    /// Starts a host; see ``SlotHost/init(slot:viewport:visible:name:socket:onEvent:)``.
    public init(
        slot: String, viewport: Size, visible: Bool = true, name: String? = nil, socket: String? = nil
    ) throws(AdslotError) {
        let outlet = Outlet<SlotHost.Event>()
        events = outlet.stream
        let loop = try BackgroundLoop { () throws(AdslotError) in
            try SlotHost(slot: slot, viewport: viewport, visible: visible, name: name, socket: socket) {
                outlet.send($0)
                if case .refused = $0 { outlet.end() }
            }
        } whenOver: { _ in
            outlet.end()
        }
        outlet.whenOver { [weak loop] in loop?.close() }
        self.loop = loop
    }

    deinit { loop.close() }

    /// The screen has changed; see ``SlotHost/update(viewport:visible:then:)``.
    public func update(viewport: Size? = nil, visible: Bool? = nil) async throws(AdslotError) {
        let error: AdslotError? = await ask(else: .closed) { host, answer in
            host.update(viewport: viewport, visible: visible) { answer($0) }
        }
        if let error { throw error }
    }

    /// A person touched the banner; see ``SlotHost/beginAction(banner:leavesApplication:then:)``.
    public func beginAction(
        banner: Int, leavesApplication: Bool = false
    ) async -> SlotHost.ActionAnswer {
        await ask(else: .refused("disconnected")) { host, answer in
            host.beginAction(banner: banner, leavesApplication: leavesApplication) { answer($0) }
        }
    }

    /// The action is over; see ``SlotHost/finishAction(_:)``.
    public func finishAction(_ action: Int) {
        loop.perform { $0.finishAction(action) }
    }

    /// Leaves the slot.
    public func close() { loop.close() }

    private func ask<Value: Sendable>(
        else fallback: Value,
        _ body: @escaping @Sendable (SlotHost, @escaping @Sendable (Value) -> Void) -> Void
    ) async -> Value {
        await withCheckedContinuation { continuation in
            let reply = Once(continuation, else: fallback)
            loop.perform { body($0) { reply.send($0) } }
        }
    }
}

/// Time-critical work, for programs with async functions; see ``PausableWork``.
public final class AsyncPausableWork: Sendable {
    /// All events, in order, for one reader.
    public let events: AsyncStream<PausableWork.Event>

    private let loop: BackgroundLoop<PausableWork>

    /// Starts; see ``PausableWork/init(name:mayVeto:socket:onEvent:)``.
    public init(name: String, mayVeto: Bool = false, socket: String? = nil) throws(AdslotError) {
        let outlet = Outlet<PausableWork.Event>()
        events = outlet.stream
        let loop = try BackgroundLoop { () throws(AdslotError) in
            try PausableWork(name: name, mayVeto: mayVeto, socket: socket) {
                outlet.send($0)
                if case .refused = $0 { outlet.end() }
            }
        } whenOver: { _ in
            outlet.end()
        }
        outlet.whenOver { [weak loop] in loop?.close() }
        self.loop = loop
    }

    deinit { loop.close() }

    /// The work stands still.
    public func acknowledge(_ pause: PausableWork.Pause) {
        loop.perform { $0.acknowledge(pause) }
    }

    /// The work cannot stand still now.
    public func veto(_ pause: PausableWork.Pause, reason: String) {
        loop.perform { $0.veto(pause, reason: reason) }
    }

    /// Ends the registration.
    public func close() { loop.close() }
}
