import AdSlots
import Campaigns
import Configuration
import LinuxSupport
import Reachability
import Testing

@testable import AdslotService

extension ConfigurationFileTests {
    @Suite("Reading files")
    struct ConfigurationFilesTests {
        private let files: TemporaryFiles

        init() throws {
            files = try TemporaryFiles()
        }

        @Test("The example of the contract is read, comments and all")
        func example() throws {
            let path = try files.write(
                "a.conf",
                """
                [Reachability]
                LossHold=1.5s
                LookupAddresses=1.1.1.1 2606:4700:4700::1111

                [Link wl*]                  # by name pattern
                Kind=wifi                   # ethernet, wifi, cellular, tunnel, bridge, other
                Metered=no

                [Slot banner]
                Placement=bottom            # top, bottom
                Sources=test                # in order

                [Source test]
                Kind=test                   ; test, house, openrtb
                Delay=50ms
                """)
            let read = try ConfigurationFiles(named: [path]).read()
            #expect(read.files == [path])
            var expected = Configuration()
            expected.reachability.linkRules = read.configuration.reachability.linkRules
            #expect(read.configuration == expected)
            #expect(read.configuration.reachability.linkRules.map(\.pattern) == ["wl*"])
        }

        @Test(
            "A fault of the meaning is told with its line and the known names",
            arguments: [
                (
                    "\n\n[Slots banner]\n",
                    "a.conf:3: unknown section [Slots banner]; known are Reachability, Link, Slot, Actions, "
                        + "Access, Source, Ledger, Creatives and Schedule"
                ),
                (
                    "[Actions]\n\nPauseTime=1s",
                    "a.conf:3: PauseTime=: unknown key; known here are PauseTimeout, ActionTimeout"
                ),
                (
                    "[Actions]\r\n# c\r\nPauseTimeout=soon\r\n",
                    "a.conf:3: PauseTimeout=: expected a time such as 250ms, 30s, 5min or 2h, found 'soon'"
                ),
                (
                    "[Slot banner]\nRefreshInterval=10s # too often",
                    "a.conf:2: RefreshInterval=: '10s' is out of range: it can be 30s to 7d"
                ),
                ("[Link wl*]\nMetered=si", "a.conf:2: Metered=: expected yes or no, found 'si'"),
                ("[Slot]", "a.conf:1: section [Slot] needs a name, as in [Slot NAME]"),
                ("LossHold=1s", "a.conf:1: 'LossHold=' stands before the first [Section]"),
            ])
        func meaning(text: String, refusal: String) throws {
            #expect(try files.refusal(ofText: text) == refusal)
        }

        @Test("A file that cannot be read is named with the cause")
        func unreadable() throws {
            #expect(
                files.refusal(of: ["none.conf"]) == "none.conf: open none.conf: No such file or directory")
            try Directory.make(files("folder.conf"), mode: 0o700)
            #expect(files.refusal(of: ["folder.conf"]) == "folder.conf: read folder.conf: Is a directory")
            try files.write("long.conf", [UInt8](repeating: UInt8(ascii: "\n"), count: (1 << 20) + 1))
            #expect(files.refusal(of: ["long.conf"]) == "long.conf: read long.conf: File too large")
        }

