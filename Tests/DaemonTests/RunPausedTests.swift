import Foundation
import Testing
import Varlink

@Suite("run-paused runs a program as work", .ownThread, .needsNamespaces)
struct RunPausedTests {
    /// How the program is made to stand still.
    enum Manner: String, CaseIterable, Sendable {
        case cgroup, process

        /// What is needed for it is there.
        var isPossible: Bool {
            switch self {
            case .cgroup: ScratchControlGroup.obstacle == nil
            case .process: getuid() == 0 || ScratchControlGroup.obstacle != nil
            }
        }

        /// Without a hierarchy of control groups to be seen, there is none to be had. No terminal of whoever
        /// runs the tests comes into play.
        var prefix: [String] {
            switch self {
            case .process where getuid() == 0:
                [
                    "setsid", "unshare", "--mount", "sh", "-c",
                    "for g in $(findmnt -n -r -t cgroup2 -o TARGET); do umount $g; done; exec \"$@\"", "sh",
                ]
            case .process, .cgroup: ["setsid"]
            }
        }
    }

    private static let manners = Manner.allCases.filter(\.isPossible)

    private func command(
        _ daemon: DaemonProcess, _ program: [String], _ manner: Manner? = nil, name: String = "game"
    ) -> [String] {
        (manner?.prefix ?? ["setsid"]) + [
            Programs.control, "--socket", daemon.socket, "run-paused", name, "--",
        ]
            + program
    }

