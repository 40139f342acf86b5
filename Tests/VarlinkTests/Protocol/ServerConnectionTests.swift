import Testing

import struct Simulation.SeededGenerator

@testable import Varlink
@testable import VarlinkCore

@Suite("The server's side of a connection")
struct ServerConnectionTests {
    typealias Event = ServerConnection.Event
    typealias Effect = ServerConnection.Effect

    /// What happens, and what has to be done then.
    typealias Step = (event: Event, effects: [Effect])

    static let tooSlow = EncodedReply(error: "org.example.TooSlow")
    static let reply = EncodedReply(["n": 1])
    static let event = EncodedReply(["n": 2], continues: true)

    static func bytes(_ text: String) -> Event { .received(Array(text.utf8)) }

    static func text(_ method: String, _ flag: String? = nil) -> String {
        "{\"method\":\"\(method)\"" + (flag.map { ",\"\($0)\":true" } ?? "") + "}\0"
    }

    static func open(_ method: String, _ serial: UInt64, more: Bool = false, oneway: Bool = false) -> Effect {
        .open(CallMessage(method: method, wantsMore: more, isOneway: oneway), serial: serial)
    }

    private func run(_ steps: [Step], queueBytesMax: Int = 1000) -> ServerConnection {
        var machine = ServerConnection(queueBytesMax: queueBytesMax, tooSlow: Self.tooSlow)
        for (number, step) in steps.enumerated() {
            #expect(machine.handle(step.event) == step.effects, "step \(number)")
        }
        return machine
    }

    private func queued(_ machine: ServerConnection) -> String {
        let (bytes, offset) = machine.queue.next(maximum: .max)
        return String(decoding: bytes[offset...], as: UTF8.self)
    }

    @Test("A call is opened, answered, and the next one may come")
    func answers() {
        let machine = run([
            (Self.bytes("{\"method\":"), []), (Self.bytes("\"a.B\"}\0"), [Self.open("a.B", 1)]),
            (.reply(Self.reply, serial: 1), []), (.sent(Self.reply.bytes.count), []),
            (Self.bytes(Self.text("a.C")), [Self.open("a.C", 2)]),
        ])
        #expect(!machine.wantsToSend)
    }

    @Test("A pipelined call waits until the one before it has its last reply, and nothing is read meanwhile")
    func waitsInOrder() {
        var machine = run([
            (
                Self.bytes(Self.text("a.A", "more") + Self.text("a.B") + Self.text("a.C")),
                [Self.open("a.A", 1, more: true)]
            ),
            (.reply(Self.event, serial: 1), []),
        ])
        #expect(!machine.wantsToRead)
        #expect(machine.handle(.reply(Self.reply, serial: 1)) == [Self.open("a.B", 2)])
        #expect(machine.handle(.reply(Self.reply, serial: 2)) == [Self.open("a.C", 3)])
        #expect(!machine.wantsToRead)
        #expect(machine.handle(.reply(Self.reply, serial: 3)) == [])
        #expect(machine.wantsToRead)
        #expect(queued(machine).split(separator: "\0").count == 4)
    }

    @Test("Calls that want no reply do not hold up the next")
    func onewayCalls() {
        let machine = run([
            (
                Self.bytes(Self.text("a.A", "oneway") + Self.text("a.B", "oneway") + Self.text("a.C")),
                [Self.open("a.A", 1, oneway: true), Self.open("a.B", 2, oneway: true), Self.open("a.C", 3)]
            ),
            (.reply(Self.reply, serial: 1), []),
        ])
        #expect(!machine.wantsToSend, "an answer to a oneway call goes nowhere")
    }

    @Test("An answer to a call that is over goes nowhere")
    func ignoresLateAnswers() {
        let machine = run([
            (Self.bytes(Self.text("a.A")), [Self.open("a.A", 1)]),
            (.reply(Self.reply, serial: 1), []), (.sent(Self.reply.bytes.count), []),
            (.reply(Self.reply, serial: 1), []), (Self.bytes(Self.text("a.B")), [Self.open("a.B", 2)]),
            (.reply(Self.reply, serial: 1), []),
        ])
        #expect(!machine.wantsToSend)
    }

    @Test("A peer that closes its side still gets the replies to what it asked, then the connection closes")
    func halfClose() {
        let machine = run([
            (Self.bytes(Self.text("a.A") + Self.text("a.B")), [Self.open("a.A", 1)]), (.endOfFile, []),
            (.reply(Self.reply, serial: 1), [Self.open("a.B", 2)]), (.reply(Self.reply, serial: 2), []),
            (.sent(10), []), (.sent(Self.reply.bytes.count * 2 - 10), [.close]),
        ])
        #expect(!machine.wantsToRead && !machine.wantsToSend)
    }

    @Test("A stream outlives the end of the peer's side, and ends when the peer hangs up")
    func streamAfterHalfClose() {
        _ = run([
            (Self.bytes(Self.text("a.A", "more")), [Self.open("a.A", 1, more: true)]), (.endOfFile, []),
            (.reply(Self.event, serial: 1), []), (.sent(Self.event.bytes.count), []),
            (.hungUp, [.abandon(serial: 1), .close]), (.hungUp, []), (.reply(Self.event, serial: 1), []),
        ])
    }

