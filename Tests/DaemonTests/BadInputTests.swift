import Testing
import Varlink

@Suite("Bad input gets a clear answer and disturbs nobody else", .ownThread, .needsNamespaces)
struct BadInputTests {
    /// What is sent. Only its name goes into the account of the test.
    struct Message: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let text: String

        init(_ name: String, _ text: String) {
            (testDescription, self.text) = (name, text)
        }
    }

    @Test(
        "What is no call closes its connection, and another client goes on undisturbed",
        arguments: [
            Message("garbage", "\u{1}\u{2}garbage\0"),
            Message("malformed JSON", "{\"method\":\"org.adslotd.Slots.List\"\0"),
            Message("nothing", "\0"),
            Message("an array", "[1,2]\0"),
            Message("a method that is no text", "{\"method\":5}\0"),
            Message("no method", "{\"parameters\":{}}\0"),
            Message(
                "parameters that are no object", "{\"method\":\"org.adslotd.Slots.List\",\"parameters\":[]}\0"
            ),
            Message("nesting without end", String(repeating: "[", count: 100_000) + "\0"),
            Message("more than 1 MiB", "{\"method\":\"" + String(repeating: "x", count: 1 << 20) + "\"}\0"),
            Message("more than 1 MiB without an end", String(repeating: "x", count: (1 << 20) + 1)),
        ])
    func closes(message: Message) throws {
        let daemon = try DaemonProcess(in: Network())
        let watcher = try daemon.watch()
        let host = try Host(on: daemon)
        let other = try daemon.connect()
        let client = try RawClient(daemon.socket)
        try client.send(message.text)
        try client.waitUntilClosed()
        #expect(try other.call("org.adslotd.Slots.List").objects("slots").count == 1)
        try watcher.expectNothing(for: .milliseconds(50))
        try host.update(visible: true)
        try daemon.log.wait(for: "client ")
        #expect(daemon.child.exitCode == nil)
    }

    @Test("Bytes that are no text close the connection too")
    func notUTF8() throws {
        let daemon = try DaemonProcess(in: Network())
        let client = try RawClient(daemon.socket)
        try client.send(Array("{\"method\":\"".utf8) + [0xFF, 0xFE] + Array("\"}\0".utf8))
        try client.waitUntilClosed()
        #expect(try daemon.get().status == "none")
    }

    @Test("A message of exactly 1 MiB is taken; keys that nobody knows are ignored")
    func largest() throws {
        let daemon = try DaemonProcess(in: Network())
        let client = try RawClient(daemon.socket)
        let call = "{\"method\":\"org.adslotd.Slots.List\",\"more\":false,\"parameters\":{},\"padding\":\"\"}"
        let padding = String(repeating: "x", count: (1 << 20) - call.utf8.count)
        try client.send(call.dropLast(2) + padding + "\"}\0")
        #expect(try client.next()["parameters"]?["slots"]?.array?.count == 1)
    }

    @Test("Calls in one piece, and one call in many pieces, are answered in order")
    func pieces() throws {
        let daemon = try DaemonProcess(in: Network())
        let client = try RawClient(daemon.socket)
        let list = "{\"method\":\"org.adslotd.Slots.List\"}\0"
        let work = "{\"method\":\"org.adslotd.Work.List\"}\0"
        try client.send(list + work + list)
        #expect(try client.next()["parameters"]?["slots"] != nil)
        #expect(try client.next()["parameters"]?["work"] != nil)
        #expect(try client.next()["parameters"]?["slots"] != nil)
        for byte in list.utf8 { try client.send([byte]) }
        #expect(try client.next()["parameters"]?["slots"] != nil)
    }

    @Test("A client that asks and never reads disturbs nobody")
    func neverReads() throws {
        let daemon = try DaemonProcess(in: Network())
        let client = try RawClient(daemon.socket)
        try client.flood(with: "{\"method\":\"org.adslotd.Manager.GetStatus\"}\0")
        let other = try daemon.connect()
        for _ in 1...100 { try other.call("org.adslotd.Manager.GetStatus") }
        #expect(daemon.child.exitCode == nil)
    }

    @Test("A subscriber that never reads is dropped at its bound; others hear everything")
    func slowSubscriber() throws {
        let network = try Network()
        try network.wired()
        let daemon = try DaemonProcess(in: network)
        let slow = try RawClient(daemon.socket)
        try slow.send("{\"method\":\"org.adslotd.Manager.Monitor\",\"more\":true}\0")
        let quick = try daemon.events()
        let caller = try daemon.connect()
        var sequence: Int64?
        var dropped = false
        for _ in 0..<20_000 where !dropped {
            for _ in 0..<50 { try caller.call("org.adslotd.Manager.Reload") }
            for _ in 0..<50 {
                let number = try quick.next().number("sequence")
                if let sequence { #expect(number == sequence + 1) }
                sequence = number
            }
            dropped = try caller.call("org.adslotd.Manager.GetStatus").number("droppedClients") > 0
        }
        #expect(dropped)
    }
}
