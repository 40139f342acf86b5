import Foundation
import FoundationXML
import Testing
import Varlink

@Suite("The timeline", .ownThread, .needsNamespaces)
struct TimelineTests {
    private static let configuration = """
        [Slot banner]
        MinimumView=0
        MinimumInterval=0
        [Slot spare]
        Placement=top
        [Source test]
        Delay=1ms

        """

    private func draw(_ daemon: DaemonProcess, _ file: String, _ arguments: String...) throws -> Finished {
        try Finished.run(
            [Programs.control, "--socket", daemon.socket, "timeline", "--output", file] + arguments,
            environment: ["TZ": "Europe/Berlin"])
    }

    /// All of a timeline, as the daemon tells it.
    private func read(_ daemon: DaemonProcess) throws -> (
        extent: JSONObject, marks: [JSONObject], slots: [JSONObject]
    ) {
        let client = try VarlinkClient(connectingTo: daemon.socket)
        let replies = try client.callMore("org.adslotd.Ledger.Timeline", [:], timeout: Deadline.patience)
        var (extent, marks, slots): (JSONObject?, [JSONObject], [JSONObject]) = (nil, [], [])
        while let page = try replies.next(timeout: Deadline.patience) {
            extent = extent ?? page["extent"]?.object
            marks += try page.objects("marks")
            slots += try page.objects("slots")
        }
        return (try #require(extent), marks, slots)
    }

    /// What marks of one kind say, in order.
    private func states(_ marks: [JSONObject], _ kind: String, of subject: String? = nil) -> [String] {
        marks.filter { $0["kind"]?.string == kind && (subject == nil || $0["subject"]?.string == subject) }
            .map { $0["state"]?.string ?? "-" }
    }

    @Test("A day with an ad, an action, a pause, a loss and a kill is told, and drawn")
    func day() throws {
        let (network, directory) = (try Network(), try ScratchDirectory())
        try network.wired()
        var daemon = try DaemonProcess(
            in: network, Self.configuration, holds: .none, directory: directory)
        var watcher = try daemon.watch()
        let host = try Host(on: daemon)
        try host.waitUntilShown()
        let work = try Work(on: daemon, "game <3")
        let click = try host.beginAction()
        try work.acknowledge(work.expect("pause"))
        try host.finish(click.allowed())
        try host.update(visible: false)
        try host.update(visible: true)
        try network.ip("link set p0 down")
        _ = try watcher.wait(for: "none")
        // What is told has been written before.
        while try daemon.slot().text("state") != "waiting" {}
        try daemon.killNow()

        daemon = try DaemonProcess(in: network, Self.configuration, holds: .none, directory: directory)
        watcher = try daemon.watch()
        try network.ip("link set p0 up")
        _ = try watcher.wait(for: "ethernet")
        let (extent, marks, slots) = try read(daemon)
        #expect(states(marks, "started") == ["ethernet", "none"])
        #expect(states(marks, "changed") == ["none", "ethernet"])
        let banner = states(marks, "slot", of: "banner")
        #expect(banner.first == "loading" && banner.last == "waiting", "\(banner)")
        #expect(zip(banner, banner.dropFirst()).allSatisfy { $0 != $1 }, "\(banner)")
        let wanted = ["loading", "shown", "acting", "shown", "hidden", "shown", "waiting"]
        #expect(banner.filter { $0 != "loading" } == wanted.filter { $0 != "loading" }, "\(banner)")
        #expect(states(marks, "work", of: "game <3") == ["running", "pausing", "paused", "running"])
        #expect(try marks.count { try $0.text("kind") == "killed" } == 1)
        let times = try marks.map { try $0.number("time") }
        #expect(times == times.sorted())
        #expect(try times.last.map { try $0 <= extent.number("now") } == true)
        #expect(try slots.map { try $0.text("slot") } == ["banner", "spare"])
        #expect(try slots[0].number("actions") == 1 && slots[0].number("impressions") >= 1)

        let file = directory.file("day.svg")
        let drawn = try draw(daemon, file, "--since", "10min")
        #expect(drawn.code == 0 && drawn.output.hasPrefix("wrote \(file): 2 slots, "), "\(drawn)")
        let svg = try String(contentsOfFile: file, encoding: .utf8)
        let parser = XMLParser(data: Data(svg.utf8))
        #expect(parser.parse(), "\(String(describing: parser.parserError))")
        #expect(svg.contains(">game &lt;3</text>") && svg.contains(">spare</text>"))
        #expect(svg.contains("class=\"un\"") && svg.contains("ended without a word, "))
        #expect(svg.contains("Times: CE"), "the zone of TZ is named")
        // Names of links and hosts are nobody's business.
        #expect(!svg.contains("e0"))
    }

    @Test("A loss that was held, and came back, is a flap")
    func flap() throws {
        let network = try Network()
        try network.wired()
        let daemon = try DaemonProcess(in: network, Self.configuration, holds: .standard)
        try network.ip("link set p0 down")
        try daemon.waitUntil("a hold") { $0.held }
        try network.ip("link set p0 up")
        try daemon.waitUntil("the end of the hold") { !$0.held }
        let marks = try read(daemon).marks
        #expect(try marks.map { try $0.text("kind") } == ["started", "flap"])
    }

    @Test("An orderly end is told, and the next start begins anew")
    func stop() throws {
        let (network, directory) = (try Network(), try ScratchDirectory())
        try network.wired()
        let first = try DaemonProcess(in: network, Self.configuration, directory: directory)
        let host = try Host(on: first)
        try host.waitUntilShown()
        #expect(try first.terminate() == 0)
        let daemon = try DaemonProcess(in: network, Self.configuration, directory: directory)
        let marks = try read(daemon).marks
        let kinds = try marks.map { try $0.text("kind") }
        #expect(kinds.filter { $0 != "slot" } == ["started", "stopped", "started"])
        #expect(states(marks, "slot", of: "banner").last == "detached")
    }

    @Test("A file is written whole or not at all, and nothing else is overwritten")
    func output() throws {
        let (network, directory) = (try Network(), try ScratchDirectory())
        let daemon = try DaemonProcess(in: network, Self.configuration, directory: directory)
        let missing = try draw(daemon, directory.file("none/day.svg"))
        #expect(missing.code == 1 && missing.errors.contains("none/day.svg"), "\(missing)")
        let taken = try draw(daemon, directory.path)
        #expect(taken.code == 1 && taken.output.isEmpty, "\(taken)")
        let file = directory.file("day.svg")
        let json = try Finished.run(
            [Programs.control, "--socket", daemon.socket, "--json=short", "timeline", "--output", file])
        #expect(try JSONObject.reading(json.output).text("file") == file, "\(json)")
        #expect(FileManager.default.fileExists(atPath: file))
    }

    @Test("The README's command works as it stands")
    func readme() throws {
        let line = try #require(
            try Repository.text("README.md").firstMatch(of: /(?m)^ {4}adslotctl (timeline [^#\n]*[^# \n])/)?.1
        )
        let (network, directory) = (try Network(), try ScratchDirectory())
        let daemon = try DaemonProcess(in: network, Self.configuration)
        let words = line.split(separator: " ").map(String.init)
        let result = try Finished.run(
            ["env", "--chdir", directory.path, Programs.control, "--socket", daemon.socket] + words)
        #expect(result.code == 0, "\(result)")
        #expect(FileManager.default.fileExists(atPath: directory.file("day.svg")))
    }

    @Test(
        "Wrong words are wrong usage",
        arguments: [
            ["timeline"], ["timeline", "--output", "x", "more"],
            ["timeline", "--output", "x", "--by", "slot"],
            ["timeline", "--output", "x", "--since", "400d"],
            ["timeline", "--output", "x", "--until", "25h"],
            ["status", "--output", "x"], ["timeline", "--output", "x", "--format", "csv"],
        ])
    func wrongUsage(arguments: [String]) throws {
        let result = try Finished.run([Programs.control] + arguments)
        #expect(result.code == 2 && !result.errors.isEmpty, "\(result)")
    }
}