    @Test(
        "The program's exit status is passed on",
        arguments: [
            (["true"], 0), (["sh", "-c", "exit 77"], 77), (["sh", "-c", "kill -TERM $$"], 143),
            (["sh", "-c", "kill -KILL $$"], 137), (["no-such-program-here"], 127), (["/etc/passwd"], 126),
        ] as [([String], Int32)])
    func exitStatus(program: [String], code: Int32) throws {
        let daemon = try DaemonProcess(in: Network())
        for manner in Self.manners {
            let result = try Finished.run(command(daemon, program, manner))
            #expect(result.code == code, "\(manner): \(result)")
            if code >= 126, code <= 127 { #expect(result.errors.contains(program[0]), "\(result)") }
        }
        let deadline = Deadline()
        while try daemon.work() != nil { try #require(deadline.pause()) }
    }

    @Test("What it reads and writes passes through, and it gets its arguments as they are")
    func streams() throws {
        let daemon = try DaemonProcess(in: Network())
        let child = try Child(
            command(daemon, ["sh", "-c", "cat; echo \"$1\" >&2", "sh", "--json=off  two words"]))
        try child.write("from outside\n")
        child.closeInput()
        #expect(try child.waitForExit() == 0)
        #expect(child.output.text == "from outside")
        #expect(child.errors.text == "--json=off  two words")
    }

    @Test("It is registered before it runs, in a control group of its own or as a group of processes")
    func registeredFirst() throws {
        let daemon = try DaemonProcess(in: Network())
        for manner in Self.manners {
            let listing = [Programs.control, "--socket", daemon.socket, "--json=short", "work"]
            let result = try Finished.run(command(daemon, listing, manner))
            let item = try #require(try JSONObject.reading(result.output).objects("work").first)
            #expect(try item.text("name") == "game")
            #expect(try item.text("kind") == manner.rawValue)
            let deadline = Deadline()
            while try daemon.work() != nil { try #require(deadline.pause()) }
        }
    }

    @Test("Its control group goes with it, also where several processes end at once")
    func groupRemoved() throws {
        let daemon = try DaemonProcess(in: Network())
        for _ in 1...5 {
            let program = "echo $$; for i in 1 2 3 4 5; do sleep 600 & done; kill -TERM 0"
            let result = try Finished.run(command(daemon, ["sh", "-c", program]))
            #expect(result.code == 143, "\(result)")
            #expect(try !ScratchControlGroup.exists("adslotctl-\(result.output)"))
            let deadline = Deadline()
            while try daemon.work() != nil { try #require(deadline.pause()) }
        }
    }

    @Test("It stands still during an action, and the children that it has too", arguments: manners)
    func pauses(manner: Manner) throws {
        let stage = try Stage()
        let run = try Child(
            command(stage.daemon, ["sh", "-c", "while :; do echo x; sleep 0.01; done & wait"], manner))
        _ = try run.output.takeLine()
        for _ in 1...3 {
            let action = try stage.host.click()
            #expect(try stage.daemon.work()?.text("state") == "paused")
            // What was written before may still be on its way.
            usleep(50_000)
            let before = run.output.count
            usleep(100_000)
            #expect(run.output.count == before)
            try stage.host.finish(action)
            let deadline = Deadline()
            while run.output.count == before { try #require(deadline.pause()) }
        }
        run.signal(SIGTERM)
        #expect(try run.waitForExit() == 143)
    }

    @Test(
        "Begun in the midst of an action, it runs when that ends; it can be ended before", arguments: manners)
    func begunLate(manner: Manner) throws {
        let stage = try Stage()
        for isEnded in [false, true] {
            let action = try stage.host.click()
            let run = try Child(command(stage.daemon, ["echo", "it runs"], manner))
            let deadline = Deadline()
            while try stage.daemon.work()?.text("state") != "paused" { try #require(deadline.pause()) }
            #expect(run.output.count == 0)
            if isEnded {
                // Ended, the process group is let go by the kernel to die; frozen it dies when it thaws.
                run.signal(SIGTERM)
                usleep(50_000)
            }
            try stage.host.finish(action)
            #expect(try run.waitForExit() == (isEnded ? 143 : 0))
            #expect(run.output.text == (isEnded ? "" : "it runs"))
            while try stage.daemon.work() != nil { try #require(deadline.pause()) }
        }
    }

    @Test("Signals are passed on", arguments: [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGWINCH])
    func signals(number: CInt) throws {
        let daemon = try DaemonProcess(in: Network())
        let program = "trap 'echo got; exit 5' \(number); echo ready; while :; do sleep 0.01; done"
        let run = try Child(command(daemon, ["bash", "-c", program]))
        #expect(try run.output.takeLine() == "ready")
        run.signal(number)
        #expect(try run.output.takeLine() == "got")
        #expect(try run.waitForExit() == 5)
    }

    @Test("Without a daemon, or refused by it, the program does not run")
    func refused() throws {
        let directory = try ScratchDirectory()
        let proof = directory.file("proof")
        let missing = try Finished.run([
            Programs.control, "--socket", directory.file("none"), "run-paused", "game", "--", "touch", proof,
        ])
        #expect(missing.code == 8, "\(missing)")
        let daemon = try DaemonProcess(in: Network())
        _ = try Work(on: daemon, "game")
        let work = try Work(on: daemon, "taken")
        for manner in Self.manners {
            let taken = try Finished.run(command(daemon, ["touch", proof], manner, name: "taken"))
            #expect(taken.code == 1, "\(taken)")
            #expect(taken.errors.contains("taken"), "\(taken)")
        }
        #expect(!FileManager.default.fileExists(atPath: proof))
        work.die()
    }

    @Test(
        "Wrong usage is told apart",
        arguments: [
            ["run-paused"], ["run-paused", "x"], ["run-paused", "x", "--"], ["run-paused", "--", "true"],
            ["run-paused", "x", "y", "--", "true"], ["status", "--", "true"],
        ])
    func usage(arguments: [String]) throws {
        let result = try Finished.run([Programs.control] + arguments)
        #expect(result.code == 2, "\(result)")
        #expect(result.errors.contains("run-paused"), "\(result)")
    }

    @Test("When adslotctl is killed in the midst of an action, the program goes on", arguments: manners)
    func controlKilled(manner: Manner) throws {
        let stage = try Stage()
        let run = try Child(
            command(stage.daemon, ["sh", "-c", "echo $$; while :; do echo x; sleep 0.01; done"], manner))
        let pid = try #require(pid_t(try run.output.takeLine() ?? ""))
        defer {
            kill(pid, SIGKILL)
            // Killed, adslotctl leaves its directory.
            ScratchControlGroup.remove("adslotctl-\(pid)")
        }
        let action = try stage.host.click()
        run.signal(SIGKILL)
        let deadline = Deadline()
        while try stage.daemon.work() != nil { try #require(deadline.pause()) }
        let before = run.output.count
        while run.output.count < before + 3 { try #require(deadline.pause()) }
        try stage.host.finish(action)
    }

    @Test("A standard error that nobody reads leaves the program what it is when the daemon is killed")
    func nobodyReadsErrors() throws {
        let stage = try Stage()
        let file = stage.daemon.directory.file("code")
        // A pipe's reader that has ended: what is said there comes back as SIGPIPE.
        let run = command(stage.daemon, ["sh", "-c", "sleep 1; exit 5"], .process)
            .map { "'\($0)'" }.joined(separator: " ")
        let shell = try Child(["bash", "-c", "{ \(run); echo code $? > \(file); } 2>&1 < /dev/null | true"])
        let deadline = Deadline()
        while try stage.daemon.work() == nil { try #require(deadline.pause()) }
        _ = try stage.host.click()
        try stage.daemon.killNow()
        #expect(try shell.waitForExit() == 0)
        #expect(try String(contentsOfFile: file, encoding: .utf8) == "code 5\n")
    }

    @Test(
        "When the daemon is killed, the program goes on, and is registered with the next", arguments: manners)
    func daemonKilled(manner: Manner) throws {
        let stage = try Stage()
        let run = try Child(
            command(stage.daemon, ["sh", "-c", "while :; do echo x; sleep 0.01; done"], manner))
        _ = try run.output.takeLine()
        _ = try stage.host.click()
        try stage.daemon.killNow()
        try run.errors.wait(for: "'game' runs on, registering it again")
        let before = run.output.count
        let deadline = Deadline()
        while run.output.count < before + 3 { try #require(deadline.pause()) }

        let next = try DaemonProcess(
            in: stage.network, BannerTests.eager + Stage.patient, directory: stage.daemon.directory)
        try run.errors.wait(for: "'game' is registered again")
        let host = try Host(on: next)
        try host.waitUntilShown()
        let action = try host.click()
        #expect(try next.work()?.text("state") == "paused")
        #expect(try next.work()?.text("kind") == manner.rawValue)
        try host.finish(action)
        run.signal(SIGTERM)
        #expect(try run.waitForExit() == 143)
    }

    @Test("On a terminal it is a job like any other: ^C, ^Z, fg and reading", arguments: manners)
    func jobControl(manner: Manner) throws {
        let daemon = try DaemonProcess(in: Network())
        // Bit 21 is SIGTTOU, which adslotctl itself ignores.
        let program = """
            trap "echo interrupted; exit 9" INT; echo ignored $((0x$(grep SigIgn /proc/$$/status | cut -f2) >> 21 & 1))
            read line; echo got $line; while :; do sleep 0.01; done
            """.replacing("\n", with: ";")
        let line = command(daemon, ["bash", "-c", program], manner).drop { $0 == "setsid" }
            .map { "'" + $0.replacingOccurrences(of: "'", with: "'\\''") + "'" }.joined(separator: " ")
        let steps: [JSONValue] = [
            ">PS1='ready''$ '\n", "<ready$ ", .string(">\(line)\n"), ">hello\n",
            "<ignored 0", "<got hello", ">\u{1A}", "<Stopped", ">echo in the' 'shell; fg\n", "<in the shell",
            "<run-paused",
            ">\u{03}", "<interrupted", ">echo co''de $?\n", "<code 9", ">exit 3\n",
        ]
        let result = try Finished.run([
            "python3", Resources.file("terminal.py"), JSONValue.array(steps).description, "bash", "--norc",
            "-i",
        ])
        #expect(result.code == 3, "\(result)")
    }
}
