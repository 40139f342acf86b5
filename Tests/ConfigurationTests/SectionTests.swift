import AdSlots
import Reachability
import Testing

@testable import Configuration

@Suite("Sections")
struct SectionTests {
    @Test(
        "An unknown section is refused with the names of the known ones",
        arguments: [
            "", " ", "Slots", "slot banner", "Reachability x", "Actions now", "Access x", "Network wl0",
            "a b c",
        ])
    func unknownSection(header: String) throws {
        let sentence = try #require(refusal(header: header))
        let known = "Reachability, Link, Slot, Actions, Access, Source, Ledger, Creatives and Schedule"
        #expect(sentence == "unknown section [\(header)]; known are \(known)")
    }

    @Test("A section of many needs a name", arguments: ["Slot", "Source", "Link", "Slot "])
    func nameless(header: String) throws {
        let sentence = try #require(refusal(header: header))
        #expect(sentence == "section [\(header)] needs a name, as in [\(header) NAME]")
    }

    @Test(
        "A name has 1 to 32 letters, digits, '-', '_' or '.'",
        arguments: [
            ("lobby", true), ("a", true), ("Lobby-2_left.upper", true), ("0", true), (".", true),
            (String(repeating: "n", count: 32), true), (String(repeating: "n", count: 33), false),
            ("a/b", false), ("a:b", false), ("é", false), ("a b", false), ("*", false), ("a\u{7F}", false),
        ])
    func names(name: String, isGood: Bool) {
        for (word, what) in [("Slot", "slot's name"), ("Source", "source's name")] {
            let sentence = refusal(header: "\(word) \(name)")
            if isGood {
                #expect(sentence == nil)
            } else {
                #expect(
                    sentence
                        == "a \(what) has 1 to 32 letters, digits, '-', '_' or '.'; found '\(name)'")
            }
        }
    }

    @Test(
        "White space around the words of a header means nothing", arguments: ["Slot lobby", " Slot   lobby "])
    func headerSpace(header: String) throws {
        #expect(try configuration(sections: header).coordinator.slots.map(\.name) == ["lobby"])
    }

    @Test("A pattern for links is kept as it stands, and one with white space is refused")
    func patterns() throws {
        let made = try configuration(sections: "Link  wl*", "Link ww[ab]?", "Link [!e]*")
        #expect(made.reachability.linkRules.map(\.pattern) == ["wl*", "ww[ab]?", "[!e]*"])
        #expect(refusal(header: "Link wl* ww*") == "a link's name has no spaces; found 'wl* ww*'")
        #expect(refusal(header: "Link wl\t*") == "a link's name has no spaces; found 'wl\t*'")
    }

    @Test("A section without keys makes a slot, a source, a rule")
    func emptySections() throws {
        let made = try configuration(sections: "Slot lobby", "Source test", "Source second", "Link usb0")
        #expect(made.coordinator.slots.map(\.name) == ["lobby"])
        #expect(made.sources.map(\.name) == ["test", "second"])
        #expect(made.reachability.linkRules.map(\.pattern) == ["usb0"])
    }

    @Test("Sections keep the order of their first appearance, and repeated ones merge")
    func merging() throws {
        let made = try configuration(
            Setting("Slot right", "Placement", "top"), Setting("Slot left", "RefreshInterval", "60s"),
            Setting("Slot right", "MinimumView", "2s"), Setting("Link b*", "Metered", "yes"),
            Setting("Link a*", "Metered", "no"), Setting("Link b*", "Kind", "wifi"))
        let slots = made.coordinator.slots
        #expect(slots.map(\.name) == ["right", "left"])
        #expect(slots[0].placement == .top)
        #expect(slots[0].minimumView == .seconds(2))
        #expect(slots[1].placement == .bottom)
        #expect(slots[1].refreshInterval == .seconds(60))
        let rules = made.reachability.linkRules
        #expect(rules.map(\.pattern) == ["b*", "a*"])
        #expect(rules[0].kind == .wifi && rules[0].metered == true && rules[1].kind == nil)
    }

    @Test("More sections than there may be are refused")
    func tooMany() throws {
        var builder = ConfigurationBuilder()
        for number in 0..<Limits.linkRulesMax { try builder.open("Link l\(number)") }
        for number in 0..<Limits.sourcesMax { try builder.open("Source s\(number)") }
        for number in 0..<200 { try builder.open("Slot s\(number)") }
        // Known ones may be named again.
        try builder.open("Link l0")
        try builder.open("Source s0")
        func sentence(_ header: String) -> String? {
            do throws(ConfigurationFault) {
                try builder.open(header)
                return nil
            } catch {
                return error.description
            }
        }
        #expect(sentence("Link more") == "more than 256 [Link] sections")
        #expect(sentence("Source more") == "more than 256 sources")
    }
}
