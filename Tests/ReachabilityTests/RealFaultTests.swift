import Reachability
import Testing

/// A device with Ethernet (2) and more links at hand, on a virtual clock.
struct Device {
    var model = ReachabilityModel(settings: ReachabilitySettings())
    var routes = Routes()
    private var now = Instant.zero
    private var states: [ReachabilityState] = []

    /// Carries a burst of facts, then judges.
    mutating func tell(_ facts: Fact...) {
        for fact in facts { model.apply(fact) }
        record(model.judge(at: now, lookup: &routes))
    }

    /// Lets time pass, with the timers due in it.
    mutating func wait(_ duration: Duration) {
        let end = now + duration
        while let deadline = model.deadline, deadline <= end { record(model.timerFired(at: deadline)) }
        now = end
    }

    /// Waits past all holds.
    mutating func settle() { wait(.seconds(3)) }

    mutating func route(_ link: Int?, to text: String = "0.0.0.0/0", metric: UInt32 = 0) {
        routes.routes.append(Routes.Route(prefix: prefix(text), metric: metric, link: link))
        tell(.routesMayHaveChanged)
    }

    mutating func unroute(_ link: Int?, to text: String = "0.0.0.0/0") {
        routes.routes.removeAll { $0.prefix == prefix(text) && $0.link == link }
        tell(.routesMayHaveChanged)
    }

    private mutating func record(_ changes: [ReachabilityChange]) {
        for case .posted(let state) in changes { states.append(state) }
    }

    /// All statuses posted since the first state, after everything has settled.
    mutating func notifications() -> [Transport] {
        settle()
        return states.dropFirst().map(\.status)
    }

    /// Loopback alone, judged.
    static func bare() -> Device {
        var device = Device()
        device.tell(
            .link(.working(1, "lo", hardwareType: HardwareType.loopback)), .address(.of(1, "127.0.0.1/8")))
        return device
    }

    /// Ethernet, address and default route, all of it in the first dump.
    static func base(_ name: String = "e0") -> Device {
        var device = Device()
        device.routes.routes = [Routes.Route(prefix: prefix("0.0.0.0/0"), metric: 100, link: 2)]
        device.tell(
            .link(.working(1, "lo", hardwareType: HardwareType.loopback)),
            .link(.working(2, name)), .address(.of(2, "10.0.0.2/24")))
        return device
    }
}

@Suite("Faults that other reachability software had")
struct RealFaultTests {
    @Test("A bridge with many ports and addresses is not the egress")
    func containers() {
        var device = Device.base()
        device.tell(
            .link(.working(10, "docker0") { $0.infoKind = "bridge" }), .address(.of(10, "172.17.0.1/16")))
        for index in 11..<31 {
            device.tell(.link(.working(index, "veth\(index)") { $0.controllerIndex = 10 }))
            device.tell(.address(.of(index, "fe80::\(index)/64")))
        }
        #expect(device.notifications() == [])
        #expect(device.model.current?.status == .ethernet)
    }

    @Test("A bridge without an uplink is not online")
    func lonelyBridge() {
        var device = Device.bare()
        device.tell(
            .link(.working(2, "br0") { ($0.infoKind, $0.operationalState) = ("bridge", .unknown) }),
            .address(.of(2, "172.17.0.1/16")))
        #expect(device.notifications() == [])
        #expect(device.model.current?.reason == .noRoute)
    }

    @Test("A default that outlives its downed link is no path, and one that comes back is")
    func downAndUp() {
        var device = Device.base()
        device.tell(.link(.working(2, "e0") { $0.administrativelyUp = false }))
        #expect(device.notifications() == [.none])
        #expect(device.model.current?.reason == .linkDown)
        device.tell(.link(.working(2, "e0")))
        #expect(device.notifications() == [.none, .ethernet])
    }

    @Test("Of two defaults one is deleted")
    func twoDefaults() {
        var device = Device.base()
        device.tell(.link(.working(3, "e1")), .address(.of(3, "10.0.1.2/24")))
        device.route(3, metric: 100)
        device.unroute(2)
        #expect(device.notifications() == [])
        #expect(device.model.current?.interface == "e1")
        device.unroute(3)
        #expect(device.notifications() == [.none])
    }

    @Test("A table that a rule prefers decides")
    func policyRule() {
        var device = Device.base()
        device.tell(.link(.tun(3, "ww0")), .address(.of(3, "10.64.0.2/32")))
        device.routes.rules[RouteQuery(destination: ip("1.1.1.1"))] = .unicast(link: 3, metric: 0)
        device.tell(.routesMayHaveChanged)
        #expect(device.notifications() == [.cellular])
    }

