import AdSlots
import Reachability
import Testing

@testable import Simulation

@Suite("Scenario files")
struct ParserTests {
    /// The error of a text that is no scenario.
    private func error(_ text: String) -> String {
        do {
            _ = try ScenarioRun(Scenario(parsing: text))
            return "none"
        } catch {
            return "\(error)"
        }
    }

    @Test("Times are absolute or follow the line before, comments and blank lines are skipped")
    func times() throws {
        let scenario = try Scenario(
            parsing:
                "\u{FEFF}# a comment\n\n0s overrun # another\n  +250ms\tcrash \r\n3h overrun\n+2s overrun\n")
        #expect(scenario.steps.map(\.at.microseconds) == [0, 250_000, 10_800_000_000, 10_802_000_000])
        #expect(scenario.steps.map(\.line) == [3, 4, 5, 6])
    }

    @Test("What a file gets wrong is said with its line")
    func errors() {
        let cases: [(String, String)] = [
            ("12 apples", "1: unknown step 'apples'"),
            ("\nnow crash", "2: the time takes a time such as 250ms, 12.5s or 3h, not 'now'"),
            ("2s crash\n1s crash", "2: the time 1s comes before that of the step before, 2s"),
            ("1s", "1: what happens is missing"),
            ("1s crash twice", "1: 'twice' does not belong here"),
            ("1s link eth0 up", "1: index= is missing for the new link 'eth0'"),
            ("1s link eth0 index=0", "1: index= takes a number above 0, not '0'"),
            ("1s link eth0 index=2 up down", "1: up and down exclude each other"),
            (
                "1s link eth0 index=2 kind=other",
                "1: kind= takes one of ethernet, wifi, cellular, tunnel, bridge, loopback, not 'other'"
            ),
            ("1s address eth0 192.0.2.1/24", "1: no line before names the link 'eth0'"),
            (
                "1s link eth0 index=2\n1s address eth0 192.0.2.1",
                "2: an address such as 192.0.2.7/24 is needed, not '192.0.2.1'"
            ),
            ("1s route 0.0.0.0/0", "1: dev= is missing for a unicast route"),
            (
                "1s route 0.0.0.0/33 type=blackhole",
                "1: a prefix such as 0.0.0.0/0 is needed, not '0.0.0.0/33'"
            ),
            ("1s attach banner 400", "1: viewport takes a size such as 320x50, not '400'"),
            ("1s visible banner maybe", "1: visible takes yes or no, not 'maybe'"),
            (
                "1s source test sometimes",
                "1: a source's answer is one of ok, nofill, serverFailure, timeout, not 'sometimes'"
            ),
            ("1s work game ack=0ms", "1: kind= is missing"),
            ("1s work game kind=client ack=", "1: ack= has no value"),
            ("1s unwork game", "1: no line before names the work 'game'"),
            ("1s finish click", "1: no line before names the label 'click'"),
            ("1s expect happiness", "1: 'happiness' is nothing that can be expected"),
            (
                "1s expect slot banner gone",
                "1: state takes one of detached, waiting, loading, shown, hidden, acting, not 'gone'"
            ),
            ("1s expect requests banner many", "1: requests takes a count, not 'many'"),
            ("1s crash\n1s set Actions.PauseTimeout=1s", "2: set comes before the first other step"),
            ("0s set PauseTimeout=1s", "1: set takes Section.Key=VALUE, as in Reachability.LossHold=1s"),
            (
                "0s set Slot.banner.RefreshInterval=1s",
                "1: RefreshInterval=: '1s' is out of range: it can be 30s to 7d"
            ),
            ("0s set Slot.banner.Sources=none", "1: Slot banner: source 'none' has no [Source none] section"),
            (
                "0s set Reachability.Target=example.com",
                "1: Target=: nobody resolves names in a scenario; give an address"
            ),
        ]
        for (text, message) in cases { #expect(error(text) == message, "\(text)") }
    }

    @Test("Settings may hold spaces, and the names of their sections dots")
    func settings() throws {
        let scenario = try Scenario(
            parsing: "0s set Slot.a.b.Sizes = 320x50 300x50 \n0s set Link.wl*.Kind=cellular\n")
        #expect(
            scenario.steps.map(\.action) == [
                .set(section: "Slot a.b", key: "Sizes ", value: " 320x50 300x50"),
                .set(section: "Link wl*", key: "Kind", value: "cellular"),
            ])
    }

    @Test("Written and read again a scenario is the same", arguments: 1...20 as ClosedRange<UInt64>)
    func roundTrip(seed: UInt64) throws {
        let scenario = Scenario.random(seed: seed)
        #expect(try Scenario(parsing: scenario.text) == scenario)
    }

    @Test("Every claim is written as it is read")
    func claims() throws {
        let text = """
            0s link wlan0 index=3 kind=wifi up nocarrier oper=DORMANT ondemand
            0s link tun0 index=4 under=wlan0
            0s address wlan0 2001:db8::1/64 tentative
            0s route ::/0 dev=wlan0 via=fe80::1 metric=600 type=unicast
            0s route 192.0.2.0/24 metric=0 type=prohibit
            0s unroute ::/0 dev=wlan0 metric=600
            0s attach banner 400x800 hidden host=kiosk as=first
            0s work game kind=unit ack=veto
            0s begin banner as=click leaves
            0s finish click
            0s expect reachability none reachable=no connectionRequired=no reason=noLink
            0s expect notifications 0
            0s expect slot banner waiting source=test reason=unreachable
            0s expect shown banner 320x50
            0s expect blank banner
            0s expect work game resuming
            0s expect requests banner 1
            0s expect impressions banner 2
            0s expect allowed first
            0s expect refused click reason=notShown

            """
        #expect(try Scenario(parsing: text).text == text)
    }
}