        @Test("No file and an empty file are the defaults")
        func empty() throws {
            #expect(
                try ConfigurationFiles(named: [files.write("a.conf", "")]).read().configuration
                    == Configuration())
            let none = try ConfigurationFiles(named: [], directories: [files("etc")]).read()
            #expect(none.configuration == Configuration())
            #expect(none.files == [])
        }

        @Test("A later file speaks over an earlier one, key by key; its faults are its own")
        func several() throws {
            let first = try files.write("1.conf", "[Slot lobby]\nPlacement=top\nMinimumView=2s\n")
            let second = try files.write(
                "2.conf", "[Slot lobby]\nMinimumView=3s\n[Actions]\nPauseTimeout=1s\n")
            let read = try ConfigurationFiles(named: [first, second]).read()
            let slot = try #require(read.configuration.coordinator.slots.first)
            #expect(slot.placement == .top)
            #expect(slot.minimumView == .seconds(3))
            #expect(read.configuration.coordinator.pauseTimeout == .seconds(1))
            #expect(read.files == [first, second])

            try files.write("3.conf", "[Slot lobby]\n\nPlacement=middle\n")
            #expect(
                files.refusal(of: ["1.conf", "3.conf", "2.conf"])
                    == "3.conf:3: Placement=: expected one of top, bottom; found 'middle'")
        }

        @Test(
            "A time zone is read from the system's database, and one that is not there is told with its line")
        func timeZones() throws {
            let path = try files.write("a.conf", "[Schedule]\nTimeZone=Europe/Berlin\n")
            let zone = try ConfigurationFiles(named: [path]).read().configuration.schedule.zone
            // In summer two hours ahead of UTC, in winter one.
            #expect(zone.offset(at: 1_782_907_200) == 7_200 && zone.offset(at: 1_799_064_000) == 3_600)
            try files.write("b.conf", "[Schedule]\n\nTimeZone=Europe/Berlyn\n")
            #expect(
                files.refusal(of: ["b.conf"])
                    == "b.conf:3: [Schedule] TimeZone=: expected a time zone such as Europe/Berlin, found "
                    + "'Europe/Berlyn': open /usr/share/zoneinfo/Europe/Berlyn: No such file or directory")
            try files.write("c.conf", "[Schedule]\nTimeZone=Europe\n")
            #expect(
                files.refusal(of: ["c.conf"])?.hasSuffix("read /usr/share/zoneinfo/Europe: Is a directory")
                    == true)
            try files.write("d.conf", "[Schedule]\nTimeZone=zone.tab\n")
            #expect(
                files.refusal(of: ["d.conf"])
                    == "d.conf:2: [Schedule] TimeZone=: /usr/share/zoneinfo/zone.tab: "
                    + "not a time zone file (TZif)")
            try files.write("e.conf", "[Slot a]\nSources=own\n[Source own]\nKind=house\n")
            #expect(files.refusal(of: ["e.conf"]) == nil)
        }

        @Test("A section does not reach into the next file")
        func sectionEnds() throws {
            try files.write("1.conf", "[Actions]\n")
            try files.write("2.conf", "PauseTimeout=1s\n")
            #expect(
                files.refusal(of: ["1.conf", "2.conf"])
                    == "2.conf:1: 'PauseTimeout=' stands before the first [Section]")
        }

        @Test("What shows only once all is read is told where it was said last")
        func crossFaults() throws {
            try files.write("1.conf", "[Slot  lobby]\nSources=test partner\n[Source test]\n")
            try files.write("2.conf", "[Slot lobby]\nPlacement=top\n")
            try files.write("3.conf", "# c\n[Slot lobby]\n\nSources=partner\n")
            let refusal = "[Slot lobby] Sources=: source 'partner' has no [Source partner] section"
            #expect(files.refusal(of: ["1.conf", "2.conf"]) == "1.conf:2: \(refusal)")
            #expect(files.refusal(of: ["1.conf", "3.conf", "2.conf"]) == "3.conf:4: \(refusal)")
            try files.write("4.conf", "[Source partner]\n")
            #expect(files.refusal(of: ["1.conf", "4.conf"]) == nil)
        }

        @Test("Where a default is to blame, the section is told")
        func crossFaultOfDefault() throws {
            try files.write("1.conf", "[Source own]\n")
            try files.write("2.conf", "\n[Slot lobby]\nPlacement=top\n")
            #expect(
                files.refusal(of: ["1.conf", "2.conf"])
                    == "2.conf:2: [Slot lobby] Sources=: source 'test' has no [Source test] section")
            #expect(
                files.refusal(of: ["1.conf"])
                    == "(defaults): [Slot banner] Sources=: source 'test' has no [Source test] section")
            #expect(
                try files.refusal(ofText: "[Slot a]\nRetryMax=10s\n")
                    == "a.conf:1: [Slot a] RetryInterval=: RetryInterval= is longer than RetryMax=")
        }

        @Test(
            "The system's files: the strongest main file, then all drop-ins by name, the stronger of one name"
        )
        func systemFiles() throws {
            let text = "[Slot lobby]\n"
            let directories = ["usr", "run", "etc"].map { files($0) }
            for name in [
                "usr/adslotd.conf", "usr/adslotd.conf.d/10-a.conf", "usr/adslotd.conf.d/20-b.conf",
                "run/adslotd.conf.d/05-c.conf", "run/adslotd.conf.d/20-b.conf",
                "etc/adslotd.conf.d/20-b.conf",
                "etc/adslotd.conf.d/30-d.conf.bak", "etc/adslotd.conf.d/README", "etc/other.conf",
            ] { try files.write(name, text) }
            func found() throws -> [String] {
                try ConfigurationFiles(named: [], directories: directories).read().files.map {
                    String($0.dropFirst(files.path.count + 1))
                }
            }
            let dropIns = [
                "run/adslotd.conf.d/05-c.conf", "usr/adslotd.conf.d/10-a.conf",
                "etc/adslotd.conf.d/20-b.conf",
            ]
            #expect(try found() == ["usr/adslotd.conf"] + dropIns)
            try files.write("etc/adslotd.conf", text)
            #expect(try found() == ["etc/adslotd.conf"] + dropIns)
            #expect(
                ConfigurationFiles.systemDirectories == ["/usr/lib/adslotd", "/run/adslotd", "/etc/adslotd"])
        }

        @Test("A drop-in directory that is none is refused, not passed over")
        func brokenDropIns() throws {
            try files.write("etc/adslotd.conf.d", "")
            do throws(ConfigurationError) {
                _ = try ConfigurationFiles(named: [], directories: [files("etc")]).read()
                Issue.record("it was passed over")
            } catch {
                #expect(error.file == files("etc/adslotd.conf.d"))
                #expect(error.message.hasSuffix("Not a directory"))
            }
        }
    }
}
