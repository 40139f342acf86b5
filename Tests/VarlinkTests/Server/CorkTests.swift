import LinuxSupport
import Testing

@testable import Varlink
@testable import VarlinkCore

@Suite("Answers that wait until what they tell may be told")
struct CorkTests {
    private func echo(_ text: String) -> String { wire("Echo", "{\"text\":\"\(text)\"}") }
    private func reply(_ text: String) -> String { "{\"parameters\":{\"text\":\"\(text)\"}}" }

    @Test("Calls are carried out, those behind an answered one too, and nobody hears of it before the word")
    func waits() throws {
        let service = try TestService()
        let peers = try (0..<2).map { _ in try service.connect() }
        service.server.cork()
        try peers[0].send(echo("a") + echo("b") + echo("c"))
        try peers[1].send(echo("d"))
        try service.turn(until: { service.log.count == 4 })
        try service.settle()
        #expect(peers.allSatisfy { $0.messages.isEmpty })
        // It waits without keeping the loop busy.
        #expect(try !service.loop.runOnce(timeout: 1_000))
        service.server.uncork {}
        for peer in peers { try peer.read() }
        #expect(peers[0].messages == ["a", "b", "c"].map(reply))
        #expect(peers[1].messages == [reply("d")])
        #expect(try service.exchange(peers[1], echo("e")) == [reply("e")])
    }

    @Test("What is told while the word is given waits until all is told, and overtakes nothing")
    func order() throws {
        let service = try TestService()
        let (stream, caller) = (try service.connect(), try service.connect())
        service.server.cork()
        try stream.send(echo("first") + wire("Monitor", nil, "more"))
        try caller.send(wire("Later"))
        try service.turn(until: { service.pending.count == 2 })
        let (monitor, later) =
            service.pending[0].methodName == "Monitor"
            ? (service.pending[0], service.pending[1]) : (service.pending[1], service.pending[0])
        service.server.uncork {
            later.reply(["text": "now"])
            monitor.replyContinuing(["event": 1])
            for peer in [stream, caller] { try? peer.read() }
            service.log.append("told")
        }
        #expect(service.log.last == "told" && stream.messages.isEmpty && caller.messages.isEmpty)
        for peer in [stream, caller] { try peer.read() }
        #expect(caller.messages == [reply("now")])
        #expect(stream.messages == [reply("first"), #"{"parameters":{"event":1},"continues":true}"#])
    }

    @Test("A peer that goes meanwhile is let go, and what it did not hear counts as unread")
    func goes() throws {
        let service = try TestService()
        let peer = try service.connect()
        try peer.send(wire("Later"))
        try service.turn(until: { service.pending.count == 1 })
        var isLost = false
        service.pending[0].onUnread { isLost = true }
        service.server.cork()
        service.pending[0].reply(["text": "never heard"])
        peer.hangUp()
        try service.turn(until: { service.server.statistics.clients == 0 && isLost })
        service.server.uncork {}
        try service.settle()
    }

    @Test("The word may be given, and taken back, in the midst of a connection's calls")
    func within() throws {
        let service = try TestService()
        service.server.add(
            VarlinkInterface(
                name: "org.example.Word", description: "interface org.example.Word\nmethod Give() -> ()\n",
                methods: [
                    "Give": .reply { [unowned service] call in
                        service.server.uncork {}
                        service.server.cork()
                        call.reply()
                    }
                ]))
        let peer = try service.connect()
        service.server.cork()
        try peer.send(echo("a") + wire("org.example.Word.Give") + echo("b"))
        try service.turn(until: { service.log.count == 2 })
        try service.settle()
        #expect(peer.messages == [], "corked again before the calls of this turn were through")
        service.server.uncork {}
        try service.settle()
        #expect(peer.messages == [reply("a"), #"{"parameters":{}}"#, reply("b")])
    }

    @Test("More than a peer may have queued holds up its next call, not the word")
    func bounded() throws {
        var options = VarlinkServer.Options()
        options.queueBytesMax = 1_000
        let service = try TestService(options)
        let peer = try service.connect()
        let text = String(repeating: "x", count: 300)
        service.server.cork()
        try peer.send(String(repeating: echo(text), count: 10))
        try service.settle()
        #expect((1..<10).contains(service.log.count))
        service.server.uncork {}
        try service.turn(until: { peer.messages.count == 10 })
    }
}
