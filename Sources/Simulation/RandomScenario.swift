internal import AdSlots
internal import Reachability

extension Scenario {
    /// A random life of a device: flaps, overruns, rotations, hides, slow and failing sources, clicks, dying
    /// hosts, stubborn work and crashes.
    ///
    /// - Parameters:
    ///   - seed: The same seed gives the same scenario.
    ///   - length: How long the life is at least.
    public static func random(seed: UInt64, length: Duration = .seconds(3_600)) -> Scenario {
        var life = RandomLife(seed: seed)
        life.begin()
        while life.now < .zero + length { life.step() }
        return Scenario(steps: life.steps)
    }
}

/// Makes up a life, step by step. It does not know what comes of a step: a click may find no banner.
struct RandomLife {
    private(set) var steps: [Scenario.Step] = []
    private(set) var now = Instant.zero
    private var random: SeededGenerator
    private var labels: [String] = []
    private var works: [String: WorkKind] = [:]
    private var workOrder: [String] = []
    private var made = 0
    /// How busy this life is: the longest of the short gaps between steps, in milliseconds.
    private let bustle: Int

    private static let slots = ["plain", "mixed", "quick"]
    private static let links: [(name: String, index: Int, kind: LinkKind)] = [
        ("wlan0", 3, .wifi), ("wwan0", 4, .cellular), ("eth0", 5, .ethernet),
    ]
    private static let viewports = [
        Size(width: 400, height: 800), Size(width: 800, height: 400), Size(width: 1_920, height: 1_080),
        Size(width: 330, height: 260), Size(width: 320, height: 60),
    ]

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
        bustle = [300, 2_000, 20_000].randomElement(using: &random) ?? 2_000
    }

    private mutating func add(_ action: Action) {
        steps.append(Scenario.Step(at: now, line: steps.count + 1, action: action))
    }

    /// True once in so many times.
    private mutating func chance(in times: Int) -> Bool {
        Int.random(in: 0..<times, using: &random) == 0
    }

    private mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &random) }

    private mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[Int.random(in: elements.indices, using: &random)]
    }

    // MARK: The beginning

    mutating func begin() {
        set("Source net", "Kind", "test")
        set("Source spare", "Kind", "test")
        set("Source house", "Kind", "house")
        set("Slot plain", "RefreshInterval", pick(["30s", "45s", "180s"]))
        set("Slot mixed", "Sources", pick(["net house", "net spare house", "house net"]))
        set("Slot mixed", "WhenUnreachable", "house")
        set("Slot mixed", "Placement", pick(["top", "bottom"]))
        set("Slot quick", "Sources", pick(["spare", "spare net"]))
        set("Slot quick", "RefreshInterval", "30s")
        set("Slot quick", "MinimumInterval", pick(["0ms", "5s", "8s"]))
        set("Slot quick", "RequestTimeout", pick(["1s", "10s"]))
        set("Slot quick", "MinimumView", pick(["0ms", "1s", "5s"]))
        if chance(in: 2) { set("Actions", "ActionTimeout", pick(["20s", "60s"])) }
        if chance(in: 2) { set("Actions", "PauseTimeout", pick(["0ms", "100ms", "3s"])) }
        if chance(in: 3) { set("Reachability", "LossHold", pick(["0ms", "5s"])) }
        if chance(in: 3) { set("Reachability", "GainHold", pick(["0ms", "3s"])) }
        if chance(in: 3) { set("Reachability", "DampMax", "0ms") }
        add(.network(.link(name: "lo", loopback)))
        for link in RandomLife.links where link.kind == .wifi || chance(in: 2) { bringUp(link) }
    }

    private var loopback: LinkChange {
        var change = LinkChange()
        (change.index, change.kind, change.isUp, change.carrier) = (1, .loopback, true, true)
        return change
    }

    private mutating func set(_ section: String, _ key: String, _ value: String) {
        add(.set(section: section, key: key, value: value))
    }

    // MARK: A step

    mutating func step() {
        wait()
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<14: flap()
        case 14..<24: network()
        case 24..<26: add(.overrun)
        case 26..<35: attach()
        case 35..<37: add(.detach(slot: slot()))
        case 37..<46: show()
        case 46..<52: add(.viewport(slot: slot(), viewport()))
        case 52..<74: click()
        case 74..<80: if !labels.isEmpty { add(.finish(label: pick(labels))) }
        case 80..<89: source()
        case 89..<96: work()
        case 96..<98: operate()
        default: if chance(in: 2) { add(.crash) }
        }
    }

    private mutating func wait() {
        switch Int.random(in: 0..<40, using: &random) {
        // Several things in one moment.
        case 0..<3: break
        case 3..<30: now = now + .milliseconds(below(bustle))
        case 30..<39: now = now + .milliseconds(below(20_000))
        default: now = now + .seconds(below(600))
        }
    }

    private mutating func slot() -> String { pick(RandomLife.slots) }

    private mutating func viewport() -> Size { pick(RandomLife.viewports) }

    private mutating func label() -> String {
        made += 1
        return "label\(made)"
    }

    private mutating func attach() {
        let name = chance(in: 20) ? "none" : slot()
        let viewport = chance(in: 30) ? Size(width: 0, height: 10) : viewport()
        add(.attach(slot: name, viewport: viewport, visible: !chance(in: 4), host: nil, label: label()))
    }

    private mutating func show() {
        let slot = slot()
        add(.visible(slot: slot, !chance(in: 3)))
        guard chance(in: 2) else { return }
        wait()
        add(.visible(slot: slot, true))
    }

    /// A touch, which most often ends as it should.
    private mutating func click() {
        let label = label()
        labels.append(label)
        if labels.count > 6 { labels.removeFirst() }
        add(.begin(slot: slot(), label: label, leaves: chance(in: 4)))
        guard !chance(in: 4) else { return }
        wait()
        add(.finish(label: label))
    }

    private mutating func source() {
        var change = SourceChange(chance(in: 3) ? pick(TestSource.Behaviour.allCases) : .ok)
        change.delay = .milliseconds(below(chance(in: 3) ? 12_000 : 500))
        change.expires = .seconds(below(chance(in: 3) ? 40 : 4_000))
        if chance(in: 30) { change.size = Size(width: 728, height: 90) }
        add(.source(name: pick(["test", "net", "spare", "house"]), change))
    }

    private mutating func work() {
        if workOrder.count > 4 || (!workOrder.isEmpty && chance(in: 3)) {
            let name = workOrder.remove(at: .random(in: workOrder.indices, using: &random))
            works[name] = nil
            add(.unwork(name: name))
            return
        }
        made += 1
        let manners: [WorkManner] = [
            .acknowledges(after: .zero), .acknowledges(after: .milliseconds(40)),
            .acknowledges(after: .milliseconds(400)), .acknowledges(after: .seconds(5)), .keepsSilent,
            .vetoes,
        ]
        if !workOrder.isEmpty, chance(in: 4) {
            let name = pick(workOrder)
            add(.work(name: name, kind: works[name] ?? .client, pick(manners)))
            return
        }
        let (name, kind) = ("work\(made)", pick(WorkKind.allCases))
        workOrder.append(name)
        works[name] = kind
        add(.work(name: name, kind: kind, pick(manners)))
    }

    /// The operator's switch, which is most often given back, and memory that runs short.
    private mutating func operate() {
        guard !chance(in: 3) else { return add(.pressure) }
        let slot = slot()
        add(.disable(slot: slot, chance(in: 2) ? .seconds(below(300) + 1) : nil))
        guard !chance(in: 4) else { return }
        wait()
        add(.enable(slot: slot))
    }

    // MARK: The network

    /// Carrier goes and comes back, within a hold or after it.
    private mutating func flap() {
        let link = pick(RandomLife.links)
        guard isKnown(link.name) else { return bringUp(link) }
        var change = LinkChange()
        change.carrier = false
        add(.network(.link(name: link.name, change)))
        wait()
        change = LinkChange()
        (change.isUp, change.carrier, change.operationalState) = (true, true, .up)
        add(.network(.link(name: link.name, change)))
        if chance(in: 3) {
            readdress(link, isNew: true)
            reroute(link, isNew: true)
        }
    }

    private mutating func network() {
        let link = pick(RandomLife.links)
        guard isKnown(link.name) else { return bringUp(link) }
        var change = LinkChange()
        switch Int.random(in: 0..<12, using: &random) {
        case 0..<3: change.carrier = false
        case 3..<6: change.carrier = true
        case 6: change.isUp = false
        case 7: change.isUp = true
        case 8: change.operationalState = pick([.up, .dormant, .unknown, .down])
        case 9: return add(.network(.unlink(name: link.name)))
        case 10: return readdress(link)
        default: return reroute(link)
        }
        add(.network(.link(name: link.name, change)))
    }

    /// Whether the last that was heard of a link is not its end.
    private func isKnown(_ name: String) -> Bool {
        for step in steps.reversed() {
            switch step.action {
            case .network(.link(name, _)): return true
            case .network(.unlink(name)): return false
            default: continue
            }
        }
        return false
    }

    private mutating func bringUp(_ link: (name: String, index: Int, kind: LinkKind)) {
        var change = LinkChange()
        // The kernel never gives an index twice in a row.
        change.index = now == .zero ? link.index : link.index + 10 * (steps.count + 1)
        (change.kind, change.isUp, change.carrier) = (link.kind, true, true)
        change.operationalState = .up
        add(.network(.link(name: link.name, change)))
        readdress(link, isNew: true)
        reroute(link, isNew: true)
    }

    private mutating func readdress(
        _ link: (name: String, index: Int, kind: LinkKind), isNew: Bool = false
    ) {
        guard let address = IPAddress("192.0.2.\(link.index)") else { return }
        if isNew || chance(in: 2) {
            let state: AddressState? = !isNew && chance(in: 2) ? pick(AddressState.allCases) : nil
            add(.network(.address(link: link.name, address, prefixLength: 24, state)))
        } else {
            add(.network(.unaddress(link: link.name, address, prefixLength: 24)))
        }
    }

    private mutating func reroute(
        _ link: (name: String, index: Int, kind: LinkKind), isNew: Bool = false
    ) {
        guard let prefix = AddressPrefix("0.0.0.0/0") else { return }
        let metric = UInt32(link.index * 100)
        if isNew || chance(in: 2) {
            add(.network(.route(VirtualRoute(prefix: prefix, link: link.name, metric: metric))))
        } else if chance(in: 3) {
            let kind = pick(VirtualRoute.Kind.allCases.filter { $0 != .unicast })
            add(.network(.route(VirtualRoute(prefix: prefix, link: nil, metric: 1, kind: kind))))
        } else {
            add(.network(.unroute(prefix, link: chance(in: 2) ? link.name : nil, metric: nil)))
        }
    }
}
