import Foundation
import Testing
import Varlink

@Suite("A flight record replays to what the daemon told", .ownThread, .needsNamespaces)
struct FlightRecordTests {
    private static let isRoot = getuid() == 0

    private func run(_ daemon: DaemonProcess, _ arguments: String...) throws -> Finished {
        try Finished.run([Programs.control, "--socket", daemon.socket] + arguments)
    }

    /// Takes a record and replays it without the daemon.
    /// - Returns: the objects that the replay prints.
    private func replay(_ daemon: DaemonProcess) throws -> [JSONObject] {
        let file = daemon.directory.file("record")
        let taken = try run(daemon, "record", "--output", file)
        try #require(taken.code == 0, "\(taken)")
        #expect(taken.output.hasPrefix("wrote \(file): "))
        let result = try Finished.run([Programs.control, "--json=short", "replay", file])
        try #require(result.code == 0, "\(result)")
        let lines = try result.output.split(separator: "\n").map { line in
            try #require(try JSONValue(reading: String(line)).object)
        }
        // For people it is as many lines, and one about the record.
        let text = try Finished.run([Programs.control, "replay", file])
        #expect(text.output.split(separator: "\n").count == lines.count + 1, "\(text)")
        #expect(!lines.contains { $0["kind"]?.string == "replay" }, "\(result.output)")
        return lines
    }

    /// What an event says, without the times, of which the wall clock's are only as exact as the two clocks
    /// can be read together.
    private func essence(_ event: JSONObject) throws -> JSONObject {
        var data = try event.object("data")
        #expect(abs(try data.number("since") - (try event.number("time"))) < 3_600_000_000)
        data["since"] = nil
        return [
            "kind": .string(try event.text("kind")), "text": .string(try event.text("text")),
            "data": .object(data),
        ]
    }

    @Test("After flaps of a carrier, a link and a route it prints the same events, word for word")
    func flaps() throws {
        let network = try Network()
        try network.wired()
        try network.cellular()
        let daemon = try DaemonProcess(in: network)
        let events = try daemon.events()
        let watcher = try daemon.watch()
        for _ in 0..<2 {
            try network.ip("link set p0 down")
            try watcher.wait(for: "none")
            try network.ip("link set p0 up")
            try watcher.wait(for: "ethernet")
        }
        try network.ip("link set e0 down")
        try watcher.wait(for: "cellular")
        try network.carrier("ww0", false)
        try watcher.wait(for: "none")
        try network.carrier("ww0", true)
        try watcher.wait(for: "cellular")
        try network.ip("link set e0 up")
        try network.defaultRoute(0)
        try watcher.wait(for: "ethernet")
        try watcher.settle()

        let replayed = try replay(daemon).filter { ["reachability", "link"].contains($0["kind"]?.string) }
        var told: [JSONObject] = []
        while let event = try events.next(within: .milliseconds(200)) { told.append(event) }
        told = told.filter { ["reachability", "link"].contains($0["kind"]?.string) }
        try #require(told.count >= watcher.posted.count)
        #expect(try replayed.suffix(told.count).map(essence) == told.map(essence))

        let posted = replayed.filter { $0["kind"]?.string == "reachability" }
        #expect(posted.count == watcher.posted.count + 1, "the first state is one more")
        let sequences = try posted.map { try $0.object("data").number("sequence") }
        #expect(sequences == Array(1...Int64(posted.count)))
    }

    @Test(
        "After a storm that went round the ring several times it begins later, and ends as the daemon stands")
    func storm() throws {
        let network = try Network()
        try network.wired()
        let daemon = try DaemonProcess(in: network, holds: .none)
        let watcher = try daemon.watch()
        let once = "echo addr add 10.9.0.1/32 dev lo; echo addr del 10.9.0.1/32 dev lo"
        try network.shell("for n in $(seq 10000); do \(once); done | ip -batch -", within: .seconds(60))
        try network.ip("link set p0 down")
        try watcher.wait(for: "none")
        let lines = try replay(daemon)
        let last = try #require(lines.last { $0["kind"]?.string == "reachability" })
        #expect(try last.object("data").text("status") == "none")
        #expect(try last.object("data").number("sequence") == watcher.current.sequence)
        let size = try FileManager.default.attributesOfItem(atPath: daemon.directory.file("record"))[.size]
        #expect(try #require(size as? Int) > 300_000)
        #expect(try #require(size as? Int) < 1_500_000)
    }

