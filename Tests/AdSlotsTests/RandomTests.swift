import Reachability
import Simulation
import Testing

@testable import AdSlots

/// Random lives of three slots. The rig checks the invariants after each step; the seed is in the message.
@Suite("Random lives")
struct RandomTests {
    @Test("Whatever happens the invariants hold, and quiet brings every slot an ad", arguments: 1...32)
    func life(seed: Int) {
        var life = Life(seed: UInt64(seed))
        for _ in 0..<2_000 where life.rig.breaches.isEmpty { life.step() }
        life.rest()
    }

    @Test("The same seed gives the same life")
    func repeatable() {
        var (one, other) = (Life(seed: 5), Life(seed: 5))
        for _ in 0..<500 {
            one.step()
            other.step()
        }
        #expect(one.rig.log.map(\.effect) == other.rig.log.map(\.effect))
    }
}

/// One random life.
private struct Life {
    let rig: Rig
    private var random: SeededGenerator
    private var hosts: [HostID] = []
    private var begins: [(host: HostID, begin: BeginID)] = []
    private var work: [WorkID] = []
    private var names = 0

    private static let sizes = [
        Size.phone, .phoneOnItsSide, Size(width: 1920, height: 1080), Size(width: 330, height: 260),
        Size(width: 320, height: 60), Size(width: 0, height: 10),
    ]

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
        rig = Rig(Life.settings(full: true), seed: seed)
        rig.label = "seed \(seed), at "
    }

    private static func settings(full: Bool) -> CoordinatorSettings {
        var plain = SlotSettings(name: "plain")
        plain.refreshInterval = .seconds(45)
        var mixed = SlotSettings(name: "mixed")
        mixed.sources = [.network("net"), .local("house")]
        mixed.whenUnreachable = .house
        mixed.placement = full ? .bottom : .top
        var short = SlotSettings(name: "short")
        short.sources = [.network("short")]
        short.refreshInterval = .seconds(30)
        short.minimumInterval = full ? .seconds(5) : .seconds(8)
        return CoordinatorSettings(slots: full ? [plain, mixed, short] : [short, plain])
    }

    mutating func step() {
        hosts.removeAll { rig.hosts[$0] == nil }
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<36: rig.run(for: .milliseconds(.random(in: 0..<2_000, using: &random)))
        case 36..<46: rig.run(for: .seconds(.random(in: 0..<60, using: &random)))
        case 46: rig.run(for: .seconds(.random(in: 0..<600, using: &random)))
        case 47..<52: if chance(in: 3) { rig.lose() } else { rig.gain() }
        case 52..<59: attach()
        case 59: if let host = hosts.randomElement(using: &random) { rig.detach(host) }
        case 60..<70: update()
        case 70..<81: begin()
        case 81..<87: finish()
        case 87..<92: changeSource()
        case 92..<97: changeWork()
        case 97..<98: answerOutOfTurn()
        case 98: bringNews()
        default:
            if chance(in: 4) { reconfigure() }
            if chance(in: 2) { rig.perform(.memoryPressure) } else { flipSwitch() }
        }
    }

    private mutating func flipSwitch() {
        let slot = ["plain", "mixed", "short", "none"].randomElement(using: &random) ?? "plain"
        switch Int.random(in: 0..<4, using: &random) {
        case 0: rig.perform(.setEnablement(slot: slot, .disabled(until: nil)))
        case 1:
            let until = rig.now + .seconds(.random(in: 0..<100, using: &random))
            rig.perform(.setEnablement(slot: slot, .disabled(until: until)))
        default: rig.perform(.setEnablement(slot: slot, .enabled))
        }
    }

    /// True once in so many times.
    private mutating func chance(in times: Int) -> Bool {
        Int.random(in: 0..<times, using: &random) == 0
    }

    private mutating func attach() {
        let slot = ["plain", "mixed", "short", "none"].randomElement(using: &random) ?? "plain"
        let host = rig.attach(slot, viewport(), visible: !chance(in: 4))
        if rig.hosts[host] != nil { hosts.append(host) }
    }

    private mutating func viewport() -> Size {
        Life.sizes.randomElement(using: &random) ?? .phone
    }

    private mutating func update() {
        guard let host = hosts.randomElement(using: &random) else { return }
        let size = viewport()
        let isGood = Layout.problem(with: size) == nil
        let visible = !chance(in: 4)
        switch Int.random(in: 0..<4, using: &random) {
        case 0 where isGood: rig.update(host, viewport: size, visible: visible)
        case 1 where isGood: rig.update(host, viewport: size)
        default: rig.update(host, visible: visible)
        }
    }

    private mutating func begin() {
        guard let host = hosts.randomElement(using: &random) else { return }
        begins.append((host, rig.begin(host, pathUsable: !chance(in: 8))))
    }

    private mutating func finish() {
        guard let index = begins.indices.randomElement(using: &random) else { return }
        let (host, begin) = begins.remove(at: index)
        rig.finish(host, begin)
    }

    private mutating func changeSource() {
        let name = ["test", "net", "house", "short"].randomElement(using: &random) ?? "test"
        var source = TestSource()
        if chance(in: 4) {
            source.behaviour = TestSource.Behaviour.allCases.randomElement(using: &random) ?? .ok
        }
        source.delay = .milliseconds(.random(in: 0..<(chance(in: 2) ? 12_000 : 500), using: &random))
        source.expires = chance(in: 2) ? .seconds(.random(in: 0..<100, using: &random)) : nil
        if chance(in: 12) { source.size = .large }
        rig.sources[name] = source
    }

    private mutating func changeWork() {
        if work.count > 4 || (!work.isEmpty && Bool.random(using: &random)) {
            rig.perform(.workGone(work: work.remove(at: .random(in: work.indices, using: &random))))
            return
        }
        let manners: [WorkManner] = [
            .acknowledges(after: .zero), .acknowledges(after: .milliseconds(400)),
            .acknowledges(after: .zero), .acknowledges(after: .seconds(5)), .keepsSilent, .vetoes,
        ]
        names += 1
        work.append(rig.register("work\(names)", manners.randomElement(using: &random) ?? .keepsSilent))
    }

    private mutating func answerOutOfTurn() {
        let request = RequestID(.random(in: 0..<2_000, using: &random))
        rig.perform(.sourceAnswered(request: request, .failure(.noFill)))
        let token = Int.random(in: -1..<20, using: &random)
        rig.perform(.acknowledged(work: work.randomElement(using: &random) ?? WorkID(0), token: token))
        rig.perform(.finishAction(host: HostID(0), action: ActionID(token)))
    }

    /// A source ends waits, or gives an ad another end.
    private mutating func bringNews() {
        if chance(in: 3) { return rig.endWait(of: ["plain", "mixed", "short", "none"]) }
        let slot = ["plain", "mixed", "short"].randomElement(using: &random) ?? "plain"
        let creative = rig.coordinator.slot(named: slot)?.creative
        // The host does not hear of it, so that a later end than it knows would look wrong to it.
        let expires = rig.now + .seconds(.random(in: -10..<100, using: &random))
        rig.perform(
            .expiryChanged([
                Expiry(
                    slot: slot, request: creative?.request ?? RequestID(1),
                    expires: min(expires, creative?.expires ?? expires))
            ]))
    }

    private mutating func reconfigure() {
        rig.reconfigure(Life.settings(full: !chance(in: 3)))
    }

    /// Quiet: everything works, and nobody touches anything.
    mutating func rest() {
        guard rig.breaches.isEmpty else { return }
        rig.sources = [:]
        rig.gain()
        for name in rig.coordinator.slotNames { rig.perform(.setEnablement(slot: name, .enabled)) }
        for (host, _) in rig.hosts { rig.update(host, viewport: .phone, visible: true) }
        rig.run(for: .seconds(1_200))
        for slot in rig.coordinator.slots where slot.state != .detached {
            #expect(slot.state == .shown, "8: \(rig.label)\(slot)")
        }
        #expect(rig.coordinator.work.allSatisfy { $0.state == .running }, "3: \(rig.label)")
        for (host, _) in rig.hosts { rig.detach(host) }
        #expect(rig.coordinator.deadline == nil, "\(rig.label)something is due for nobody")
        #expect(rig.coordinator.indexByRequest.isEmpty, "\(rig.label)a request is left behind")
        #expect(rig.coordinator.indexByHost.isEmpty, "\(rig.label)a host is left behind")
        #expect(rig.coordinator.actions.isEmpty, "\(rig.label)an action is left behind")
    }
}
