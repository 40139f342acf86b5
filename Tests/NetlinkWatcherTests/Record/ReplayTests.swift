import Reachability
import Testing

import struct Simulation.SeededGenerator

@testable import NetlinkWatcher

@Suite("A replay")
struct ReplayTests {
    private func steps(_ file: [UInt8]) throws -> [Replay.Step] {
        var replay = try Replay(file)
        var steps: [Replay.Step] = []
        while let step = replay.next() { steps.append(step) }
        return steps
    }

    @Test(
        "Tells the same as the daemon did, from the beginning, while the ring is not full", arguments: 0..<20)
    func whole(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let flight = Flight(FlightRecorder(), seed: seed, settings: Flight.settings(&generator))
        flight.resynchronise([MessageBuilder.link(Flight.link(1, &generator))])
        flight.judge()
        for _ in 0..<300 { flight.doSomething(using: &generator) }
        let steps = try steps(flight.file)
        try #require(steps == flight.told, "seed \(seed)")
        #expect(flight.told.count { if case .change(.posted) = $0.event { true } else { false } } > 0)
    }

    @Test(
        "Tells the latest of it when the ring has gone round, whatever was going on when it did",
        arguments: 0..<8)
    func ring(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let recorder = FlightRecorder(bytesMax: 60_000, recordsMax: 1_000)
        let flight = Flight(recorder, seed: seed, settings: Flight.settings(&generator))
        for round in 0..<600 {
            flight.doSomething(using: &generator)
            guard round % 120 == 119 else { continue }
            let file = flight.file
            try #require(file.count < 60_000 + 30_000)
            var replay = try Replay(file)
            var steps: [Replay.Step] = []
            while let step = replay.next() { steps.append(step) }
            try #require(steps == flight.told.suffix(steps.count), "seed \(seed), round \(round)")
            try #require(replay.model.network == flight.model.network)
            try #require(replay.model.memory == flight.model.memory)
            try #require(
                Flight.withoutURL(replay.model.settings) == Flight.withoutURL(flight.model.settings))
            try #require(steps.count > 10)
        }
    }

    @Test("A list that does not fit is left out, and the replay goes on from what came of it")
    func longLists() throws {
        let recorder = FlightRecorder(bytesMax: 40_000, recordsMax: 1_000)
        let flight = Flight(recorder, settings: ReachabilitySettings(dampMax: .zero))
        var generator = SeededGenerator(seed: 3)
        var count = 0
        for round in 0..<10 {
            let lists = (1...100).map { index in
                var link = Flight.link(2, &generator)
                link.index = index
                link.administrativelyUp = round % 2 == 0
                link.carrier = true
                link.operationalState = .up
                return MessageBuilder.link(link, padding: 400)
            }
            let addresses = (1...8).map { MessageBuilder.address(Flight.address($0, &generator)) }
            flight.resynchronise(lists + addresses)
            flight.judge()
            flight.pass(3_000_000)

            var replay = try Replay(flight.file)
            var steps: [Replay.Step] = []
            while let step = replay.next() { steps.append(step) }
            try #require(replay.model.network == flight.model.network)
            try #require(replay.model.memory == flight.model.memory)
            try #require(!steps.contains { if case .diverged = $0.event { true } else { false } })
            let posted = posted(in: steps)
            try #require(posted == self.posted(in: flight.told).suffix(posted.count))
            count += posted.count
        }
        #expect(count > 5)
    }

    private func posted(in steps: [Replay.Step]) -> [ReachabilityState] {
        steps.compactMap { if case .change(.posted(let state)) = $0.event { state } else { nil } }
    }

    @Test("A network that is too large for any snapshot is said to be, and nothing traps")
    func overgrown() throws {
        let recorder = FlightRecorder(bytesMax: 4_000, recordsMax: 1_000)
        let flight = Flight(recorder)
        var generator = SeededGenerator(seed: 3)
        let lists = (1...100).map { index in
            var link = Flight.link(2, &generator)
            link.index = index
            return MessageBuilder.link(link)
        }
        for _ in 0..<3 {
            flight.resynchronise(lists)
            flight.judge()
            for message in lists { flight.receive(message) }
            flight.judge()
        }
        let error = #expect(throws: RecordError.self) { try Replay(flight.file) }
        #expect(error == RecordError(.overgrown, at: 40))
    }

    @Test("A recorder that has seen nothing gives a record of the state alone")
    func empty() throws {
        let flight = Flight(FlightRecorder())
        #expect(try steps(flight.file) == [])
        #expect(try steps(FlightRecorder().file(boottime: 5, realtime: 9)) == [])
    }

    @Test("Where this version judges otherwise than the daemon did, the replay says so")
    func divergence() throws {
        let flight = Flight(FlightRecorder())
        var generator = SeededGenerator(seed: 9)
        for _ in 0..<100 { flight.doSomething(using: &generator) }
        // As if the daemon had stood elsewhere in the end, and had not asked in the middle.
        let (file, other) = (flight.file, Flight(FlightRecorder()).file)
        let reader = try RecordReader(file)
        let closing = try #require(reader.records.last).offset
        let lookups = try #require(
            reader.records.firstIndex { if case .lookup = $0.content { true } else { false } })
        let cut = reader.records[lookups].offset..<reader.records[lookups + 1].offset
        var changed = Array(file[..<cut.lowerBound] + file[cut.upperBound..<closing])
        let snapshot = try #require(RecordReader(other).records.first).offset
        let end = other.count - 28
        changed += other[snapshot..<end]
        let buffer = RecordBuffer(capacity: 100)
        buffer.append(.end, at: 0) { $0.put(UInt64(reader.records.count - 1)) }
        changed += buffer.checked
        let events = try steps(changed).map(\.event)
        #expect(events.contains(.diverged(.lookups(1))))
        #expect(events.last == .diverged(.state))
    }
}
