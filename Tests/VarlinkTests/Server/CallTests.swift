import LinuxSupport
import Testing

@testable import Varlink
@testable import VarlinkCore

@Suite("Calls over a socket")
struct CallTests {
    @Test("A call that comes byte by byte is one call")
    func fragments() throws {
        let service = try TestService()
        let peer = try service.connect()
        for byte in wire("Echo", #"{"text":"slow"}"#).utf8 {
            try peer.send([byte])
            try service.settle()
        }
        try service.turn(until: { peer.messages == [#"{"parameters":{"text":"slow"}}"#] })
    }

    @Test("Pipelined calls are answered in their order, however late the first answer comes")
    func pipelines() throws {
        let service = try TestService()
        let peer = try service.connect()
        try peer.send(wire("Later") + wire("Echo", #"{"text":"b"}"#) + wire("Count", #"{"to":2}"#, "more"))
        try service.turn(until: { !service.pending.isEmpty })
        try service.settle()
        #expect(peer.messages == [])
        service.pending[0].reply(["text": "a"])
        #expect(service.log == ["open Later"], "an answer never calls the next handler itself")
        try service.turn(until: { peer.messages.count == 4 })
        #expect(
            peer.messages == [
                #"{"parameters":{"text":"a"}}"#, #"{"parameters":{"text":"b"}}"#,
                #"{"parameters":{"number":1},"continues":true}"#, #"{"parameters":{"number":2}}"#,
            ])
    }

    @Test("Thousands of pipelined calls neither exhaust the stack nor get lost")
    func pipelinesMany() throws {
        let service = try TestService()
        let peer = try service.connect()
        let call = Array(wire("Echo", #"{"text":"x"}"#).utf8)
        var rest = Array(repeatElement(call, count: 20_000).joined())
        try service.turn(
            until: {
                if !rest.isEmpty { rest.removeFirst(try peer.send(Array(rest.prefix(1 << 16)))) }
                return peer.messages.count == 20_000
            }, seconds: 60)
        #expect(Set(peer.messages) == [#"{"parameters":{"text":"x"}}"#])
    }

    @Test("A oneway call is carried out and gets no reply, not even an error")
    func oneway() throws {
        let service = try TestService()
        let peer = try service.connect()
        let calls =
            wire("Echo", #"{"text":"quiet"}"#, "oneway") + wire("Nothing", nil, "oneway")
            + wire("Fail", nil, "oneway")
            + wire("Monitor", nil, "oneway") + wire("Later", nil, "oneway")
            + wire("Echo", #"{"text":"loud"}"#)
        #expect(try service.exchange(peer, calls) == [#"{"parameters":{"text":"loud"}}"#])
        #expect(service.log == ["echo quiet", "open Later", "echo loud"])
        service.pending[0].reply()
        peer.hangUp()
        try service.turn(until: { service.server.statistics.clients == 0 })
        #expect(!service.log.contains("end Later"))
    }

    @Test("A peer that closes its side after its calls gets every reply, then the end")
    func halfClose() throws {
        let service = try TestService()
        let peer = try service.connect()
        try peer.send(wire("Later") + wire("Echo", #"{"text":"b"}"#))
        peer.closeOwnSide()
        try service.turn(until: { !service.pending.isEmpty })
        try service.settle()
        service.pending[0].reply(["text": "a"])
        try service.turn(until: { peer.isClosed })
        #expect(peer.messages == [#"{"parameters":{"text":"a"}}"#, #"{"parameters":{"text":"b"}}"#])
        #expect(service.server.statistics.clients == 0)
    }

    @Test("What a peer sent before it hung up is carried out")
    func carriesOutBeforeHangUp() throws {
        let service = try TestService()
        let peer = try service.connect()
        let count = 2000
        try peer.send(String(repeating: wire("Echo", #"{"text":"x"}"#, "oneway"), count: count))
        peer.hangUp()
        try service.turn(until: { service.server.statistics.clients == 0 })
        #expect(service.log.filter { $0 == "echo x" }.count == count)
    }

    @Test("A call knows who called, on which connection")
    func knowsThePeer() throws {
        let service = try TestService()
        for _ in 0..<2 { try service.connect().send(wire("Later")) }
        try service.turn(until: { service.pending.count == 2 })
        #expect(service.pending[0].peer.pid > 0)
        #expect(service.pending[0].peer == service.pending[1].peer)
        #expect(Set(service.pending.map(\.connection)).count == 2)
    }
}
