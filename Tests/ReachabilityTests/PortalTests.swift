import Testing

@testable import Reachability

/// A network and a server over time, and what comes of them. The first state is always posted at 0.
struct PortalCase: Sendable, CustomTestStringConvertible {
    typealias Server = @Sendable (_ milliseconds: Int64) -> (after: Int64, ConnectivityAnswer)?

    var testDescription: String
    var events: [(Int64, PortalRig.Event)]
    var server: Server
    var end: Int64
    /// When it is asked, in milliseconds.
    var asked: [Int64]
    /// What is posted after the first state.
    var posted: [PortalRig.Posted]
    var captivePortal: Bool?

    init(
        _ description: String, _ events: [(Int64, PortalRig.Event)] = [], until end: Int64,
        asked: [Int64], posted: [PortalRig.Posted] = [], captivePortal: Bool?, server: @escaping Server
    ) {
        testDescription = description
        self.events = events
        self.server = server
        self.end = end
        self.asked = asked
        self.posted = posted
        self.captivePortal = captivePortal
    }
}

private typealias Posted = PortalRig.Posted

@Suite("Captive portals")
struct PortalTests {
    static let cases: [PortalCase] = [
        PortalCase(
            "without a portal it is asked at once and then at the interval, and nothing is posted",
            until: 600_200, asked: [0, 300_100, 600_200], captivePortal: false
        ) { _ in (100, .open) },
        PortalCase(
            "a portal is a loss, held as one", until: 2_000, asked: [0],
            posted: [Posted(1_600, false, .captivePortal)], captivePortal: true
        ) { _ in (100, .portal) },
        PortalCase(
            "behind a portal it is asked after 10 s, 20 s and so on up to the interval", until: 1_300_000,
            asked: [0, 10_100, 30_200, 70_300, 150_400, 310_500, 610_600, 910_700, 1_210_800],
            posted: [Posted(1_600, false, .captivePortal)], captivePortal: true
        ) { _ in (100, .portal) },
        PortalCase(
            "a portal that opens is a gain, held as one, and then the interval counts", until: 400_000,
            asked: [0, 10_100, 30_200, 330_300],
            posted: [Posted(1_600, false, .captivePortal), Posted(30_550, true, .usable)],
            captivePortal: false
        ) { $0 < 20_000 ? (100, .portal) : (100, .open) },
        PortalCase(
            "a portal that closes again is noticed at the interval", until: 303_000, asked: [0, 300_100],
            posted: [Posted(301_700, false, .captivePortal)], captivePortal: true
        ) { $0 < 20_000 ? (100, .open) : (100, .portal) },
        PortalCase(
            "a portal that opens within the loss's hold has never been",
            [(200, .configure(ConnectivitySettings(url: "http://other.example/")))], until: 5_000,
            asked: [0, 1_000], captivePortal: false
        ) { $0 < 200 ? (100, .portal) : (100, .open) },
        PortalCase(
            "each gain is asked about, and a gain that is found captive within its hold is never posted",
            [(5_000, .wifi(false)), (8_000, .wifi(true))], until: 9_000, asked: [0, 8_000],
            posted: [Posted(6_500, false, .noCarrier), Posted(8_350, false, .captivePortal)],
            captivePortal: true
        ) { $0 < 1_000 ? (100, .open) : (100, .portal) },
        PortalCase(
            "a gain does not wait for a slow answer",
            [(5_000, .wifi(false)), (8_000, .wifi(true))], until: 12_000, asked: [0, 8_000],
            posted: [
                Posted(6_500, false, .noCarrier), Posted(8_250, true, .usable),
                Posted(10_500, false, .captivePortal),
            ], captivePortal: true
        ) { $0 < 1_000 ? (100, .open) : (1_000, .portal) },
        PortalCase(
            "a loss does not wait for the answer either",
            [(50, .wifi(false))], until: 9_000, asked: [0], posted: [Posted(1_550, false, .noCarrier)],
            captivePortal: nil
        ) { _ in nil },
        PortalCase(
            "another egress is another path", [(1_000, .ethernet(true)), (2_000, .ethernet(false))],
            until: 3_000, asked: [0, 1_000, 2_000],
            posted: [Posted(1_000, true, .usable), Posted(2_000, true, .usable)], captivePortal: nil
        ) { _ in (5_000, .portal) },
        PortalCase(
            "a path that comes and goes is asked about once a second",
            (1...40).map { (Int64($0 * 100), .wifi($0 % 2 == 0)) }, until: 4_500,
            asked: [0, 1_000, 2_000, 3_000, 4_000], captivePortal: false
        ) { _ in (50, .open) },
        PortalCase(
            "what changes nothing about the path is not asked about",
            [(1_000, .nothing), (2_000, .metered(true)), (3_000, .nothing)], until: 4_000, asked: [0],
            posted: [Posted(2_000, true, .usable)], captivePortal: false
        ) { _ in (100, .open) },
        PortalCase(
            "an answer that comes after the path has changed is dropped",
            [(1_000, .ethernet(true))], until: 5_900, asked: [0, 1_000],
            posted: [Posted(1_000, true, .usable)], captivePortal: nil
        ) { $0 == 0 ? (4_000, .portal) : nil },
        PortalCase(
            "an answer that comes after its deadline is dropped", until: 14_000, asked: [0],
            captivePortal: nil
        ) { _ in (6_000, .portal) },
        PortalCase(
            "without any answer the kernel's word stands, and it is asked again ever later",
            until: 130_000, asked: [0, 15_000, 40_000, 85_000], captivePortal: nil
        ) { _ in nil },
        PortalCase(
            "one failure leaves a portal standing", until: 40_000, asked: [0, 10_100, 30_100],
            posted: [Posted(1_600, false, .captivePortal)], captivePortal: true
        ) { $0 == 10_100 ? (0, .failed) : (100, .portal) },
        PortalCase(
            "after three failures in a row nobody knows of a portal any more", until: 80_000,
            asked: [0, 10_100, 30_100, 70_100],
            posted: [Posted(1_600, false, .captivePortal), Posted(70_350, true, .usable)], captivePortal: nil
        ) { $0 == 0 ? (100, .portal) : (0, .failed) },
        PortalCase(
            "a failure after a good answer is looked into after 10 s", until: 320_000,
            asked: [0, 300_100, 310_100], captivePortal: false
        ) { $0 == 300_100 ? (0, .failed) : (100, .open) },
        PortalCase(
            "turned off, the check knows nothing and asks nothing",
            [(5_000, .configure(ConnectivitySettings()))], until: 400_000, asked: [0],
            posted: [Posted(1_600, false, .captivePortal), Posted(5_250, true, .usable)], captivePortal: nil
        ) { _ in (100, .portal) },
        PortalCase(
            "another interval alone forgets nothing, and counts from the last answer",
            [(5_000, .configure(ConnectivitySettings(url: "http://check.example/", interval: .seconds(20))))],
            until: 45_000, asked: [0, 20_100, 40_200], captivePortal: false
        ) { _ in (100, .open) },
    ]

