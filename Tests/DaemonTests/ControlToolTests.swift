import Foundation
import Testing
import Varlink

@Suite("adslotctl does for scripts what the contract says", .ownThread, .needsNamespaces)
struct ControlToolTests {
    private func run(_ daemon: DaemonProcess, _ arguments: String...) throws -> Finished {
        try Finished.run([Programs.control, "--socket", daemon.socket] + arguments)
    }

    @Test("Without a daemon at the socket the exit code is 8", arguments: ["status", "monitor", "reload"])
    func noDaemon(verb: String) throws {
        let directory = try ScratchDirectory()
        let result = try Finished.run([Programs.control, "--socket", directory.file("s"), verb])
        #expect(result.code == 8, "\(result)")
        #expect(result.errors.contains(directory.file("s")))
        #expect(result.output.isEmpty)
    }

    @Test("A dead socket is no daemon either")
    func deadSocket() throws {
        let daemon = try DaemonProcess(in: Network())
        try daemon.killNow()
        #expect(try run(daemon, "status").code == 8)
    }

    @Test(
        "Wrong usage is exit code 2, whether a daemon is there or not",
        arguments: [
            [], ["dance"], ["status", "extra"], ["--json=long", "status"], ["--json"],
            ["--nonsense", "status"],
            ["explain"], ["attach", "banner"], ["attach", "--viewport", "1x1"], ["--socket"],
            ["attach", "banner", "--viewport", "large"], ["attach", "banner", "--viewport", "1x1x1"],
            ["status", "--hidden"], ["disable"], ["enable"], ["disable", "banner", "--for", "soon"],
            ["disable", "banner", "--for", "0"], ["enable", "banner", "--for", "1h"],
        ])
    func wrongUsage(arguments: [String]) throws {
        let result = try Finished.run([Programs.control] + arguments)
        #expect(result.code == 2, "\(result)")
        #expect(result.output.isEmpty)
        #expect(!result.errors.isEmpty)
    }

    @Test(
        "What the daemon refuses is exit code 1, with the reason on standard error",
        arguments: [
            (["explain", "basement"], "basement"), (["disable", "basement"], "basement"),
            (["enable", "basement"], "basement"),
            (["attach", "basement", "--viewport", "360x640"], "basement"),
            (["attach", "banner", "--viewport", "0x640"], "viewport"),
            (["attach", "taken", "--viewport", "360x640"], "radio"),
        ])
    func refused(arguments: [String], word: String) throws {
        let daemon = try DaemonProcess(in: Network(), "[Slot banner]\n[Slot taken]\n")
        let host = try Host(on: daemon, slot: "taken", name: "radio")
        let result = try Finished.run([Programs.control, "--socket", daemon.socket] + arguments)
        #expect(result.code == 1, "\(result)")
        #expect(result.errors.contains(word), "\(result)")
        #expect(result.output.isEmpty)
        host.die()
    }

    @Test("A reload that is refused is exit code 1 with FILE:LINE; one that is taken is 0")
    func reload() throws {
        let daemon = try DaemonProcess(in: Network())
        #expect(try run(daemon, "reload").code == 0)
        try daemon.rewriteConfiguration("\n[Nonsense]\n")
        let result = try run(daemon, "reload")
        #expect(result.code == 1, "\(result)")
        #expect(result.errors.contains("\(daemon.configurationFile):2"), "\(result)")
    }

    @Test(
        "--json=short prints exactly the reply's parameters as one line",
        arguments: [
            (["status"], "org.adslotd.Manager.GetStatus", [:]),
            (["links"], "org.adslotd.Reachability.ListLinks", [:]),
            (["slots"], "org.adslotd.Slots.List", [:]),
            (["work"], "org.adslotd.Work.List", [:]),
            (["explain", "banner"], "org.adslotd.Slots.Explain", ["slot": "banner"]),
        ] as [([String], String, JSONObject)])
    func json(words: [String], method: String, parameters: JSONObject) throws {
        let daemon = try DaemonProcess(in: Network())
        let host = try Host(on: daemon, name: "radio")
        let work = try Work(on: daemon)
        // A connection that counts as the tool's own does.
        let connection = try daemon.connect()
        let wanted = try connection.call(method, parameters)
        connection.close()
        let result = try Finished.run(
            [Programs.control, "--socket", daemon.socket, "--json=short", "--no-pager"] + words)
        #expect(result.code == 0, "\(result)")
        #expect(result.output.split(separator: "\n").count == 1)
        var found = try JSONObject.reading(result.output)
        // The only figure that depends on who happens to be closing a connection.
        if found["clients"] != nil { found["clients"] = wanted["clients"] }
        #expect(found == wanted)
        let pretty = try Finished.run([Programs.control, "--socket", daemon.socket, "--json=pretty"] + words)
        #expect(pretty.output.split(separator: "\n").count > 1)
        var read = try JSONObject.reading(pretty.output)
        if read["clients"] != nil { read["clients"] = wanted["clients"] }
        #expect(read == wanted)
        host.die()
        work.die()
    }

