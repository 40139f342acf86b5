import Testing

@testable import Varlink
@testable import VarlinkCore

@Suite("Streams of replies")
struct StreamTests {
    private func subscribe(_ service: TestService, _ count: Int = 1) throws -> [Peer] {
        let peers = try (0..<count).map { _ in try service.connect() }
        for peer in peers { try peer.send(wire("Monitor", nil, "more")) }
        try service.turn(until: { service.pending.count == count })
        return peers
    }

    @Test("An event is encoded once and reaches every subscriber")
    func broadcasts() throws {
        let service = try TestService()
        let peers = try subscribe(service, 100)
        let event = EncodedReply(continues: true) { $0.member("event", 7) }
        for call in service.pending { call.reply(event) }
        try service.turn(until: { peers.allSatisfy { $0.messages.count == 1 } })
        #expect(Set(peers.flatMap(\.messages)) == [#"{"parameters":{"event":7},"continues":true}"#])
    }

    @Test("A stream may end with a last reply; its connection goes on, and its end is not reported")
    func ends() throws {
        let service = try TestService()
        let peer = try subscribe(service)[0]
        let call = service.pending[0]
        call.reply(["event": 1])
        #expect(!call.isOpen)
        #expect(
            try service.exchange(peer, wire("Echo", #"{"text":"x"}"#)).last == #"{"parameters":{"text":"x"}}"#
        )
        peer.hangUp()
        try service.turn(until: { service.server.statistics.clients == 0 })
        #expect(!service.log.contains("end Monitor"))
    }

    @Test(
        "A hang-up ends each open call once, and answers after it go nowhere",
        arguments: ["Monitor", "Later"])
    func hangUp(method: String) throws {
        let service = try TestService()
        let peer = try service.connect()
        try peer.send(wire(method, nil, "more"))
        try service.turn(until: { service.pending.count == 1 })
        let call = service.pending[0]
        peer.hangUp()
        try service.turn(until: { service.pending.isEmpty })
        #expect(service.server.statistics.clients == 0)
        #expect(!call.isOpen)
        call.replyContinuing(["event": 1])
        call.reply()
        try service.settle()
        #expect(service.log == ["open \(method)", "end \(method)"])
    }

    @Test("A peer that goes with unread events in its socket is noticed too")
    func hangUpWithUnreadEvents() throws {
        let service = try TestService()
        let peer = try subscribe(service)[0]
        service.leaveUnread(peer)
        service.pending[0].replyContinuing(["event": 1])
        peer.hangUp()
        try service.turn(until: { service.pending.isEmpty })
        #expect(service.log == ["open Monitor", "end Monitor"])
    }

    @Test("Sending to a peer that has just gone reports the end from the loop, not from within the answer")
    func endIsReportedLater() throws {
        let service = try TestService()
        let peer = try subscribe(service)[0]
        peer.hangUp()
        service.pending[0].replyContinuing(["event": 1])
        #expect(service.log == ["open Monitor"])
        try service.turn(until: { service.pending.isEmpty })
        #expect(service.log == ["open Monitor", "end Monitor"])
    }

    @Test("Half-closing does not end a stream")
    func halfClose() throws {
        let service = try TestService()
        let peer = try subscribe(service)[0]
        peer.closeOwnSide()
        try service.settle()
        service.pending[0].replyContinuing(["event": 1])
        try service.turn(until: { peer.messages.count == 1 })
        #expect(service.pending.count == 1)
    }

    @Test("Asking for the end after it has come still gets an answer, from the loop")
    func lateInterest() throws {
        let service = try TestService()
        let peer = try subscribe(service)[0]
        let call = service.pending[0]
        call.onEnd { service.log.append("first") }
        call.onEnd { call.onEnd { service.log.append("late") } }
        peer.hangUp()
        try service.turn(until: { service.log.contains("late") })
        try service.settle()
        call.onEnd { service.log.append("later still") }
        #expect(service.log == ["open Monitor", "end Monitor", "first", "late"])
        try service.turn(until: { service.log.last == "later still" })
    }

    @Test("After the last reply a call lets go of whoever waited for its end")
    func releases() throws {
        final class Waiter {}
        let service = try TestService()
        _ = try subscribe(service)
        let call = service.pending[0]
        weak var waiter: Waiter?
        do {
            let kept = Waiter()
            waiter = kept
            call.onEnd { _ = kept }
        }
        #expect(waiter != nil)
        call.reply()
        #expect(waiter == nil)
    }
}
