import Testing

import struct Simulation.SeededGenerator

@testable import Reachability

@Suite("A model that goes on from a memory")
struct MemoryTests {
    @Test("Holds begun again from their memory are the same and do the same", arguments: 0..<200)
    func holds(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var settings = HoldsPropertyTests.settings(&generator)
        var holds = Holds(settings: settings)
        var now = Instant.zero
        for _ in 0..<200 {
            now = now + HoldsPropertyTests.pause(&generator)
            let again = Holds(settings: settings, memory: holds.memory)
            try #require(again == holds, "seed \(seed)")
            switch Int.random(in: 0..<10, using: &generator) {
            case 0:
                settings = HoldsPropertyTests.settings(&generator)
                holds.configure(settings)
            case 1, 2: _ = holds.timerFired(at: now)
            default:
                let raw = HoldsPropertyTests.raws.randomElement(using: &generator) ?? .offline
                _ = holds.judged(raw, at: now)
            }
        }
    }

    @Test("A check for portals begun again from its memory is the same", arguments: 0..<200)
    func portal(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let settings = [
            ConnectivitySettings(url: "http://a.example/"), ConnectivitySettings(),
            ConnectivitySettings(url: "http://a.example/", text: "yes", interval: .seconds(15)),
        ]
        var current = settings[0]
        var watch = PortalWatch(settings: current)
        var now = Instant.zero
        for _ in 0..<200 {
            now = now + HoldsPropertyTests.pause(&generator)
            let again = PortalWatch(settings: current, memory: watch.memory)
            try #require(again == watch, "seed \(seed)")
            switch Int.random(in: 0..<12, using: &generator) {
            case 0:
                current = settings.randomElement(using: &generator) ?? current
                watch.configure(current)
            case 1...4: _ = watch.timerFired(at: now)
            case 5...7:
                let answers: [ConnectivityAnswer] = [
                    .failed, .response(status: 204, body: []), .response(status: 302, body: []),
                ]
                let answer = answers.randomElement(using: &generator) ?? .failed
                _ = watch.answered(watch.question?.number ?? 0, answer, at: now)
            default:
                let raw = HoldsPropertyTests.raws.randomElement(using: &generator) ?? .offline
                watch.pathJudged(raw, at: now)
            }
        }
    }

    @Test("A model begun again judges and posts as the old one would have")
    func model() throws {
        var world = World()
        world.add(.working(2, "eth0"), "192.0.2.2/24")
        world.route("0.0.0.0/0", 2)
        var model = ReachabilityModel(settings: world.settings)
        model.replaceNetwork(world.network)
        _ = model.judge(at: .at(0), lookup: &world.routes)
        model.apply(.linkGone(index: 2))
        _ = model.judge(at: .at(100), lookup: &world.routes)

        var again = ReachabilityModel(
            network: model.network, settings: model.settings, memory: model.memory)
        #expect(again.raw == model.raw)
        #expect(again.raw?.reachable == false)
        #expect(again.current == model.current)
        #expect(again.deadline == model.deadline)
        let changes = again.timerFired(at: .at(1_600))
        #expect(changes == model.timerFired(at: .at(1_600)))
        #expect(changes.count == 1)
        #expect(again.memory == model.memory)
    }

    @Test("A memory that contradicts itself is taken as far as it makes sense")
    func contradictions() {
        let posted = ReachabilityState(judgement: .wifi, held: true, sequence: 3, since: .at(5))
        let memory = ReachabilityMemory(
            posted: posted, pending: .init(raw: .ethernet, since: .at(7)),
            penalty: .init(value: .nan, lastLoss: Instant(microseconds: .max), suppresses: true),
            latest: Instant(microseconds: .max))
        var holds = Holds(settings: ReachabilitySettings(), memory: memory)
        #expect(holds.deadline == nil)
        #expect(holds.judged(.offline, at: .at(9)).count == 1)
        #expect(holds.posted?.judgement == .offline)
    }
}
