import LinuxSupport
import Testing

@testable import Varlink
@testable import VarlinkCore

/// A server on a loop that the test turns itself, with an interface that has a method of every kind.
final class TestService {
    let loop: EventLoop
    let server: VarlinkServer
    /// Calls of Later and Monitor that have not been answered for the last time.
    var pending: [VarlinkCall] = []
    /// What has happened, in order.
    var log: [String] = []
    private var peers: [Peer] = []

    init(_ options: VarlinkServer.Options = .init()) throws {
        loop = try EventLoop()
        let identity = ServiceIdentity(
            vendor: "Example", product: "Test", version: "1", url: "https://example.org/")
        server = try VarlinkServer(loop: loop, identity: identity, options: options)
        server.onNotice = { [unowned self] notice in log.append("notice: \(notice)") }
        server.add(
            VarlinkInterface(name: "org.example.Test", description: Self.description, methods: methods))
    }

    static let description = """
        interface org.example.Test
        method Echo(text: string) -> (text: string)
        method Later(text: string) -> (text: string)
        method Count(to: int) -> (number: int)
        method Monitor() -> (event: int)
        method Fail() -> ()
        method Unmade() -> ()
        method Quit() -> ()
        error Broken (why: string)
        """

    private var methods: [String: VarlinkMethod] {
        [
            "Echo": .reply { [unowned self] call throws(ParameterError) in
                let text = try call.read { parameters throws(ParameterError) in try parameters.string("text")
                }
                log.append("echo \(text)")
                call.reply(["text": .string(text)])
            },
            "Later": .reply { [unowned self] call in keep(call) },
            "Count": .reply { call throws(ParameterError) in
                let end = try call.read { parameters throws(ParameterError) in try parameters.int("to") }
                guard call.wantsMore else { return call.reply(["number": .integer(Int64(end))]) }
                for number in 1..<end { call.replyContinuing(["number": .integer(Int64(number))]) }
                call.reply(["number": .integer(Int64(end))])
            },
            "Monitor": .stream { [unowned self] call in keep(call) },
            "Fail": .reply { call in call.fail("org.example.Test.Broken", ["why": "asked to"]) },
            "Unmade": .unimplemented,
            "Quit": .reply { [unowned self] call in
                call.reply()
                loop.exit(code: 0)
            },
        ]
    }

    private func keep(_ call: VarlinkCall) {
        pending.append(call)
        log.append("open \(call.methodName)")
        call.onEnd { [unowned self, unowned call] in
            log.append("end \(call.methodName)")
            pending.removeAll { $0 === call }
        }
    }

    /// A client on a pair of sockets.
    func connect() throws -> Peer {
        let (mine, theirs) = try UnixSocket.pair()
        server.serve(OwnedDescriptor(takingOver: theirs))
        return add(Peer(OwnedDescriptor(takingOver: mine)))
    }

    func add(_ peer: Peer) -> Peer {
        peers.append(peer)
        return peer
    }

    /// The peer only reads when told to from here on.
    func leaveUnread(_ peer: Peer) {
        peers.removeAll { $0 === peer }
    }

    /// Turns the loop until something is so, at most for some seconds.
    func turn(
        until condition: () throws -> Bool, seconds: Int64 = 10, at place: SourceLocation = #_sourceLocation
    ) throws {
        let end = loop.now + seconds * 1_000_000
        while try !condition() {
            try #require(loop.now < end, "not in time; \(log.suffix(10))", sourceLocation: place)
            try loop.runOnce(timeout: 1000)
            for peer in peers { try peer.read() }
        }
    }

    /// Turns the loop until it has nothing left to do.
    func settle() throws {
        while try loop.runOnce(timeout: 0) {}
        for peer in peers { try peer.read() }
    }

    /// Sends calls and waits for so many messages.
    func exchange(_ peer: Peer, _ text: String, replies: Int = 1) throws -> [String] {
        let before = peer.messages.count
        try peer.send(text)
        try turn(until: { peer.messages.count >= before + replies })
        return Array(peer.messages[before...])
    }
}

/// A call of the test interface as it stands on the wire.
func wire(_ method: String, _ parameters: String? = nil, _ flag: String? = nil) -> String {
    let name = method.contains(".") ? method : "org.example.Test." + method
    return "{\"method\":\"\(name)\"" + (parameters.map { ",\"parameters\":\($0)" } ?? "")
        + (flag.map { ",\"\($0)\":true" } ?? "") + "}\0"
}
