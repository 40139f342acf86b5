import LinuxSupport
import Testing

@testable import Varlink
@testable import VarlinkCore

@Suite("Every bound of the server")
struct BoundsTests {
    private static let event = EncodedReply(
        ["text": .string(String(repeating: "x", count: 1000))], continues: true)

    /// A subscriber that does not read, until it is dropped; another one that does.
    private func overrun(_ service: TestService) throws -> (slow: Peer, quick: Peer, sent: Int) {
        let (slow, quick) = (try service.connect(), try service.connect())
        service.leaveUnread(slow)
        try slow.send(wire("Monitor", nil, "more"))
        try quick.send(wire("Monitor", nil, "more"))
        try service.turn(until: { service.pending.count == 2 })
        var sent = 0
        try service.turn(until: {
            for call in service.pending { call.reply(Self.event) }
            sent += 1
            return service.pending.count == 1
        })
        return (slow, quick, sent)
    }

    @Test("A subscriber that does not read is dropped and told so; its neighbour misses nothing")
    func dropsSlowReaders() throws {
        var options = VarlinkServer.Options()
        options.queueBytesMax = 50_000
        options.tooSlowError = "org.example.Test.TooSlow"
        let service = try TestService(options)
        let (slow, quick, sent) = try overrun(service)
        #expect(service.log.filter { $0 == "end Monitor" }.count == 1)
        #expect(service.log.contains { $0.hasPrefix("notice: client 1 ") && $0.contains("does not read") })
        #expect(service.server.statistics.droppedClients == 1)

        try service.turn(until: {
            try slow.read()
            return slow.isClosed
        })
        let event = String(decoding: Self.event.bytes.dropLast(), as: UTF8.self)
        #expect(slow.messages.count > 10)
        #expect(slow.messages.dropLast().allSatisfy { $0 == event }, "no message is cut")
        #expect(
            slow.messages.last
                == #"{"error":"org.example.Test.TooSlow","parameters":{"queueBytesMax":50000}}"#)
        try service.turn(until: { quick.messages.count == sent })
        #expect(service.server.statistics.clients == 1)
    }

    @Test("A dropped subscriber that still does not read is closed when its time is over")
    func lingeringEnds() throws {
        var options = VarlinkServer.Options()
        options.queueBytesMax = 10_000
        options.lingerMicroseconds = 20_000
        let service = try TestService(options)
        let (slow, _, _) = try overrun(service)
        #expect(service.server.statistics.clients == 2)
        try service.turn(until: { service.server.statistics.clients == 1 })
        try service.turn(until: {
            try slow.read()
            return slow.isClosed
        })
    }

    @Test("A peer that calls and calls and never reads is held back, not dropped, and costs a bounded queue")
    func backPressure() throws {
        let service = try TestService()
        let (peer, other) = (try service.connect(), try service.connect())
        service.leaveUnread(peer)
        let call = Array(wire("Echo", "{\"text\":\"\(String(repeating: "y", count: 5000))\"}").utf8)
        var rest: [UInt8] = []
        var idleTurns = 0
        try service.turn(until: {
            if rest.isEmpty { rest = call }
            let taken = try peer.send(rest)
            rest.removeFirst(taken)
            idleTurns = taken == 0 ? idleTurns + 1 : 0
            return idleTurns > 20
        })
        #expect(service.server.statistics.droppedClients == 0)
        #expect(
            try service.exchange(other, wire("Echo", #"{"text":"x"}"#)) == [#"{"parameters":{"text":"x"}}"#])
        let answered = service.server.statistics.calls - 1
        _ = service.add(peer)
        try service.turn(until: {
            rest.removeFirst(try peer.send(rest))
            return rest.isEmpty && peer.messages.count >= answered
        })
    }

    @Test("Further clients are closed at once, those of one user first, and places become free again")
    func boundsClients() throws {
        var options = VarlinkServer.Options()
        options.clientsPerUserMax = 2
        let service = try TestService(options)
        let peers = try (0..<3).map { _ in try service.connect() }
        try service.turn(until: { peers[2].isClosed })
        #expect(!peers[0].isClosed && !peers[1].isClosed)
        #expect(service.server.statistics.refusedClients == 1)
        #expect(service.log.filter { $0.contains("refusing another") }.count == 1)
        peers[0].hangUp()
        try service.turn(until: { service.server.statistics.clients == 1 })
        let late = try service.connect()
        #expect(try service.exchange(late, wire("Echo", #"{"text":"x"}"#)).count == 1)
    }

    @Test("Without descriptors accepting rests and does not spin; then it goes on")
    func outOfDescriptors() async {
        await #expect(processExitsWith: .success) {
            var options = VarlinkServer.Options()
            options.acceptPauseMicroseconds = 100_000
            let service = try TestService(options)
            let path = socketPath()
            defer { removeFile(path) }
            try service.server.listen(on: UnixSocket.listen(path: path, mode: 0o600))
            let peer = service.add(Peer(try UnixSocket.connect(path: path)))

            allowDescriptors(false)
            var turns = 0
            let end = service.loop.now + 1_000_000
            while service.loop.now < end { turns += try service.loop.runOnce(timeout: 100_000) ? 1 : 0 }
            try #require((1...40).contains(turns), "\(turns) turns in a second")
            try #require(
                service.log.count == 1 && service.log[0].contains("accepting rests"), "\(service.log)")

            allowDescriptors(true)
            let reply = try service.exchange(peer, wire("Echo", #"{"text":"x"}"#))
            try #require(reply == [#"{"parameters":{"text":"x"}}"#])
        }
    }

    @Test("A client that goes makes room for one that waits, at once")
    func descriptorsBecomeFree() async {
        await #expect(processExitsWith: .success) {
            var options = VarlinkServer.Options()
            options.acceptPauseMicroseconds = 3_600_000_000
            let service = try TestService(options)
            let path = socketPath()
            defer { removeFile(path) }
            try service.server.listen(on: UnixSocket.listen(path: path, mode: 0o600))
            let first = try service.connect()
            let waiting = service.add(Peer(try UnixSocket.connect(path: path)))
            allowDescriptors(false)
            try service.turn(until: { service.log.count == 1 })
            try waiting.send(wire("Echo", #"{"text":"x"}"#))
            first.hangUp()
            try service.turn(until: { waiting.messages.count == 1 })
        }
    }

    @Test("Stopping closes every connection")
    func stops() throws {
        let service = try TestService()
        let peer = try service.connect()
        try peer.send(wire("Monitor", nil, "more"))
        try service.turn(until: { service.pending.count == 1 })
        service.server.stop()
        try service.turn(until: { peer.isClosed })
        service.pending[0].reply()
        #expect(service.server.statistics.clients == 0)
        #expect(service.log == ["open Monitor"])
    }
}
