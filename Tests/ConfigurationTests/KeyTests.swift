import Testing

@testable import Configuration

@Suite("Keys")
struct KeyTests {
    @Test("What is not set has its default", arguments: allKeys)
    func defaults(_ key: KeyCase) throws {
        #expect(key.read(try configuration(sections: key.section)) == key.defaultText)
    }

    @Test("A good value is taken", arguments: allKeys)
    func accepts(_ key: KeyCase) throws {
        for (value, expected) in key.accepted {
            let made = try configuration(Setting(key.section, key.key, value))
            #expect(key.read(made) == expected, "\(key)\(value)")
        }
    }

    @Test(
        "The later value replaces the earlier, and an empty one brings the default back", arguments: allKeys)
    func replaces(_ key: KeyCase) throws {
        for value in key.accepted.keys {
            let made = try configuration(
                Setting(key.section, key.key, value), Setting(key.section, key.key, ""))
            #expect(key.read(made) == key.defaultText, "\(key)\(value)")
            for (next, expected) in key.accepted {
                let made = try configuration(
                    Setting(key.section, key.key, value), Setting(key.section, key.key, next))
                #expect(key.read(made) == expected, "\(key)\(next)")
            }
        }
    }

    @Test("A bad value is refused in a sentence that names the key and what was expected", arguments: allKeys)
    func refuses(_ key: KeyCase) throws {
        for (value, words) in key.refused {
            let sentence = try #require(refusal(key.section, key.key, value), "\(key)\(value) was taken")
            #expect(sentence.hasPrefix("\(key.key)=: "), "\(sentence)")
            #expect(sentence.contains(words), "\(key)\(value): \(sentence)")
        }
    }

    @Test(
        "An unknown key is refused with the names of the known ones",
        arguments: [
            "Reachability", "Link wl*", "Slot banner", "Actions", "Access", "Source test", "Ledger",
            "Creatives",
        ])
    func unknownKey(section: String) throws {
        let known = allKeys.filter { $0.section == section }.map(\.key)
        for wrong in ["Colour", "", known[0].lowercased(), known[0] + " "] {
            let sentence = try #require(refusal(section, wrong, "1"))
            #expect(sentence == "\(wrong)=: unknown key; known here are \(known.joined(separator: ", "))")
        }
    }
}
