import Configuration
import Testing

import struct Simulation.SeededGenerator

@testable import AdslotService

/// All tests that read INI files, one after the other: libinih keeps its switches for the whole process.
@Suite("Configuration files", .serialized)
enum ConfigurationFileTests {}

extension ConfigurationFileTests {
    @Suite("The form of a file")
    struct IniFileTests {
        /// What a file holds, an entry a line: `LINE [SECTION]` or `LINE [SECTION] KEY=VALUE`.
        private func entries(_ text: String) throws -> [String] {
            try entries(Array(text.utf8))
        }

        private func entries(_ bytes: [UInt8]) throws -> [String] {
            var entries: [String] = []
            do throws(IniFile.Fault) {
                try IniFile.read(bytes) { entry, line throws(ConfigurationFault) in
                    switch entry {
                    case .section(let section): entries.append("\(line) [\(section)]")
                    case .assignment(let section, let key, let value):
                        entries.append("\(line) [\(section)] \(key)=\(value)")
                    }
                }
            } catch {
                entries.append("\(error.line): \(error.message)")
            }
            return entries
        }

        @Test("Sections and keys come in order with the number of their line")
        func order() throws {
            let text = """
                # a comment

                [Reachability]
                LossHold=2s
                  GainHold = 1s

                [Slot lobby]
                [Slot hall]
                Sizes = 320x50 300x50
                """
            #expect(
                try entries(text) == [
                    "3 [Reachability]", "4 [Reachability] LossHold=2s", "5 [Reachability] GainHold=1s",
                    "7 [Slot lobby]", "8 [Slot hall]", "9 [Slot hall] Sizes=320x50 300x50",
                ])
        }

        @Test(
            "A file without any entry is fine",
            arguments: [
                "", "\n", "\r\n", "\n\n\n", "# only\n; comments", "   \n\t\n", "\u{FEFF}", "\u{FEFF}\n",
            ])
        func empty(text: String) throws {
            #expect(try entries(text) == [])
        }

        @Test(
            "A comment begins with # or ; at the beginning of the line, or behind white space",
            arguments: [
                ("[A]\nk=v # c", "v"), ("[A]\nk=v ; c", "v"), ("[A]\nk=v\t# c", "v"), ("[A]\nk=v#c", "v#c"),
                ("[A]\nk=v;c", "v;c"), ("[A]\nk=#c", "#c"), ("[A]\nk= #c", ""), ("[A]\nk=a#b # c", "a#b"),
                ("[A]\nk=a; b", "a; b"), ("[A]\nk=", ""), ("[A]\nk=   ", ""), ("[A] # c\nk=v", "v"),
                ("[A]\t;c]\nk=v", "v"), ("[A] # see [B]\nk=v", "v"), ("#[B]\n[A]\n;k=w\n  # k=w\nk=v", "v"),
                ("[A]\nk=x=y:z", "x=y:z"), ("[A]\nk=::1", "::1"), ("[A]\nk=\"v\"", "\"v\""),
                ("[A]\nk=v \t ", "v"),
                ("[A]\nk=ä ö", "ä ö"),
            ])
        func comments(text: String, value: String) throws {
            #expect(try entries(text).last?.split(separator: " ", maxSplits: 1).last == "[A] k=\(value)")
        }