    @Test("A reload is part of the record: holds that change are replayed as they were")
    func reload() throws {
        let network = try Network()
        try network.wired()
        let daemon = try DaemonProcess(in: network, holds: .standard)
        let watcher = try daemon.watch()
        try daemon.rewriteConfiguration(
            "[Reachability]\nLossHold=0\nGainHold=0\nDampMax=0\n[Link e0]\nKind=wifi\n")
        try daemon.call("org.adslotd.Manager.Reload")
        try watcher.wait(for: "wifi")
        try network.ip("link set p0 down")
        try watcher.wait(for: "none")
        let lines = try replay(daemon)
        let words = lines.filter { $0["kind"]?.string == "reachability" }.map {
            $0["data"]?["status"]?.string
        }
        #expect(words == ["ethernet", "wifi", "none"])
        #expect(lines.contains { $0["kind"]?.string == "service" })
    }

    @Test("Only the operator gets it", .enabled(if: isRoot, "only root can be somebody else"))
    func notPermitted() throws {
        let daemon = try DaemonProcess(in: Network())
        try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: daemon.directory.path)
        let file = daemon.directory.file("record")
        let result = try Finished.run(
            ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups", "--", Programs.control]
                + ["--socket", daemon.socket, "record", "--output", file])
        #expect(result.code == 1, "\(result)")
        #expect(result.errors.contains("not permitted"), "\(result)")
        #expect(!FileManager.default.fileExists(atPath: file))
    }

    @Test("Without 'more' it is refused, and readers that leave in the middle cost nothing")
    func leaving() throws {
        let network = try Network()
        try network.wired()
        let daemon = try DaemonProcess(in: network)
        #expect(
            try daemon.refusal(of: "org.adslotd.Manager.Record").name == "org.varlink.service.ExpectedMore")
        let once = "echo addr add 10.9.0.1/32 dev lo; echo addr del 10.9.0.1/32 dev lo"
        try network.shell("for n in $(seq 4000); do \(once); done | ip -batch -", within: .seconds(60))
        for _ in 0..<10 {
            let connection = try daemon.connect()
            let replies = try connection.open("org.adslotd.Manager.Record")
            #expect(try replies.next(within: .seconds(5)) != nil)
            connection.close()
        }
        _ = try replay(daemon)
    }

    @Test("A file that is no record is wrong usage, and the message names it and the place")
    func badFiles() throws {
        let daemon = try DaemonProcess(in: Network())
        let directory = daemon.directory
        _ = try replay(daemon)
        let whole = try Data(contentsOf: URL(filePath: directory.file("record")))
        try whole.dropLast(5).write(to: URL(filePath: directory.file("short")))
        var damaged = whole
        damaged[70] ^= 1
        try damaged.write(to: URL(filePath: directory.file("damaged")))
        try directory.write("something else entirely, and long enough to hold a header", to: "foreign")
        for (name, words) in [
            ("short", "byte \(whole.count - 5): the record ends too early"),
            ("damaged", "byte 40: the record is damaged"), ("foreign", "byte 0: this is no flight record"),
        ] {
            let result = try Finished.run([Programs.control, "replay", directory.file(name)])
            #expect(result.code == 2, "\(result)")
            #expect(result.errors.contains("\(directory.file(name)): \(words)"), "\(result)")
            #expect(result.output.isEmpty)
        }
        #expect(try Finished.run([Programs.control, "replay", directory.file("missing")]).code == 2)
        #expect(try Finished.run([Programs.control, "replay", directory.path]).code == 2)
        let endless = try Finished.run([Programs.control, "replay", "/dev/zero"])
        #expect(endless.code == 2 && endless.errors.contains("byte 8388608"), "\(endless)")
    }

    @Test("What cannot be written leaves what was there, and says so")
    func badOutput() throws {
        let daemon = try DaemonProcess(in: Network())
        for output in [daemon.directory.path, "/proc/record", daemon.directory.file("missing/record")] {
            let result = try run(daemon, "record", "--output", output)
            #expect(result.code == 1, "\(result)")
            #expect(result.errors.contains(output), "\(result)")
        }
        #expect(try run(daemon, "record").code == 2)
        #expect(try run(daemon, "status", "--output", "x").code == 2)
        #expect(try run(daemon, "replay").code == 2)
        let json = try run(daemon, "--json=short", "record", "--output", daemon.directory.file("record"))
        #expect(try JSONValue(reading: json.output)["file"]?.string == daemon.directory.file("record"))
    }
}