    @Test("A connection without calls just closes", arguments: [0, 1])
    func closes(which: Int) {
        _ = run([
            (which == 0 ? .endOfFile : .hungUp, [.close]), (Self.bytes(Self.text("a.A")), []),
            (.endOfFile, []),
        ])
    }

    @Test("What stands behind a call that is abandoned is never opened")
    func hangUpDropsTheRest() {
        _ = run([
            (Self.bytes(Self.text("a.A") + Self.text("a.B")), [Self.open("a.A", 1)]),
            (.hungUp, [.abandon(serial: 1), .close]),
        ])
    }

    @Test(
        "A message that is no call closes the connection, after the replies to those before it",
        arguments: [
            ("x\0", .malformed(.json(JSONError(.unexpectedByte, at: 0)))),
            ("\0", .malformed(.json(JSONError(.unexpectedEnd, at: 0)))),
            ("{}\0", .malformed(.missingMethod)),
            (
                String(repeating: " ", count: Limits.callBytesMax + 1),
                .oversize(messageBytesMax: Limits.callBytesMax)
            ),
        ] as [(String, ServerConnection.Fault)])
    func refuses(text: String, fault: ServerConnection.Fault) {
        _ = run([(Self.bytes(text), [.report(fault), .close])])
        _ = run([
            (Self.bytes(Self.text("a.A") + text), [Self.open("a.A", 1)]),
            (.reply(Self.reply, serial: 1), [.report(fault)]),
            (Self.bytes(Self.text("a.B")), []), (.sent(Self.reply.bytes.count), [.close]),
        ])
    }

    @Test("A stream that ends within a message is reported")
    func truncated() {
        _ = run([(Self.bytes("{\"meth"), []), (.endOfFile, [.report(.truncated(bytes: 6)), .close])])
    }

    @Test(
        "A peer that calls but does not read waits for its own sake: no call is opened above half the bound")
    func backPressure() {
        let long = EncodedReply(["text": .string(String(repeating: "x", count: 600))])
        var machine = run([
            (Self.bytes(Self.text("a.A") + Self.text("a.B")), [Self.open("a.A", 1)]),
            (.reply(long, serial: 1), []),
        ])
        #expect(!machine.wantsToRead)
        #expect(machine.handle(.sent(50)) == [])
        #expect(machine.handle(.sent(100)) == [Self.open("a.B", 2)])
    }

    @Test("One reply may be longer than the bound: reading it late is no fault")
    func longReply() {
        let long = EncodedReply(["text": .string(String(repeating: "x", count: 5000))])
        let longEvent = EncodedReply(["text": .string(String(repeating: "x", count: 5000))], continues: true)
        _ = run([
            (Self.bytes(Self.text("a.A", "more")), [Self.open("a.A", 1, more: true)]),
            (.reply(longEvent, serial: 1), []), (.sent(longEvent.bytes.count), []),
            (.reply(Self.event, serial: 1), []), (.reply(long, serial: 1), []),
        ])
    }

    @Test(
        "A stream that overruns the queue is abandoned; the error follows what was begun to be sent",
        arguments: [0, 7])
    func overrun(begun: Int) {
        let count = Self.event.bytes.count
        var machine = run(
            [
                (Self.bytes(Self.text("a.A", "more")), [Self.open("a.A", 1, more: true)]),
                (.reply(Self.event, serial: 1), []), (.reply(Self.event, serial: 1), []), (.sent(begun), []),
                (
                    .reply(Self.event, serial: 1),
                    [.report(.tooSlow(queuedBytes: 2 * count - begun)), .abandon(serial: 1)]
                ),
                (.reply(Self.event, serial: 1), []),
            ], queueBytesMax: 2 * count)
        let rest = begun == 0 ? "" : String(decoding: Self.event.bytes[begun...], as: UTF8.self)
        let last = String(decoding: Self.tooSlow.bytes, as: UTF8.self)
        #expect(machine.isExpelling)
        #expect(queued(machine) == rest + last)
        #expect(machine.handle(.sent(machine.queue.count)) == [.close])
    }

    @Test("However the input is cut, the same calls are opened in the same order", arguments: 1...20)
    func cutAnywhere(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let flags: [String?] = [nil, "more", "oneway"]
        let methods = (0..<50).map { "a.M\($0)" }
        var rest = Array(
            methods.map { Self.text($0, flags.randomElement(using: &random) ?? nil) }.joined().utf8)
        var machine = ServerConnection(queueBytesMax: 100, tooSlow: Self.tooSlow)
        var opened: [String] = []
        var pending: [Effect] = []
        var isClosed = false
        while !isClosed {
            if machine.wantsToRead {
                let piece = rest.prefix(Int.random(in: 1...200, using: &random))
                rest.removeFirst(piece.count)
                pending += machine.handle(piece.isEmpty ? .endOfFile : .received(Array(piece)))
            }
            while case .open(let call, let serial)? = pending.first {
                pending.removeFirst()
                opened.append(call.method)
                if !call.isOneway { pending += machine.handle(.reply(Self.reply, serial: serial)) }
            }
            if machine.wantsToSend {
                pending += machine.handle(.sent(Int.random(in: 1...machine.queue.count, using: &random)))
            }
            isClosed = pending.contains(.close)
        }
        #expect(opened == methods)
    }
}
