import Foundation
import Testing
import Varlink

@Suite("The ledger", .ownThread, .needsNamespaces)
struct LedgerTests {
    private static let seen = "[Slot banner]\nMinimumView=0\nMinimumInterval=0\n"

    private func run(_ daemon: DaemonProcess, _ arguments: String...) throws -> Finished {
        try Finished.run([Programs.control, "--socket", daemon.socket] + arguments)
    }

    /// All rows.
    private func rows(_ daemon: DaemonProcess, _ arguments: String...) throws -> [JSONObject] {
        let result = try Finished.run(
            [Programs.control, "--socket", daemon.socket, "ledger", "export"] + arguments)
        #expect(result.code == 0, "\(result)")
        return try result.output.split(separator: "\n").map { try JSONObject.reading(String($0)) }
    }

    @Test("An ad's life is exported, as JSON and as CSV, and survives SIGKILL")
    func life() throws {
        let (network, directory) = (try Network(), try ScratchDirectory())
        try network.wired()
        var daemon = try DaemonProcess(in: network, Self.seen, directory: directory)
        let host = try Host(on: daemon, name: "=clock")
        try host.waitUntilShown()
        let action = try host.click()
        // A call that is answered is on disk.
        try daemon.killNow()
        daemon = try DaemonProcess(in: network, Self.seen, directory: directory)
        let kept = try rows(daemon)
        #expect(try kept.map { try $0.text("kind") } == ["request", "fill", "shown", "impression", "action"])
        #expect(try kept.allSatisfy { try $0.text("path") == "ethernet" && $0.text("slot") == "banner" })
        #expect(try kept.map { try $0.number("sequence") } == [1, 2, 3, 4, 5])
        #expect(kept.last?["ended"]?.isNull == true && action == 1)
        #expect(try rows(daemon, "--until", "1h").isEmpty)
        #expect(try rows(daemon, "--since", "1h").count == 5)
        let csv = try run(daemon, "ledger", "export", "--format", "csv")
        let lines = csv.output.split(whereSeparator: \.isNewline).map(String.init)
        #expect(lines.count == 6, "\(csv)")
        #expect(lines[0].hasPrefix("sequence,id,kind,time,trusted,slot,host,"))
        #expect(lines[1].contains(",banner,'=clock,test,"), "\(lines[1])")
        #expect(
            lines.allSatisfy {
                $0.split(separator: ",", omittingEmptySubsequences: false).count == 18
            })
    }

    @Test("The end of a view and of an action complete their rows")
    func ends() throws {
        let network = try Network()
        try network.wired()
        let daemon = try DaemonProcess(in: network, Self.seen)
        let host = try Host(on: daemon)
        try host.waitUntilShown()
        try host.finish(host.click())
        try host.update(visible: false)
        let kept = try rows(daemon)
        let impression = try #require(kept.first { $0["kind"]?.string == "impression" })
        #expect(try impression.number("ended") >= impression.number("time"))
        #expect(try impression.number("visible") > 0)
        let action = try #require(kept.first { $0["kind"]?.string == "action" })
        #expect(try action.text("reason") == "finished")
        #expect(try action.number("ended") >= action.number("time"))
        host.die()
    }

    @Test("A report sums it up, with the time in which the network was not reachable")
    func report() throws {
        let network = try Network()
        try network.wired()
        let daemon = try DaemonProcess(in: network, Self.seen, holds: .none)
        let watcher = try daemon.watch()
        let host = try Host(on: daemon)
        try host.waitUntilShown()
        try host.finish(host.click())
        try network.ip("link set e0 down")
        _ = try watcher.wait(for: "none")
        let reply = try daemon.call("org.adslotd.Ledger.Report", ["by": "slot"])
        let total = try reply.object("total")
        for counter in ["requests", "fills", "shown", "impressions", "actions"] {
            #expect(try total.number(counter) == 1, "\(counter)")
        }
        #expect(try total.number("watched") > 0 && total.number("unreachable") > 0)
        #expect(try reply.objects("groups").map { try $0.text("key") } == ["banner"])
        for grouping in ["slot", "source", "campaign", "hour", "path"] {
            let result = try run(daemon, "report", "--by", grouping, "--since", "2h")
            #expect(result.code == 0 && result.output.contains("100.0 %"), "\(result)")
            #expect(result.output.contains("Fill rate: fills of the requests"), "\(result)")
        }
        let wrong = try daemon.refusal(of: "org.adslotd.Ledger.Report", ["since": 5, "until": 4])
        #expect(wrong.name == "org.varlink.service.InvalidParameter")
        let hours = try daemon.call(
            "org.adslotd.Ledger.Report", ["since": 3_600_000_001, "until": 7_200_000_000])
        #expect(try hours.number("since") == 3_600_000_000 && hours.number("until") == 7_200_000_000)
        host.die()
    }

    @Test("A disk that is full loses no row: they wait, and the status says so")
    func full() throws {
        let (network, directory) = (try Network(), try ScratchDirectory())
        try network.wired()
        let state = directory.file("state")
        try FileManager.default.createDirectory(atPath: state, withIntermediateDirectories: true)
        try network.shell("mount -t tmpfs -o size=400k tmpfs \(state)")
        let daemon = try DaemonProcess(
            in: network, Self.seen + "RefreshInterval=30s\n[Source test]\nDelay=1ms\n", directory: directory)
        try network.shell("dd if=/dev/zero of=\(state)/ballast bs=4k count=100 2>/dev/null || true")
        let host = try Host(on: daemon)
        try host.waitUntilShown()
        let deadline = Deadline()
        while !daemon.log.text.contains("waits in memory"), deadline.pause() {
            try host.finish(host.click())
        }
        let status = try daemon.call("org.adslotd.Ledger.GetStatus").object("status")
        #expect(try status.text("failing").contains("ledger.sqlite") && status.number("waiting") > 0)
        // What is on the disk can be read, and has no gap.
        let before = try rows(daemon).map { try $0.number("sequence") }
        #expect(!before.isEmpty && before == Array(1...Int64(before.count)))
        #expect(try run(daemon, "ledger", "status").output.contains("cannot be written"))
        try network.shell("rm \(state)/ballast")
        // Without anything new to write.
        try daemon.log.wait(for: "state is kept again")
        let kept = try rows(daemon)
        let slot = try daemon.slot()
        let counted = try kept.count { try $0.text("kind") == "action" }
        #expect(try Int64(counted) == slot.number("actions"))
        let numbers = try kept.map { try $0.number("sequence") }
        #expect(numbers == Array(1...Int64(kept.count)))
        host.die()
    }

    @Test("A slow reader of an export holds up nobody, and gets all of it")
    func manyRows() throws {
        let (network, directory) = (try Network(), try ScratchDirectory())
        try network.wired()
        let first = try DaemonProcess(in: network, directory: directory)
        #expect(try first.terminate() == 0)
        let script = """
            import sqlite3, sys, os
            with sqlite3.connect(sys.argv[1]) as file:
                file.executemany(
                    "INSERT INTO entries (sequence, id, kind, wall, trusted, at, slot, creative) "
                    "VALUES (?, ?, 'request', ?, 1, 0, 'banner', ?)",
                    ((n, os.urandom(16), n * 1000, 'x' * 100) for n in range(1, 5001)))
                file.execute("INSERT INTO hours VALUES (0, 1, 5000)")
            """
        let file = "\(directory.file("state"))/ledger.sqlite"
        #expect(try Finished.run(["python3", "-c", script, file]).code == 0)
        let daemon = try DaemonProcess(in: network, directory: directory)
        // A reader that takes its time, and others who are served meanwhile.
        let slow = try daemon.connect().open("org.adslotd.Ledger.Export")
        _ = try slow.next()
        #expect(try run(daemon, "ledger", "export").output.split(separator: "\n").count == 5_000)
        let status = try daemon.call("org.adslotd.Ledger.GetStatus").object("status")
        #expect(
            try status.number("last") == 5_000)
        #expect(try run(daemon, "ledger", "status").output.contains("1 to 5000"))
        var count = 200
        while let page = try slow.next(within: .seconds(5)) {
            count += try page.objects("entries").count
            if count >= 5_000 { break }
        }
        #expect(count == 5_000)
        slow.close()
    }

    @Test(
        "Wrong words are wrong usage",
        arguments: [
            ["ledger"], ["ledger", "export", "--since", "soon"], ["ledger", "export", "--format", "xml"],
            ["ledger", "status", "--since", "1h"], ["report", "--by", "moon"], ["report", "x"],
            ["status", "--since", "1h"], ["report", "--since", "2026-02-30"],
            ["report", "--since", "2026-01-02", "--until", "2026-01-01"],
        ])
    func wrongUsage(arguments: [String]) throws {
        let result = try Finished.run([Programs.control] + arguments)
        #expect(result.code == 2 && !result.errors.isEmpty, "\(result)")
    }

    @Test(
        "Moments are taken as RFC 3339 writes them",
        arguments: [
            ("2026-11-30", 1_795_996_800), ("2024-02-29T12:30Z", 1_709_209_800),
            ("2026-11-30T01:00:05+01:00", 1_795_996_805), ("1969-12-31T23:00-01:00", 0), ("1970-01-01", 0),
        ])
    func moments(text: String, seconds: Int64) throws {
        let daemon = try DaemonProcess(in: Network())
        let result = try run(daemon, "--json=short", "report", "--since", text)
        let reply = try JSONObject.reading(result.output)
        #expect(try reply.number("since") == seconds / 3_600 * 3_600_000_000, "\(result)")
    }
}

