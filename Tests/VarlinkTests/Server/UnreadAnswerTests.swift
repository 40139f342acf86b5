import Testing

@testable import Varlink
@testable import VarlinkCore

@Suite("An answer that nobody read")
struct UnreadAnswerTests {
    /// A call that waits for its answer, and says in the service's log when nobody read it.
    private func waitingCall(_ service: TestService) throws -> (Peer, VarlinkCall) {
        let peer = try service.connect()
        service.leaveUnread(peer)
        try peer.send(wire("Later"))
        try service.turn(until: { service.pending.count == 1 })
        let call = service.pending[0]
        call.onUnread { service.log.append("unread") }
        return (peer, call)
    }

    @Test("A peer that went before the answer was sent did not read it")
    func goneBefore() throws {
        let service = try TestService()
        let (peer, call) = try waitingCall(service)
        peer.hangUp()
        call.reply(["text": "late"])
        #expect(!service.log.contains("unread"), "told from the loop, not inside the answer")
        try service.turn(until: { service.server.statistics.clients == 0 })
        #expect(service.log.filter { $0 == "unread" }.count == 1)
    }

    @Test("A peer that goes with the answer in its socket did not read it")
    func goneAfter() throws {
        let service = try TestService()
        let (peer, call) = try waitingCall(service)
        call.reply(["text": "soon"])
        peer.hangUp()
        try service.turn(until: { service.server.statistics.clients == 0 })
        try service.settle()
        #expect(service.log.filter { $0 == "unread" }.count == 1)
    }

    @Test("A peer that read the answer, or called again, has it", arguments: [false, true])
    func hasRead(callsAgain: Bool) throws {
        let service = try TestService()
        let (peer, call) = try waitingCall(service)
        call.reply(["text": "soon"])
        try service.turn(until: {
            try peer.read()
            return peer.messages.count == 1
        })
        if callsAgain {
            try peer.send(wire("Echo", #"{"text":"x"}"#))
            try service.turn(until: { service.log.contains("echo x") })
        }
        peer.hangUp()
        try service.turn(until: { service.server.statistics.clients == 0 })
        try service.settle()
        #expect(!service.log.contains("unread"))
    }
}