    @Test("A default that only another table has is one")
    func otherTable() {
        var device = Device.base()
        device.unroute(2)
        device.settle()
        device.routes.rules[RouteQuery(destination: ip("1.1.1.1"))] = .unicast(link: 2, metric: 0)
        device.tell(.routesMayHaveChanged)
        #expect(device.notifications() == [.none, .ethernet])
    }

    @Test("A reject route is no path, and its end brings the path back")
    func blackhole() {
        var device = Device.base()
        device.route(nil, metric: 5)
        device.settle()
        #expect(device.model.current?.reason == .rejectRoute)
        device.unroute(nil)
        #expect(device.notifications() == [.none, .ethernet])
    }

    @Test("IPv6 alone is online")
    func ipv6Only() {
        var device = Device.bare()
        device.tell(.link(.working(2, "e0")), .address(.of(2, "2001:db8::2/64")))
        device.route(2, to: "::/0")
        #expect(device.notifications() == [.ethernet])
        #expect(device.model.current?.ipv4 == false)
        #expect(device.model.current?.ipv6 == true)
    }

    @Test("A tentative address is waited for, not given up on")
    func tentative() {
        var device = Device.bare()
        device.tell(.link(.working(2, "e0")), .address(.of(2, "2001:db8::2/64") { $0.isTentative = true }))
        device.route(2, to: "::/0")
        #expect(device.notifications() == [])
        #expect(device.model.current?.reason == .addressTentative)
        device.tell(.address(.of(2, "2001:db8::2/64")))
        #expect(device.notifications() == [.ethernet])
    }

    @Test("A refreshed lifetime is no news")
    func refreshes() {
        var device = Device.base()
        for _ in 0..<100 {
            let isNews = device.model.apply(.address(.of(2, "10.0.0.2/24")))
            #expect(!isNews)
        }
    }

    @Test("A roam is not posted", arguments: [50, 400, 1300])
    func roam(milliseconds: Int64) {
        var device = Device.base("wl0")
        device.tell(.link(.working(2, "wl0") { ($0.carrier, $0.operationalState) = (false, .down) }))
        device.wait(.milliseconds(milliseconds / 2))
        device.tell(.link(.working(2, "wl0") { $0.operationalState = .dormant }))
        device.wait(.milliseconds(milliseconds / 2))
        device.tell(.link(.working(2, "wl0")))
        #expect(device.notifications() == [])
        #expect(device.model.current?.status == .wifi)
        #expect(device.model.current?.held == false)
    }

    @Test("Operational state UNKNOWN is a working one")
    func unknownState() {
        var device = Device.bare()
        device.tell(.link(.tun(2, "ww0")), .address(.of(2, "10.64.0.2/32")))
        device.route(2)
        #expect(device.notifications() == [.cellular])
    }

    @Test("A VPN does not hide a dead uplink", arguments: [true, false])
    func deadUplink(administrativelyUp: Bool) {
        var device = Device.base("ww0")
        device.tell(.link(.tun(3, "tun0")), .address(.of(3, "10.8.0.2/24")))
        device.route(3, to: "0.0.0.0/1")
        device.route(3, to: "128.0.0.0/1")
        #expect(device.notifications() == [])
        #expect(device.model.current?.tunnel == "tun0")
        if !administrativelyUp { device.routes.routes.removeAll { $0.link == 2 } }
        device.tell(
            .link(.working(2, "ww0") { ($0.administrativelyUp, $0.carrier) = (administrativelyUp, false) }))
        #expect(device.notifications() == [.none])
        #expect(device.model.current?.reason == .uplinkDown)
    }

    @Test("A port that leaves its bridge is still a link")
    func leavesBridge() {
        var device = Device.base()
        device.tell(.link(.working(9, "v0") { $0.controllerIndex = 10 }))
        device.tell(.link(.working(9, "v0")))
        #expect(device.model.network.link(9) != nil)
        #expect(device.notifications() == [])
    }

    @Test("What was lost in an overrun is posted after the resync")
    func overrun() {
        var device = Device.base()
        device.routes.routes = []
        device.model.replaceNetwork(device.model.network)
        device.tell()
        device.settle()
        device.route(2)
        #expect(device.notifications() == [.none, .ethernet])
    }

    @Test("Started offline, it says so")
    func startedOffline() {
        let device = Device.bare()
        #expect(device.model.current?.judgement == Judgement(reason: .noLink))
        #expect(device.model.current?.sequence == 1)
    }
}
