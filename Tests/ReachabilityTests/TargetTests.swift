import Reachability
import Testing

@Suite("A target is judged by the same rule")
struct TargetTests {
    @Test("A host's addresses are judged as the internet's are; without them there is nothing to judge")
    func targets() {
        var world = World()
        world.add(.working(2, "eth0"), "10.0.0.2/24", "2001:db8::2/64")
        world.add(.working(3, "wlan0"), "10.0.1.2/24")
        world.route("0.0.0.0/0", 2)
        world.route("192.0.2.0/24", 3)
        world.route("198.51.100.0/24", nil)
        func judge(_ target: Target) -> Judgement {
            Reachability.judge(
                world.network, target: target, settings: world.settings, lookup: &world.routes)
        }
        #expect(judge(.internet) == world.judge())
        #expect(judge(.resolved([ip("192.0.2.7")])).status == .wifi)
        #expect(judge(.resolved([ip("198.51.100.7")])).reason == .rejectRoute)
        #expect(judge(.resolved([ip("2001:db8:1::1")])).reason == .noRoute)
        #expect(judge(.unresolved) == Judgement(reason: .unresolved))
        world.routes = Routes()
        #expect(judge(.unresolved) == Judgement(reason: .unresolved))
    }

    @Test("Where only loopback exists, that says more than that nothing could be resolved")
    func noLink() {
        var world = World()
        let judgement = judge(
            world.network, target: .unresolved, settings: world.settings, lookup: &world.routes)
        #expect(judgement == Judgement(reason: .noLink))
        #expect(world.routes.asked == [])
    }

    @Test(
        "What the model aims at before anything is resolved",
        arguments: [
            (nil, .internet), (.address(ip("192.0.2.1")), .resolved([ip("192.0.2.1")])),
            (.name("a.test"), nil),
        ] as [(Host?, Target?)])
    func initialTarget(host: Host?, target: Target?) {
        #expect(ReachabilityModel(settings: ReachabilitySettings(targetHost: host)).target == target)
    }

    @Test("Nothing is posted before the target is known; then at once, without a hold")
    func firstState() {
        var (model, routes) = Self.model()
        #expect(model.judge(at: .zero, lookup: &routes) == [])
        #expect(model.current == nil)
        #expect(model.raw == nil)
        model.target = .resolved([ip("192.0.2.1")])
        #expect(model.judge(at: .at(300), lookup: &routes).count == 1)
        #expect(model.current?.status == .wifi)
        #expect(model.current?.sequence == 1)
    }

    @Test("A name lost and found is held like any other loss and gain")
    func holds() {
        var (model, routes) = Self.model()
        model.target = .unresolved
        _ = model.judge(at: .zero, lookup: &routes)
        #expect(model.current?.judgement == Judgement(reason: .unresolved))
        model.target = .resolved([ip("192.0.2.1")])
        _ = model.judge(at: .at(1000), lookup: &routes)
        #expect(model.deadline == .at(1250))
        _ = model.timerFired(at: .at(1250))
        #expect(model.current?.reachable == true)
        model.target = .unresolved
        _ = model.judge(at: .at(5000), lookup: &routes)
        #expect(model.raw?.reachable == false)
        #expect(model.current?.held == true)
        #expect(model.deadline == .at(6500))
        _ = model.timerFired(at: .at(6500))
        #expect(model.current?.reason == .unresolved)
        #expect(model.current?.sequence == 3)
    }

    @Test("While the addresses of another host are awaited, a running hold still runs out")
    func holdWithoutTarget() {
        var (model, routes) = Self.model()
        model.target = .resolved([ip("192.0.2.1")])
        _ = model.judge(at: .zero, lookup: &routes)
        model.apply(.linkGone(index: 2))
        _ = model.judge(at: .at(1000), lookup: &routes)
        model.target = nil
        #expect(model.judge(at: .at(2600), lookup: &routes).count == 1)
        #expect(model.current?.reachable == false)
    }

    /// A model of a host by name on a working Wi-Fi link (2), and the routes of it.
    static func model() -> (ReachabilityModel, Routes) {
        var model = ReachabilityModel(settings: ReachabilitySettings(targetHost: .name("a.test")))
        var routes = Routes()
        routes.routes = [Routes.Route(prefix: prefix("0.0.0.0/0"), metric: 0, link: 2)]
        model.apply(.link(.working(2, "wlan0")))
        model.apply(.address(.of(2, "10.0.0.2/24")))
        return (model, routes)
    }
}