        @Test("Lines may end in the manner of DOS, and the last in none at all")
        func lineEnds() throws {
            #expect(
                try entries("[A]\r\nk=v\r\n\r\n[B]\r\nk=w") == ["1 [A]", "2 [A] k=v", "4 [B]", "5 [B] k=w"])
        }

        @Test("A byte order mark is no part of the first line", arguments: ["[A]\nk=v\n", "[A]", "# c\n[A]"])
        func byteOrderMark(text: String) throws {
            #expect(try entries("\u{FEFF}" + text) == entries(text))
            #expect(try entries(text + "\n\u{FEFF}[B]").last?.contains("expected [Section]") == true)
        }

        @Test(
            "The name of a section is what its brackets hold, with white space counted once",
            arguments: [
                ("[Slot lobby]", "Slot lobby"), ("  [Slot lobby]  ", "Slot lobby"),
                ("[ Slot \t lobby ]", "Slot lobby"),
                ("[Link wl[ab]*]", "Link wl[ab]*"), ("[Link [!e]*] # not ethernet", "Link [!e]*"),
                ("[Link a#b]", "Link a#b"), ("[]", ""), ("[Link ü]", "Link ü"),
            ])
        func sectionNames(line: String, name: String) throws {
            #expect(try entries(line) == ["1 [\(name)]"])
            guard !name.isEmpty else { return }
            #expect(try entries(line + "\nk=v") == ["1 [\(name)]", "2 [\(name)] k=v"])
        }

        @Test(
            "What is neither section, key nor comment is refused with its line",
            arguments: [
                ("[A]\n\nno equals sign", "3: expected [Section], Key=value or a comment"),
                ("[A]\nk ;=v", "2: expected [Section], Key=value or a comment"),
                ("[A]\n]", "2: expected [Section], Key=value or a comment"),
                ("[A]\n[Slot lobby", "2: the section's header has no ']' at its end"),
                ("[Slot #]", "1: the section's header has no ']' at its end"),
                ("[Slot a] Placement=top", "1: there is more than a comment behind the section's header"),
                ("[Slot a]# c", "1: there is more than a comment behind the section's header"),
                ("k=v", "1: 'k=' stands before the first [Section]"),
                ("\n# c\n k = v", "3: 'k=' stands before the first [Section]"),
            ])
        func faults(text: String, fault: String) throws {
            #expect(try entries(text).last == fault)
        }

        @Test("Nothing is read behind the first fault")
        func firstFault() throws {
            #expect(try entries("[A]\nbad\n[B]\nk=v\nworse").count == 2)
        }

        @Test("A line is at most 4,094 bytes long, whatever it holds")
        func longLines() throws {
            let room = Limits.configurationLineBytesMax - 2
            let value = String(repeating: "v", count: room - 2)
            #expect(try entries("[A]\nk=" + value + "\nl=w") == ["1 [A]", "2 [A] k=" + value, "3 [A] l=w"])
            #expect(
                try entries("[A]\nk=" + value + "v\nl=w").last == "2: the line is longer than \(room) bytes")
            let comment = "#" + String(repeating: "c", count: room)
            #expect(try entries("[A]\n" + comment).last == "2: the line is longer than \(room) bytes")
        }

        @Test("A long name is refused, not cut")
        func longNames() throws {
            let name = String(repeating: "n", count: Limits.sectionBytesMax)
            #expect(try entries("[\(name)]\nk=v").last == "2 [\(name)] k=v")
            #expect(try entries("[\(name)n]").last == "1: the section's name is longer than 49 bytes")
            let key = String(repeating: "k", count: Limits.keyBytesMax)
            #expect(try entries("[A]\n\(key)=v").last == "2 [A] \(key)=v")
            #expect(try entries("[A]\n\(key)k=v").last == "2: the key is longer than 49 bytes")
        }

        @Test("What is no text is refused with its line")
        func noText() throws {
            for bytes in [[0x00], [0xFF], [0xC3], [0xC3, 0x28], [0xED, 0xA0, 0x80]] as [[UInt8]] {
                #expect(try entries(Array("[A]\nk=a".utf8) + bytes).last == "2: the line is not UTF-8 text")
                #expect(
                    try entries(Array("[A]\n#".utf8) + bytes + Array("\nk=v".utf8)).last
                        == "2: the line is not UTF-8 text")
            }
        }

        @Test("Any bytes are read or refused, never more", arguments: [UInt64(1), 2, 3, 4])
        func anyBytes(seed: UInt64) throws {
            var generator = SeededGenerator(seed: seed)
            let pieces: [[UInt8]] =
                ["[", "]", "=", ":", "#", ";", " ", "\t", "\n", "\r", "\u{0B}", "a", "Slot", "ü", "\""]
                .map { Array($0.utf8) } + [[0], [0xFF], [0xEF, 0xBB, 0xBF]]
            for _ in 0..<5_000 {
                let count = Int.random(in: 0...20, using: &generator)
                let bytes = (0..<count).flatMap { _ in pieces.randomElement(using: &generator) ?? [] }
                let lines = 1 + bytes.count { $0 == UInt8(ascii: "\n") }
                var last = 0
                for entry in try entries(bytes) {
                    let line = try #require(Int(entry.prefix { $0.isNumber }))
                    #expect((1...lines).contains(line) && line >= last, "\(bytes)")
                    last = line
                }
            }
        }
    }
}
