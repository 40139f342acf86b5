import Simulation
import Testing

/// What the runs of a few lines come to.
@Suite("Claims")
struct ExpectationTests {
    /// The failures of a scenario whose device has a usable Wi-Fi link.
    private func failures(_ lines: String) throws -> [String] {
        let start = """
            0s link wlan0 index=3 kind=wifi up carrier
            0s address wlan0 192.0.2.10/24
            0s route default dev=wlan0

            """
        var run = try ScenarioRun(Scenario(parsing: start + lines))
        return run.run().failures.map(\.description)
    }

    @Test(
        "A claim that does not hold names the line, what was expected and what was found",
        arguments: [
            ("1s expect reachability cellular", "4: expected reachability cellular, found wifi"),
            ("1s expect reachability wifi reachable=no", "4: expected reachable no, found yes"),
            (
                "1s expect reachability wifi connectionRequired=yes",
                "4: expected connectionRequired yes, found no"
            ),
            ("1s expect reachability wifi reason=dormant", "4: expected reason dormant, found usable"),
            ("1s expect notifications 3", "4: expected notifications 3, found 0"),
            ("1s expect slot banner shown", "4: expected slot banner shown, found detached"),
            ("1s expect slot lobby shown", "4: expected slot lobby, found no such slot"),
            ("1s expect shown banner 320x50", "4: expected shown banner 320x50, found nothing"),
            ("1s expect requests banner 1", "4: expected requests banner 1, found 0"),
            ("1s expect impressions banner 1", "4: expected impressions banner 1, found 0"),
            ("1s begin banner as=a\n1s expect allowed a", "5: expected a allowed, found refused (notShown)"),
            (
                "1s begin banner as=a\n1s expect refused a reason=unreachable",
                "5: expected a refused (unreachable), found refused (notShown)"
            ),
            ("1s attach banner 400x800 as=a\n1s expect refused a", "5: expected a refused, found allowed"),
            (
                "1s attach banner 400x800\n2s expect blank banner",
                "5: expected screen of banner nothing, found 320x50"
            ),
            (
                "1s attach banner 400x800\n2s expect slot banner shown source=house",
                "5: expected source of banner house, found test"
            ),
            (
                "1s attach banner 400x800\n2s expect slot banner shown reason=refreshing",
                "5: expected reason of banner refreshing, found filled"
            ),
            (
                "1s work game kind=client\n1s expect work game paused",
                "5: expected work game paused, found running"
            ),
            ("1s visible banner no", "4: expected a host of slot banner, found none"),
            ("1s unlink wlan0\n1s route default dev=wlan0", "5: expected link wlan0, found none"),
        ])
    func claims(lines: String, failure: String) throws {
        #expect(try failures(lines) == [failure])
    }

    @Test("Every claim that fails is said, and the run goes on")
    func several() throws {
        let found = try failures("1s expect requests banner 1\n2s expect requests banner 2\n")
        #expect(found.count == 2)
    }

    @Test("Lines of one moment about the network are one burst: what comes back within it is not seen")
    func burst() throws {
        let lines = """
            5s set Reachability.LossHold=0s
            """
        #expect(throws: ScenarioError.self) { try failures(lines) }
        let burst = """
            0s set Reachability.LossHold=0s
            0s set Reachability.GainHold=0s
            0s link wlan0 index=3 kind=wifi up carrier
            0s address wlan0 192.0.2.10/24
            0s route default dev=wlan0
            5s unroute default
            5s route default dev=wlan0 metric=5
            6s expect notifications 0
            7s unroute default
            7s expect notifications 1
            """
        var run = try ScenarioRun(Scenario(parsing: burst))
        #expect(run.run().failures == [])
    }
}
