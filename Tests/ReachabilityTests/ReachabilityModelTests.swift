import Reachability
import Testing

@Suite("The model: facts and moments in, changes out")
struct ReachabilityModelTests {
    /// A model that has judged a working Wi-Fi link (2), and the routes of it.
    static func online(_ settings: ReachabilitySettings = ReachabilitySettings()) -> (
        ReachabilityModel, Routes
    ) {
        var model = ReachabilityModel(settings: settings)
        var routes = Routes()
        routes.routes = [Routes.Route(prefix: prefix("0.0.0.0/0"), metric: 0, link: 2)]
        model.apply(.link(.working(2, "wlan0")))
        model.apply(.address(.of(2, "10.0.0.2/24")))
        _ = model.judge(at: .zero, lookup: &routes)
        return (model, routes)
    }

    @Test("Nothing is known before the first judgement, and it is posted whatever it is")
    func first() {
        var model = ReachabilityModel(settings: ReachabilitySettings())
        var routes = Routes()
        #expect(model.current == nil)
        #expect(model.raw == nil)
        #expect(model.deadline == nil)
        let changes = model.judge(at: .zero, lookup: &routes)
        let state = ReachabilityState(
            judgement: Judgement(reason: .noLink), held: false, sequence: 1, since: .zero)
        #expect(changes == [.posted(state)])
        #expect(model.current == state)
    }

    @Test("Raw is ahead of what is posted while a hold runs")
    func rawIsUnheld() {
        var (model, routes) = Self.online()
        model.apply(.link(.working(2, "wlan0") { $0.carrier = false }))
        _ = model.judge(at: Instant(microseconds: 1), lookup: &routes)
        #expect(model.raw?.reachable == false)
        #expect(model.current?.reachable == true)
        #expect(model.current?.held == true)
        #expect(model.current?.interface == "wlan0")
        #expect(model.deadline == Instant(microseconds: 1_500_001))
        let changes = model.timerFired(at: Instant(microseconds: 1_500_001))
        #expect(changes.count == 1)
        #expect(model.current?.reachable == false)
        #expect(model.current?.held == false)
        #expect(model.deadline == nil)
    }

    @Test("A fact alone changes no state before the network is judged")
    func factAlone() {
        var (model, _) = Self.online()
        let before = model.current
        let isNews = model.apply(.linkGone(index: 2))
        #expect(isNews)
        #expect(model.current == before)
        let isNewsAgain = model.apply(.linkGone(index: 2))
        #expect(!isNewsAgain)
    }

    @Test("A resync to the same network says nothing")
    func resync() {
        var (model, routes) = Self.online()
        var network = Network()
        _ = network.apply(.address(.of(2, "10.0.0.2/24")))
        _ = network.apply(.link(.working(2, "wlan0")))
        #expect(network == model.network)
        model.replaceNetwork(network)
        let changes = model.judge(at: Instant(microseconds: 9), lookup: &routes)
        #expect(changes == [])
    }

    @Test("A resync posts what has become different")
    func resyncWithDifference() {
        var (model, routes) = Self.online()
        model.replaceNetwork(Network())
        _ = model.judge(at: Instant(microseconds: 5), lookup: &routes)
        _ = model.timerFired(at: Instant(microseconds: 1_500_005))
        #expect(model.current?.judgement == Judgement(reason: .noLink))
    }

    @Test("New rules for links come into force with the next judgement")
    func configureRules() {
        var (model, routes) = Self.online()
        model.configure(ReachabilitySettings(linkRules: [LinkRule(pattern: "wlan0", metered: true)]))
        #expect(model.current?.expensive == false)
        let changes = model.judge(at: Instant(microseconds: 5), lookup: &routes)
        #expect(changes.count == 1)
        #expect(model.current?.expensive == true)
        #expect(model.current?.sequence == 2)
    }

    @Test("Shorter holds in the middle of one move its deadline")
    func configureHolds() {
        var (model, routes) = Self.online()
        model.apply(.linkGone(index: 2))
        _ = model.judge(at: Instant(microseconds: 1_000_000), lookup: &routes)
        model.configure(ReachabilitySettings(lossHold: .zero))
        #expect(model.deadline == Instant(microseconds: 1_000_000))
        let changes = model.timerFired(at: Instant(microseconds: 1_200_000))
        #expect(changes.count == 1)
        #expect(model.current?.since == Instant(microseconds: 1_200_000))
    }
}