    @Test("The rule of portals", arguments: cases)
    func rule(_ example: PortalCase) {
        var rig = PortalRig(server: example.server)
        rig.play(example.events, until: example.end)
        #expect(rig.asked == example.asked)
        #expect(rig.posted.first == Posted(0, true, .usable))
        #expect(Array(rig.posted.dropFirst()) == example.posted)
        #expect(rig.model.raw?.captivePortal == example.captivePortal)
    }

    @Test("Behind a portal the transport is told, nothing is reachable, and a click is refused at once")
    func captiveState() throws {
        var rig = PortalRig { _ in (100, .portal) }
        rig.play([], until: 100)
        #expect(rig.model.raw?.reachable == false)
        #expect(rig.model.current?.reachable == true)
        #expect(rig.model.current?.held == true)
        rig.play([], until: 1_600)
        let state = try #require(rig.model.current)
        #expect(state.status == .wifi && !state.reachable && !state.connectionRequired && state.ipv4)
        #expect(state.interface == "wlan0")
        #expect(state.captivePortal == true)
        #expect(state.reason == .captivePortal)
    }

    @Test("A good answer is a detail, not a notification")
    func openIsDetail() throws {
        var rig = PortalRig { _ in (100, .open) }
        #expect(rig.model.current?.captivePortal == nil)
        rig.play([], until: 100)
        #expect(rig.model.current?.captivePortal == false)
        #expect(rig.changes.count == 2)
        #expect(rig.model.current?.sequence == 1)
    }

