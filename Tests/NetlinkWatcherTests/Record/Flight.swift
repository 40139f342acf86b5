import Reachability

import struct Simulation.SeededGenerator

@testable import NetlinkWatcher

/// Lookups with answers as they come: nothing in a replay may depend on what is asked twice.
struct RandomRoutes: RouteLookup {
    var generator: SeededGenerator

    mutating func answer(_ query: RouteQuery) -> RouteAnswer {
        switch Int.random(in: 0..<12, using: &generator) {
        case 0: .rejected
        case 1: .loopback
        case 2: .unroutable
        default:
            .unicast(
                link: query.outputLink ?? Int.random(in: 1...8, using: &generator),
                metric: UInt32.random(in: 0...3, using: &generator))
        }
    }

    mutating func farEnd(of tunnel: Link, for destination: IPAddress) -> TunnelEnd? {
        guard let address = IPAddress([192, 0, 2, UInt8.random(in: 1...9, using: &generator)]) else {
            return nil
        }
        return Bool.random(using: &generator) ? TunnelEnd(address: address, mark: 7) : nil
    }
}

/// Does with messages, lists and time what the watcher and the daemon do, with a recorder running.
final class Flight {
    let recorder: FlightRecorder
    private(set) var model: ReachabilityModel
    /// What was told, and when.
    private(set) var told: [Replay.Step] = []
    var now: Int64 = 1_000_000
    var routes: RandomRoutes
    /// What DEVTYPE says of links.
    var deviceTypes: [Int: String] = [:]
    /// What nl80211 says of links.
    var wireless: Set<Int> = []

    init(_ recorder: FlightRecorder, seed: UInt64 = 1, settings: ReachabilitySettings = .init()) {
        self.recorder = recorder
        model = ReachabilityModel(settings: settings)
        routes = RandomRoutes(generator: SeededGenerator(seed: seed))
        recorder.model = { [unowned self] in model }
    }

    private func complete(_ fact: Fact) -> Fact {
        guard case .link(var link) = fact else { return fact }
        link.deviceType = deviceTypes[link.index]
        link.isWireless = wireless.contains(link.index)
        return .link(link)
    }

    private func forEach(_ bytes: [UInt8], _ visit: (RawMessage, Fact?) -> Void) {
        unsafe bytes.withUnsafeBytes { bytes in
            unsafe RawMessage.forEach(in: bytes) { message in
                visit(message, MessageDecoder.decode(message).map(complete))
                return true
            }
        }
    }

    func receive(_ datagram: [UInt8]) {
        forEach(datagram) { message, fact in
            recorder.message(message, meaning: fact, at: now)
            if let fact { model.apply(fact) }
        }
    }

    /// Tells of a link what was found on request.
    func tell(_ link: Link) {
        let fact = complete(.link(link))
        recorder.told(fact, at: now)
        model.apply(fact)
    }

    func lose() {
        recorder.lost(at: now)
        tell(.lost)
    }

    /// Reads lists; after `interruptions` attempts that count for nothing.
    func resynchronise(_ lists: [[UInt8]], interruptions: Int = 0) {
        for _ in 0..<interruptions {
            recorder.dumpBegins(at: now)
            for message in lists.prefix(2) {
                forEach(message) { recorder.dumped($0, meaning: $1, at: now) }
            }
        }
        recorder.dumpBegins(at: now)
        var network = Network()
        for message in lists {
            forEach(message) { message, fact in
                recorder.dumped(message, meaning: fact, at: now)
                if let fact { _ = network.apply(fact) }
            }
        }
        recorder.dumpEnds(at: now)
        model.replaceNetwork(network)
        tell(.resynchronised(links: network.linkCount))
    }

    func judge() {
        let instant = Instant(microseconds: now)
        let changes = recorder.judge(at: instant, &routes) { model.judge(at: instant, lookup: &$0) }
        for change in changes { tell(.change(change)) }
    }

    /// Lets time go by, and timers fire in it.
    func pass(_ microseconds: Int64) {
        let end = now + microseconds
        while let deadline = model.deadline, deadline.microseconds <= end {
            now = max(now, deadline.microseconds)
            let instant = Instant(microseconds: now)
            recorder.timerFires(at: instant)
            for change in model.timerFired(at: instant) { tell(.change(change)) }
        }
        now = end
    }

    func configure(_ settings: ReachabilitySettings) {
        recorder.configures(settings, at: Instant(microseconds: now))
        model.configure(settings)
        tell(.configured)
    }

    func aim(at target: Target) {
        recorder.aims(at: target, at: Instant(microseconds: now))
        model.target = target
    }

    /// Answers the model's question, or one that is no longer asked.
    func answer(_ answer: ConnectivityAnswer) {
        let instant = Instant(microseconds: now)
        let question = model.question?.number ?? 1
        recorder.takes(answer, to: question, at: instant)
        for change in model.answered(question, answer, at: instant) { tell(.change(change)) }
    }

    func setMetered(_ isMetered: Bool) {
        let instant = Instant(microseconds: now)
        recorder.setsMetered(isMetered, at: instant)
        for change in model.setMetered(isMetered, at: instant) { tell(.change(change)) }
    }

