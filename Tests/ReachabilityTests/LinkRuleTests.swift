import Reachability
import Testing

@Suite("[Link PATTERN] rules")
struct LinkRuleTests {
    @Test(
        "A pattern suits the whole of a name",
        arguments: [
            ("wl*", "wlan0", true), ("wl*", "wl", true), ("wl*", "awl0", false), ("*", "", true),
            ("", "", true),
            ("", "a", false), ("eth0", "eth0", true), ("eth0", "eth00", false), ("eth?", "eth0", true),
            ("eth?", "eth", false), ("eth?", "eth10", false), ("*0", "eth0", true), ("*0", "eth01", false),
            ("e*h*0", "eth0", true), ("e*h*0", "ehh10", true), ("e*h*0", "et0", false),
            ("*a*b*c", "xaxbxbc", true),
            ("**", "x", true), ("eth[01]", "eth1", true), ("eth[01]", "eth2", false),
            ("eth[0-3]", "eth3", true),
            ("eth[0-3]", "eth4", false), ("eth[!0]", "eth1", true), ("eth[!0]", "eth0", false),
            ("eth[!0-3x]", "ethx", false), ("eth[!0-3x]", "eth7", true), ("[]]", "]", true),
            ("[!]]", "a", true),
            ("[!]]", "]", false), ("[a-]", "-", true), ("[a-]", "a", true), ("[-a]", "-", true),
            ("[z-a]", "m", false),
            ("[", "[", true), ("[ab", "[ab", true), ("[!", "[!", true), ("a[", "a[", true),
            ("*[0-9]*x", "a1bx", true),
            ("[]", "[]", true), ("é?", "éx", true),
        ])
    func patterns(pattern: String, name: String, matches: Bool) {
        #expect(LinkRule(pattern: pattern).matches(name) == matches)
    }

    @Test("A pattern of many stars ends soon")
    func manyStars() {
        let pattern = String(repeating: "*a", count: 200) + "b"
        #expect(!LinkRule(pattern: pattern).matches(String(repeating: "a", count: 2000)))
    }

    @Test("The first rule that matches and sets a key wins for that key")
    func firstWins() {
        var settings = ReachabilitySettings()
        settings.linkRules = [
            LinkRule(pattern: "usb1", metered: false),
            LinkRule(pattern: "usb*", onDemand: true),
            LinkRule(pattern: "usb*", kind: .cellular, metered: true, onDemand: false),
            LinkRule(pattern: "*", kind: .other),
        ]
        let links = ["usb0", "usb1", "eth0"].map { Link(index: 2, name: $0) }
        #expect(
            links.map { Network().classify($0, rules: settings.linkRules).kind } == [
                .cellular, .cellular, .other,
            ])
        #expect(links.map { settings.isOnDemand($0) } == [true, true, false])
        #expect(links.map { settings.isMetered($0, kind: .ethernet) } == [true, false, false])
    }

    @Test("Cellular is metered whatever the rules say")
    func cellularIsMetered() {
        var settings = ReachabilitySettings()
        settings.linkRules = [LinkRule(pattern: "*", metered: false)]
        #expect(settings.isMetered(Link(index: 2, name: "wwan0"), kind: .cellular))
    }
}