    @Test("A question says what is asked, how much of the answer matters, and until when")
    func question() {
        let settings = ConnectivitySettings(
            url: "http://check.example/", status: 200, text: "online", timeout: .seconds(2))
        var rig = PortalRig(settings) { _ in nil }
        #expect(
            rig.model.question
                == ConnectivityQuestion(
                    number: 1, url: "http://check.example/", bodyBytes: 6, deadline: .at(2_000)))
        rig.play([], until: 2_000)
        #expect(rig.model.question == nil)
        #expect(rig.model.deadline == .at(12_000))
    }

    @Test("Without a check nothing is asked, and there is nothing to wait for")
    func off() {
        var rig = PortalRig(ConnectivitySettings()) { _ in (0, .portal) }
        rig.play([(1_000, .ethernet(true))], until: 1_000_000)
        #expect(rig.asked.isEmpty)
        #expect(rig.model.deadline == nil)
        #expect(rig.model.current?.captivePortal == nil)
    }

    static let findings: [(ConnectivitySettings, ConnectivityAnswer, ConnectivityFinding)] = {
        let status = ConnectivitySettings.check
        let text = ConnectivitySettings(url: "http://check.example/", status: 200, text: "online")
        func answer(_ status: Int, _ body: String = "") -> ConnectivityAnswer {
            .response(status: status, body: Array(body.utf8))
        }
        return [
            (status, answer(204), .open), (status, answer(204, "surplus"), .open),
            (status, answer(200, "<html>Log in"), .captive), (status, answer(302), .captive),
            (status, answer(307), .captive), (status, answer(404), .captive), (status, answer(403), .captive),
            (status, answer(511), .captive), (status, answer(500), .unknown), (status, answer(503), .unknown),
            (status, answer(429), .unknown), (status, .failed, .unknown),
            (text, answer(200, "online"), .open), (text, answer(200, "onlin"), .captive),
            (text, answer(200, "<html>Log in"), .captive), (text, answer(200), .captive),
            (text, answer(204), .captive), (text, answer(302, "online"), .captive),
            (ConnectivitySettings(url: "u", status: 503), answer(503), .open),
        ]
    }()

    @Test("What an answer says", arguments: findings)
    func finding(
        _ settings: ConnectivitySettings, _ answer: ConnectivityAnswer, _ expected: ConnectivityFinding
    ) {
        #expect(settings.finding(answer) == expected)
    }

    @Test("A portal that opens and closes is damped like a link that does")
    func damping() {
        // Open and captive in turns, ten seconds each: every loss costs a penalty.
        var rig = PortalRig(
            ConnectivitySettings(url: "http://check.example/", interval: .seconds(10))
        ) { $0 / 10_000 % 2 == 0 ? (0, .open) : (0, .portal) }
        rig.play([], until: 600_000)
        let losses = rig.posted.count { !$0.reachable }
        #expect(losses > 2 && losses <= 30)
    }
}

@Suite("What the system says of the cost")
struct MeteredTests {
    @Test("A metered connection is expensive, at once, as long as it is said and a path is there")
    func metered() throws {
        var rig = PortalRig(ConnectivitySettings()) { _ in nil }
        rig.play([(1_000, .metered(true))], until: 1_000)
        #expect(rig.model.current?.expensive == true)
        #expect(rig.model.current?.since == .at(1_000))
        rig.play([(2_000, .metered(true)), (3_000, .metered(false))], until: 3_000)
        #expect(rig.model.current?.expensive == false)
        #expect(rig.model.current?.sequence == 3)
        rig.play([(4_000, .metered(true)), (5_000, .wifi(false))], until: 8_000)
        #expect(rig.model.current?.reason == .noCarrier)
        #expect(rig.model.current?.expensive == false)
        #expect(rig.posted.map(\.milliseconds) == [0, 1_000, 3_000, 4_000, 6_500])
    }

    @Test("A cellular path is expensive whatever is said")
    func cellular() {
        var (model, routes) = ReachabilityModelTests.online(
            ReachabilitySettings(linkRules: [LinkRule(pattern: "wlan0", kind: .cellular)]))
        #expect(model.current?.expensive == true)
        #expect(model.setMetered(true, at: .at(1)) == [])
        #expect(model.setMetered(false, at: .at(2)) == [])
        #expect(model.judge(at: .at(3), lookup: &routes) == [])
    }

    @Test("What is said before the first judgement counts in it")
    func early() {
        var model = ReachabilityModel(settings: ReachabilitySettings())
        #expect(model.setMetered(true, at: .zero) == [])
        var routes = Routes()
        routes.routes = [Routes.Route(prefix: prefix("0.0.0.0/0"), metric: 0, link: 2)]
        model.apply(.link(.working(2, "wlan0")))
        model.apply(.address(.of(2, "10.0.0.2/24")))
        _ = model.judge(at: .zero, lookup: &routes)
        #expect(model.current?.expensive == true)
        #expect(model.current?.sequence == 1)
    }
}