    var file: [UInt8] { recorder.file(boottime: now, realtime: now + 1_700_000_000_000_000) }

    private func tell(_ event: Replay.Event) {
        told.append(Replay.Step(instant: Instant(microseconds: now), event: event))
    }
}

extension Flight {
    /// Does one thing or another.
    func doSomething(using generator: inout SeededGenerator) {
        let index = Int.random(in: 1...8, using: &generator)
        switch Int.random(in: 0..<30, using: &generator) {
        case 0...7:
            var bytes: [UInt8] = []
            for _ in 0..<Int.random(in: 1...3, using: &generator) {
                let link = Self.link(Int.random(in: 1...8, using: &generator), &generator)
                bytes += MessageBuilder.link(link)
            }
            receive(bytes)
            judge()
        case 8...11:
            receive(MessageBuilder.address(Self.address(index, &generator)))
            judge()
        case 12: receive(MessageBuilder.address(Self.address(index, &generator), type: 21))
        case 13: receive(MessageBuilder.linkGone(index))
        case 14:
            receive(MessageBuilder.route)
            judge()
        case 15: deviceTypes[index] = ["wlan", "wwan", nil].randomElement(using: &generator) ?? nil
        case 16:
            lose()
            pass(Int64.random(in: 0...50_000, using: &generator))
            let lists = (1...8).map { MessageBuilder.link(Self.link($0, &generator)) }
            let interruptions = Int.random(in: 0...2, using: &generator)
            resynchronise(
                lists + [MessageBuilder.address(Self.address(2, &generator))],
                interruptions: interruptions)
            judge()
        case 17:
            wireless.formSymmetricDifference([index])
            tell(Self.link(index, &generator))
        case 19: setMetered(Bool.random(using: &generator))
        case 20:
            let address = Self.address(index, &generator).address
            aim(
                at: [.internet, .resolved([address]), .unresolved].randomElement(using: &generator)
                    ?? .internet)
            judge()
        case 21...23:
            let answers: [ConnectivityAnswer] = [
                .failed, .response(status: 204, body: []), .response(status: 302, body: [1, 2]),
            ]
            answer(answers.randomElement(using: &generator) ?? .failed)
        case 18: configure(Self.settings(&generator))
        default: pass(Int64.random(in: 0...2_000_000, using: &generator))
        }
    }

    static func link(_ index: Int, _ generator: inout SeededGenerator) -> Link {
        let names = ["lo", "eth", "wl", "ww", "tun", "en", "x", "usb"]
        return Link(
            index: index, name: "\(names[index - 1])\(index)", hardwareType: index == 1 ? 772 : 1,
            administrativelyUp: Int.random(in: 0..<4, using: &generator) > 0,
            carrier: Int.random(in: 0..<4, using: &generator) > 0,
            operationalState: [.up, .up, .unknown, .dormant, .down].randomElement(using: &generator) ?? .up,
            hasLinkLayerAddress: index != 5,
            infoKind: index == 5 ? "tun" : [nil, nil, "vlan"].randomElement(using: &generator) ?? nil,
            lowerIndex: [nil, nil, 2].randomElement(using: &generator) ?? nil)
    }

    static func address(_ index: Int, _ generator: inout SeededGenerator) -> LinkAddress {
        let bytes: [UInt8] =
            Bool.random(using: &generator)
            ? [192, 0, 2, UInt8(index)]
            : [0x20, 1, 0xd, 0xb8] + [UInt8](repeating: 0, count: 11) + [UInt8(index)]
        guard let address = IPAddress(bytes) else { preconditionFailure("4 or 16 bytes are an address") }
        return LinkAddress(
            linkIndex: index, address: address, prefixLength: 24,
            isTentative: Int.random(in: 0..<5, using: &generator) == 0)
    }

    /// Settings whose URL is left out: a record does not hold it.
    static func withoutURL(_ settings: ReachabilitySettings) -> ReachabilitySettings {
        var settings = settings
        if settings.connectivity.url == nil { settings.connectivity = ConnectivitySettings() }
        settings.connectivity.url = nil
        return settings
    }

    static func settings(_ generator: inout SeededGenerator) -> ReachabilitySettings {
        ReachabilitySettings(
            lossHold: .milliseconds([0, 100, 1_500].randomElement(using: &generator) ?? 0),
            gainHold: .milliseconds([0, 250].randomElement(using: &generator) ?? 0),
            dampHalfLife: .seconds([1, 15].randomElement(using: &generator) ?? 1),
            dampMax: .seconds([0, 60].randomElement(using: &generator) ?? 0),
            targetHost: [nil, .name("example.org"), .address(Self.address(3, &generator).address)]
                .randomElement(using: &generator) ?? nil,
            connectivity: ConnectivitySettings(
                url: [nil, "http://a.example/", "http://b.example/"].randomElement(using: &generator) ?? nil,
                text: ["", "yes"].randomElement(using: &generator) ?? "", interval: .seconds(20)),
            linkRules: [
                LinkRule(pattern: "usb*", kind: .cellular, metered: Bool.random(using: &generator)),
                LinkRule(pattern: "x?", onDemand: true),
            ])
    }
}
