import Testing

import struct Simulation.SeededGenerator

@testable import Varlink
@testable import VarlinkCore

@Suite("What waits to be sent")
struct OutputQueueTests {
    private func queue(_ messages: String...) -> OutputQueue {
        var queue = OutputQueue()
        for message in messages { queue.append(Array(message.utf8)) }
        return queue
    }

    private func next(_ queue: OutputQueue, _ maximum: Int = 100) -> String {
        let (bytes, offset) = queue.next(maximum: maximum)
        return String(decoding: bytes[offset...], as: UTF8.self)
    }

    @Test("Small messages go out together, as many as fit")
    func joins() {
        let queue = queue("one", "two", "three")
        #expect(next(queue) == "onetwothree")
        #expect(next(queue, 6) == "onetwo")
        #expect(next(queue, 5) == "one")
        #expect(next(queue, 2) == "one")
        #expect(next(OutputQueue()) == "")
    }

    @Test("Whatever part of it is sent, the rest follows", arguments: 0...11)
    func consumes(count: Int) {
        var queue = queue("one", "two", "three")
        queue.consume(count)
        #expect(queue.count == 11 - count)
        #expect(queue.isEmpty == (count == 11))
        #expect(next(queue) == String("onetwothree".dropFirst(count)))
        queue.append(Array("four".utf8))
        #expect(next(queue) == String("onetwothreefour".dropFirst(count)))
    }

    @Test(
        "Dropping keeps the rest of a message that was begun, and nothing else",
        arguments: [(0, ""), (2, "e"), (3, ""), (4, "wo"), (11, "")])
    func drops(sent: Int, rest: String) {
        var queue = queue("one", "two", "three")
        queue.consume(sent)
        queue.dropUnbegun()
        #expect(next(queue) == rest)
        #expect(queue.count == rest.utf8.count)
        queue.append(Array("last".utf8))
        #expect(next(queue) == rest + "last")
    }

    @Test("A long queue goes out in order")
    func staysInOrder() {
        var queue = OutputQueue()
        var random = SeededGenerator(seed: 1)
        var sent = ""
        for number in 0..<1000 {
            queue.append(Array("\(number),".utf8))
            let count = Int.random(in: 0...min(5, queue.count), using: &random)
            sent += next(queue, 10).prefix(count)
            queue.consume(min(count, next(queue, 10).count))
        }
        #expect((sent + next(queue, .max)) == (0..<1000).map { "\($0)," }.joined())
    }
}

@Suite("Clients are counted against their bounds")
struct ClientCensusTests {
    @Test("Neither all clients nor those of one user pass their bound")
    func bounds() {
        var census = ClientCensus(clientsMax: 3, clientsPerUserMax: 2)
        #expect(census.enter(uid: 1) == .admitted)
        #expect(census.enter(uid: 1) == .admitted)
        #expect(census.enter(uid: 1) == .tooManyOfUser(clients: 2))
        #expect(census.enter(uid: 2) == .admitted)
        #expect(census.enter(uid: 3) == .tooMany(clients: 3))
        census.leave(uid: 1)
        #expect(census.enter(uid: 3) == .admitted)
        #expect(census.count == 3)
    }
}