    @Test(
        "For people every verb prints something and no colours into a pipe",
        arguments: ["status", "links", "slots", "work"])
    func people(verb: String) throws {
        let network = try Network()
        try network.wired()
        let daemon = try DaemonProcess(in: network)
        let host = try Host(on: daemon)
        let result = try run(daemon, verb)
        #expect(result.code == 0, "\(result)")
        #expect(!result.output.isEmpty)
        #expect(!result.output.contains("\u{1B}"))
        host.die()
    }

    @Test("status says when a loss is held")
    func held() throws {
        let network = try Network()
        try network.wired()
        let daemon = try DaemonProcess(in: network, "[Reachability]\nLossHold=1min\n")
        #expect(try !run(daemon, "status").output.lowercased().contains("held"))
        try network.ip("link set p0 down")
        try daemon.waitUntil("a loss is held") { $0.held }
        #expect(try run(daemon, "status").output.lowercased().contains("held"))
    }

    @Test("attach hosts the slot, prints each command as a line at once, and SIGINT ends it cleanly")
    func attach() throws {
        let network = try Network()
        try network.wired()
        let daemon = try DaemonProcess(in: network, BannerTests.eager)
        let tool = try Child([
            Programs.control, "--socket", daemon.socket, "--json=short", "attach", "banner", "--viewport",
            "360x640", "--host", "script",
        ])
        let lease = try JSONObject.reading(#require(try tool.output.takeLine())).text("lease")
        #expect(!lease.isEmpty)
        var kinds: [String] = []
        for _ in 1...2 {
            let line = try #require(try tool.output.takeLine())
            kinds.append(try JSONObject.reading(line).object("command").text("kind"))
        }
        #expect(kinds == ["create", "show"])
        #expect(try daemon.slot().text("host") == "script")
        tool.signal(SIGINT)
        #expect(try tool.waitForExit() == -SIGINT)
        #expect(tool.errors.text.isEmpty)
        #expect(tool.output.count == 3)
        try daemon.waitUntilDetached()
    }

    @Test("attach --hidden hosts without showing")
    func attachHidden() throws {
        let network = try Network()
        try network.wired()
        let daemon = try DaemonProcess(in: network, BannerTests.eager)
        let tool = try Child([
            Programs.control, "--socket", daemon.socket, "--json=short", "attach", "banner", "--viewport",
            "360x640", "--hidden",
        ])
        _ = try tool.output.takeLine()
        #expect(try daemon.slot().flag("visible") == false)
        #expect(try daemon.slot().text("state") == "hidden")
    }

    @Test("A host of the tool is let go with a word when the daemon stops, exit code 1")
    func attachUntilStop() throws {
        let daemon = try DaemonProcess(in: Network())
        let tool = try Child([
            Programs.control, "--socket", daemon.socket, "--json=short", "attach", "banner", "--viewport",
            "360x640",
        ])
        _ = try tool.output.takeLine()
        #expect(try daemon.terminate() == 0)
        #expect(try tool.waitForExit() == 1)
        #expect(tool.errors.text.contains("stopping"), "\(tool.errors.text)")
    }

    @Test("monitor prints a line an event, at once, and SIGINT ends it cleanly")
    func monitor() throws {
        let network = try Network()
        try network.wired()
        let daemon = try DaemonProcess(in: network)
        let tool = try Child([Programs.control, "--socket", daemon.socket, "--json=short", "monitor"])
        // It says nothing until something happens, so something happens until it has subscribed.
        let deadline = Deadline()
        while tool.output.count == 0 {
            try daemon.call("org.adslotd.Manager.Reload")
            guard deadline.pause() else { throw NotInTime(what: "an event", account: tool.errors.text) }
        }
        try network.ip("link set p0 down")
        let line = try tool.output.wait(for: "\"reachability\"")
        #expect(try JSONObject.reading(line).object("data").text("status") == "none")
        tool.signal(SIGINT)
        #expect(try tool.waitForExit() == -SIGINT)
        #expect(tool.errors.text.isEmpty)
    }

    @Test("A reader that goes away ends the tool without a complaint")
    func closedPipe() throws {
        let daemon = try DaemonProcess(in: Network())
        let result = try Finished.run([
            "sh", "-c", "'\(Programs.control)' --socket '\(daemon.socket)' --json=pretty status | head -n 1",
        ])
        #expect(result.code == 0)
        #expect(result.errors.isEmpty, "\(result)")
    }

    @Test("The version is the daemon's")
    func version() throws {
        let tool = try Finished.run([Programs.control, "--version"])
        let daemon = try Finished.run([Programs.daemon, "--version"])
        #expect(tool.code == 0)
        #expect(tool.output.split(separator: " ").last == daemon.output.split(separator: " ").last)
    }
}
