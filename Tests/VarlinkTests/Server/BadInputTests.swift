import Testing

import struct Simulation.SeededGenerator

@testable import Varlink
@testable import VarlinkCore

@Suite("Bad input closes its own connection and disturbs no other")
struct BadInputTests {
    @Test(
        "What is no call closes the connection and is reported",
        arguments: [
            "no json\0", "\0", "[]\0", "{}\0", "{\"method\":1}\0", "{\"method\":\"a.B\",\"parameters\":[]}\0",
            "{\"method\":\"a.B\",\"more\":1}\0", "{\"method\":\"a.B\"} x\0",
        ])
    func malformed(text: String) throws {
        let service = try TestService()
        let (bad, good) = (try service.connect(), try service.connect())
        try bad.send(wire("Echo", #"{"text":"first"}"#) + text + wire("Echo", #"{"text":"never"}"#))
        try service.turn(until: { bad.isClosed })
        #expect(bad.messages == [#"{"parameters":{"text":"first"}}"#])
        #expect(service.log.filter { $0.contains("sent no call") }.count == 1)
        #expect(service.server.statistics.faultyClients == 1)
        #expect(
            try service.exchange(good, wire("Echo", #"{"text":"x"}"#)) == [#"{"parameters":{"text":"x"}}"#])
    }

    @Test("One byte more than a mebibyte closes the connection; a mebibyte does not", arguments: [0, 1])
    func oversize(excess: Int) throws {
        let service = try TestService()
        let peer = try service.connect()
        let shell = wire("Echo", #"{"text":""}"#).utf8.count - 1
        let text = String(repeating: "z", count: Limits.callBytesMax - shell + excess)
        var rest = Array(wire("Echo", "{\"text\":\"\(text)\"}").utf8)
        try service.turn(until: {
            if !rest.isEmpty, let taken = try? peer.send(rest) { rest.removeFirst(taken) }
            return peer.isClosed || peer.messages.count == 1
        })
        #expect(peer.isClosed == (excess == 1))
        #expect(service.log.contains { $0.contains("more than 1048576 bytes") } == (excess == 1))
        if excess == 0 { #expect(peer.messages[0].utf8.count > Limits.callBytesMax - 100) }
    }

    @Test("A peer that ends within a message is reported and closed")
    func truncated() throws {
        let service = try TestService()
        let peer = try service.connect()
        try peer.send("{\"method\":\"a.B\"}")
        peer.closeOwnSide()
        try service.turn(until: { peer.isClosed })
        #expect(service.log.contains { $0.contains("ended within a message") })
    }

    @Test("Random bytes close connections, and the server goes on")
    func noise() throws {
        let service = try TestService()
        var random = SeededGenerator(seed: 7)
        for _ in 0..<200 {
            let peer = try service.connect()
            try peer.send((0..<100).map { _ in UInt8.random(in: 0...255, using: &random) } + [0])
            try service.turn(until: { peer.isClosed })
        }
        #expect(service.server.statistics.clients == 0)
    }
}
