import LinuxSupport
import Testing

@testable import Varlink
@testable import VarlinkCore

@Suite("Replies that wait for one another")
struct PacedReplyTests {
    private static let piece = String(repeating: "x", count: 90_000)

    /// Sends `count` long replies, each when the one before it has been sent.
    private func send(_ count: Int, to call: VarlinkCall, _ sent: @escaping () -> Void = {}) {
        call.reply(
            EncodedReply(continues: count > 1) { $0.member("text", Self.piece) })
        guard count > 1 else { return }
        call.whenSent {
            sent()
            self.send(count - 1, to: call, sent)
        }
    }

    @Test("A reader that pauses gets everything: no piece comes before the one before it is on its way")
    func paced() throws {
        var options = VarlinkServer.Options()
        options.queueBytesMax = 100_000
        let service = try TestService(options)
        let peer = try service.connect()
        try peer.send(wire("Monitor", nil, "more"))
        try service.turn(until: { service.pending.count == 1 })
        var sent = 0
        send(100, to: service.pending[0]) { sent += 1 }
        for _ in 0..<50 { try service.loop.runOnce(timeout: 1_000) }
        #expect(sent < 100, "the socket's own buffers hold less than all of it")
        try service.turn(until: { peer.messages.count == 100 })
        #expect(peer.messages.allSatisfy { $0.contains(Self.piece) })
        #expect(service.server.statistics.droppedClients == 0)
    }

    @Test("What waits is called from the loop, once, and at once where nothing is queued")
    func once() throws {
        let service = try TestService()
        let peer = try service.connect()
        try peer.send(wire("Monitor", nil, "more"))
        try service.turn(until: { service.pending.count == 1 })
        var calls = 0
        service.pending[0].whenSent { calls += 1 }
        #expect(calls == 0)
        try service.turn(until: { calls == 1 })
        service.pending[0].replyContinuing(["event": 1])
        try service.turn(until: { peer.messages.count == 1 })
        #expect(calls == 1)
    }

    @Test("When the connection goes first, or the call is over, it is never called")
    func never() throws {
        let service = try TestService()
        let peers = try (0..<2).map { _ in try service.connect() }
        for peer in peers { try peer.send(wire("Monitor", nil, "more")) }
        try service.turn(until: { service.pending.count == 2 })
        let (first, second) = (service.pending[0], service.pending[1])
        var calls = 0
        first.replyContinuing(["event": 1])
        first.whenSent { calls += 1 }
        first.reply(["event": 2])
        peers[1].hangUp()
        try service.turn(until: { !second.isOpen })
        second.whenSent { calls += 1 }
        for _ in 0..<5 { try service.loop.runOnce(timeout: 1_000) }
        #expect(calls == 0)
    }
}
