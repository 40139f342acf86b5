import Foundation
import Testing

@Suite("The daemon's command line", .ownThread)
struct CommandLineTests {
    private func run(_ arguments: String...) throws -> Finished {
        try Finished.run([Programs.daemon] + arguments)
    }

    @Test("A good configuration is valid, exit code 0")
    func good() throws {
        let directory = try ScratchDirectory()
        let file = try directory.write(
            """
            # Everything that has a default, and another value for it.
            [Reachability]
            LossHold=2s
            GainHold=100ms
            DampHalfLife=20s
            DampMax=2min
            LookupAddresses=9.9.9.9 2620:fe::fe
            [Link usb*]
            Kind=cellular
            Metered=yes
            OnDemand=no
            [Slot banner]
            Placement=top
            Sources=test
            Sizes=320x50
            RefreshInterval=60s
            RetryInterval=10s
            RetryMax=5min
            MinimumInterval=1s
            MinimumView=2s
            WhenUnreachable=house
            RequestTimeout=5s
            [Actions]
            PauseTimeout=1s
            ActionTimeout=2min
            [Access]
            HostGroup=users
            [Source test]
            Kind=test
            Delay=1s
            ; the end

            """, to: "good.conf")
        let result = try run("--check-config", "--config", file)
        #expect(result.code == 0, "\(result)")
        #expect(result.output.contains(file))
        #expect(result.errors.isEmpty)
    }

    @Test(
        "A bad configuration is refused with FILE:LINE, exit code 1",
        arguments: [
            BrokenConfiguration("[Reachability]\nLossHold\n", line: 2, names: "Key=value"),
            BrokenConfiguration("LossHold=1s\n", line: 1, names: "LossHold"),
            BrokenConfiguration("[Reachability]\n\nLosHold=1s\n", line: 3, names: "LosHold"),
            BrokenConfiguration("[Reachabilty]\nLossHold=1s\n", line: 1, names: "Reachabilty"),
            BrokenConfiguration("[Link]\nKind=wifi\n", line: 1, names: "Link"),
            BrokenConfiguration("[Reachability]\nLossHold=-1s\n", line: 2, names: "-1s"),
            BrokenConfiguration("[Reachability]\nLossHold=1 fortnight\n", line: 2, names: "fortnight"),
            BrokenConfiguration("[Reachability]\nLossHold=99999h\n", line: 2, names: "range"),
            BrokenConfiguration("[Reachability]\nLookupAddresses=localhost\n", line: 2, names: "localhost"),
            BrokenConfiguration("[Reachability]\nLookupAddresses=127.0.0.1\n", line: 2, names: "127.0.0.1"),
            BrokenConfiguration("[Link e*]\nKind=avian\n", line: 2, names: "avian"),
            BrokenConfiguration("[Link e*]\nMetered=perhaps\n", line: 2, names: "perhaps"),
            BrokenConfiguration("[Slot banner]\nPlacement=left\n", line: 2, names: "left"),
            BrokenConfiguration("[Slot banner]\nSizes=320x50 0x0\n", line: 2, names: "0x0"),
            BrokenConfiguration("[Slot banner]\nSizes=320by50\n", line: 2, names: "320by50"),
            BrokenConfiguration("[Slot banner]\nRefreshInterval=29s\n", line: 2, names: "range"),
            BrokenConfiguration(
                "[Slot banner]\nSources=test other\n[Source test]\nKind=test\n", line: 2, names: "other"),
            BrokenConfiguration("[Actions]\nPauseTimeout=2h\n", line: 2, names: "range"),
            BrokenConfiguration("[Source test]\nKind=magic\n", line: 2, names: "magic"),
        ])
    func bad(configuration: BrokenConfiguration) throws {
        let directory = try ScratchDirectory()
        let file = try directory.write(configuration.text, to: "bad.conf")
        let result = try run("--check-config", "--config", file)
        #expect(result.code == 1, "\(result)")
        #expect(result.output.isEmpty)
        #expect(result.errors.contains("\(file):\(configuration.line): "), "\(result)")
        #expect(result.errors.contains(configuration.word), "\(result)")
        #expect(result.errors.split(separator: "\n").count == 1, "\(result)")
    }

    @Test("A fault in the second of two files is reported there")
    func secondFile() throws {
        let directory = try ScratchDirectory()
        let first = try directory.write("[Reachability]\nLossHold=1s\n", to: "1.conf")
        let second = try directory.write("[Reachability]\nLossHold=never\n", to: "2.conf")
        let result = try run("--check-config", "--config", first, "--config=\(second)")
        #expect(result.code == 1)
        #expect(result.errors.contains("\(second):2: "))
    }

    @Test("A missing configuration file is an error that names it, when checking and when starting")
    func missing() throws {
        let directory = try ScratchDirectory()
        let file = directory.file("missing.conf")
        for arguments in [["--check-config"], ["--socket", directory.file("s")]] {
            let result = try Finished.run([Programs.daemon, "--config", file] + arguments)
            #expect(result.code == 1, "\(result)")
            #expect(result.errors.contains(file), "\(result)")
        }
    }

    @Test("A daemon does not start with a bad configuration")
    func doesNotStart() throws {
        let directory = try ScratchDirectory()
        let file = try directory.write("[Nonsense]\n", to: "bad.conf")
        let result = try run(
            "--config", file, "--socket", directory.file("s"), "--state-directory", directory.path)
        #expect(result.code == 1, "\(result)")
        #expect(result.errors.contains("\(file):1: "), "\(result)")
        #expect(!FileManager.default.fileExists(atPath: directory.file("s")))
    }

    @Test("The version is a name and a number, exit code 0")
    func version() throws {
        let result = try run("--version")
        #expect(result.code == 0)
        #expect(result.output.wholeMatch(of: /adslotd \d+\.\d+\.\d+/) != nil, "\(result)")
        #expect(result.errors.isEmpty)
    }

    @Test("The help names every option, exit code 0")
    func help() throws {
        let result = try run("--help")
        #expect(result.code == 0)
        for option in ["--config", "--socket", "--state-directory", "--check-config", "--version"] {
            #expect(result.output.contains(option))
        }
    }

    @Test(
        "Wrong usage is exit code 2, with a word on standard error and none on standard output",
        arguments: [
            ["--nonsense"], ["nonsense"], ["--config"], ["--config="], ["--socket"], ["--state-directory"],
            ["--version=1"], ["--check-config", "extra"], [""], ["-x"],
        ])
    func wrongUsage(arguments: [String]) throws {
        let result = try Finished.run([Programs.daemon] + arguments)
        #expect(result.code == 2, "\(result)")
        #expect(result.output.isEmpty)
        #expect(!result.errors.isEmpty)
    }
}
