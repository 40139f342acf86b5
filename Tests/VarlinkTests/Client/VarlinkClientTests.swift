import LinuxSupport
import Testing

@testable import Varlink
@testable import VarlinkCore

@Suite("A client that waits for its replies")
struct VarlinkClientTests {
    private static let second = Duration.seconds(10)

    @Test("Calls, errors and streams on one connection")
    func calls() throws {
        try withBackgroundService { path in
            let client = try VarlinkClient(connectingTo: path)
            #expect(
                try client.call("org.example.Test.Echo", ["text": "a"], timeout: Self.second) == ["text": "a"]
            )
            #expect(
                throws: VarlinkClientError.remote(
                    name: "org.example.Test.Broken", parameters: ["why": "asked to"])
            ) {
                try client.call("org.example.Test.Fail", timeout: Self.second)
            }
            try client.callOneway("org.example.Test.Echo", ["text": "quiet"])

            let replies = try client.callMore("org.example.Test.Count", ["to": 3])
            var numbers: [Int64] = []
            while let reply = try replies.next(timeout: Self.second) {
                numbers += [reply["number"]?.integer ?? 0]
            }
            #expect(numbers == [1, 2, 3])
            #expect(try replies.next() == nil)
            #expect(try replies.available() == .ended)

            let failing = try client.callMore("org.example.Test.Echo")
            #expect(throws: VarlinkClientError.self) { try failing.next(timeout: Self.second) }
            #expect(try failing.next() == nil)
            #expect(
                try client.call("org.example.Test.Echo", ["text": "b"], timeout: Self.second) == ["text": "b"]
            )
        }
    }

    @Test("A long call and a long reply pass")
    func longMessages() throws {
        try withBackgroundService { path in
            let text = JSONValue.string(String(repeating: "z", count: 1_000_000))
            let client = try VarlinkClient(connectingTo: path)
            #expect(
                try client.call("org.example.Test.Echo", ["text": text], timeout: Self.second)["text"] == text
            )
        }
    }

    @Test(
        "A reply that does not come in time closes the connection, so that it is not taken for the next one")
    func timesOut() throws {
        try withBackgroundService { path in
            let client = try VarlinkClient(connectingTo: path)
            #expect(throws: VarlinkClientError.timedOut) {
                try client.call("org.example.Test.Later", timeout: .milliseconds(20))
            }
            #expect(client.descriptor == nil)
            #expect(throws: VarlinkClientError.connectionClosed) { try client.call("org.example.Test.Fail") }
        }
    }

    @Test("A stream can be polled without waiting")
    func polls() throws {
        try withBackgroundService { path in
            let client = try VarlinkClient(connectingTo: path)
            let replies = try client.callMore("org.example.Test.Monitor")
            #expect(try replies.available() == .nothingYet)
            #expect(client.descriptor != nil)
            #expect(throws: VarlinkClientError.timedOut) { try replies.next(timeout: .zero) }
        }
    }

    @Test("Where nobody listens, connecting says so")
    func nobodyThere() throws {
        let path = socketPath()
        #expect(throws: VarlinkClientError.self) { try VarlinkClient(connectingTo: path) }
        do throws(VarlinkClientError) {
            _ = try VarlinkClient(connectingTo: path)
        } catch .cannotConnect(let error) {
            #expect(error.isMissing)
        } catch {
            Issue.record(error)
        }
    }

    @Test(
        "A service that misbehaves is told from one that goes",
        arguments: [
            ("nonsense\0", .malformedReply), ("[]\0", .malformedReply),
            ("{\"parameters\":{},\"continues\":true}\0", .malformedReply),
            ("{\"parameters\"", .connectionClosed), ("", .connectionClosed),
        ] as [(String, VarlinkClientError)])
    func badService(text: String, error: VarlinkClientError) throws {
        let (mine, theirs) = try UnixSocket.pair()
        let client = VarlinkClient(takingOver: OwnedDescriptor(takingOver: mine))
        let service = Peer(OwnedDescriptor(takingOver: theirs))
        try service.send(text)
        service.closeOwnSide()
        #expect(throws: error) { try client.call("org.example.Test.Echo", timeout: Self.second) }
        #expect(client.descriptor == nil)
    }
}