@Suite("Notices to bidders are delivered", .ownThread, .needsNamespaces)
struct NoticeTests {
    /// Puts notices into the ledger of a daemon that does not run.
    private func put(_ urls: [String], _ directory: ScratchDirectory) throws {
        let script = """
            import sqlite3, sys
            with sqlite3.connect(sys.argv[1]) as file:
                for number, url in enumerate(sys.argv[2:]):
                    origin = "/".join(url.split("/")[:3])
                    file.execute(
                        "INSERT INTO outbox (id, kind, url, origin, wall, trusted, attempts) "
                        "VALUES (?, 'billing', ?, ?, ?, 0, 0)", (f"n{number}", url, origin, number))
            """
        let file = "\(directory.file("state"))/ledger.sqlite"
        let result = try Finished.run(["python3", "-c", script, file] + urls)
        #expect(result.code == 0, "\(result)")
    }

    private func waiting(_ daemon: DaemonProcess) throws -> Int64 {
        try daemon.call("org.adslotd.Ledger.GetStatus").object("status").number("unsentNotices")
    }

    @Test(
        "What an earlier run left is sent once the network is there: in order, once, deleted on the answer"
    )
    func delivered() throws {
        let (network, directory) = (try Network(), try ScratchDirectory())
        try DaemonProcess(in: network, directory: directory).killNow()
        try put(
            (1...20).map { "http://10.0.0.2:8080/burl?n=\($0)" } + ["http://10.0.0.2:8081/gone"], directory)
        let daemon = try DaemonProcess(in: network, directory: directory)
        #expect(try waiting(daemon) == 21)
        try network.wired()
        let peer = try Child(
            network.inside(["python3", "-u", Resources.file("notice_peer.py"), "10.0.0.2", "8080", "200"]))
        let other = try Child(
            network.inside(["python3", "-u", Resources.file("notice_peer.py"), "10.0.0.2", "8081", "404"]))
        for child in [peer, other] { #expect(try child.output.takeLine() == "ready", "\(child.errors.text)") }
        for number in 1...20 { #expect(try peer.output.takeLine() == "/burl?n=\(number)") }
        try daemon.log.wait(for: "given up: the server answered 404")
        let deadline = Deadline()
        while try waiting(daemon) > 0, deadline.pause() {}
        #expect(try waiting(daemon) == 0)
        try daemon.killNow()
        let again = try DaemonProcess(in: network, directory: directory)
        #expect(try waiting(again) == 0)
        let rows = try Finished.run([Programs.control, "--socket", again.socket, "ledger", "export"])
        #expect(rows.output.contains("billing n20: the server answered 404"), "\(rows)")
    }

    @Test("A server is left alone for as long as it asks for")
    func retryAfter() throws {
        let (network, directory) = (try Network(), try ScratchDirectory())
        try network.wired()
        try DaemonProcess(in: network, directory: directory).killNow()
        try put(["http://10.0.0.2:8080/a"], directory)
        let peer = try Child(
            network.inside([
                "python3", "-u", Resources.file("notice_peer.py"), "10.0.0.2", "8080", "503:2", "200",
            ]))
        #expect(try peer.output.takeLine() == "ready", "\(peer.errors.text)")
        let daemon = try DaemonProcess(in: network, directory: directory)
        #expect(try peer.output.takeLine() == "/a")
        let asked = ContinuousClock.now
        #expect(try peer.output.takeLine() == "/a")
        // The back-off would be four seconds at the least.
        let pause = ContinuousClock.now - asked
        #expect(pause >= .seconds(1.9) && pause < .seconds(3.9), "\(pause)")
        let deadline = Deadline()
        while try waiting(daemon) > 0, deadline.pause() {}
        #expect(try waiting(daemon) == 0)
    }

    @Test("SIGKILL before the answer leaves it there; a duplicate is done")
    func killed() throws {
        let (network, directory) = (try Network(), try ScratchDirectory())
        try network.wired()
        try DaemonProcess(in: network, directory: directory).killNow()
        try put(["http://10.0.0.2:8080/a"], directory)
        // A server that takes the call and says nothing.
        let silent = try Child(
            network.inside([
                "python3", "-u", "-c",
                """
                import socket
                server = socket.create_server(("10.0.0.2", 8080))
                print("ready", flush=True)
                print(server.accept()[0].recv(9).decode(), flush=True)
                import time; time.sleep(60)
                """,
            ]))
        #expect(try silent.output.takeLine() == "ready", "\(silent.errors.text)")
        let first = try DaemonProcess(in: network, directory: directory)
        #expect(try silent.output.takeLine() == "GET /a HT")
        try first.killNow()
        silent.signal(9)
        try silent.waitForExit()
        let peer = try Child(
            network.inside(["python3", "-u", Resources.file("notice_peer.py"), "10.0.0.2", "8080", "409"]))
        #expect(try peer.output.takeLine() == "ready", "\(peer.errors.text)")
        let daemon = try DaemonProcess(in: network, directory: directory)
        #expect(try peer.output.takeLine() == "/a")
        let deadline = Deadline()
        while try waiting(daemon) > 0, deadline.pause() {}
        #expect(try waiting(daemon) == 0)
    }
}
