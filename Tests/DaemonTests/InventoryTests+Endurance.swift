import Foundation
import Testing
import Varlink

// What holds over deaths, faults, full disks and sheer number.
extension InventoryTests {
    @Test("Campaigns survive SIGKILL; an upload and an import that it cuts off leave nothing")
    func killed() throws {
        let directory = try ScratchDirectory()
        var daemon = try start(directory)
        let id = try add(daemon)
        let connection = try daemon.connect()
        let creative: JSONObject = [
            "campaign": .integer(id), "creative": ["upload": try upload(connection, Picture.png(320, 50))],
        ]
        try connection.call("org.adslotd.Campaigns.AddCreative", creative)
        let before = try daemon.call("org.adslotd.Campaigns.ListCreatives")
        let pieces = try upload(connection, Picture.png(16, 16))
        let new: JSONValue = ["campaign": .object(Self.campaign), "creatives": [["upload": pieces]]]
        let page = JSONValue.array(Array(repeating: new, count: 600))
        #expect(
            try connection.call("org.adslotd.Campaigns.Import", ["campaigns": page]).number("campaigns")
                == 600)
        #expect(try daemon.call("org.adslotd.Campaigns.List").objects("campaigns").count == 1)
        try daemon.killNow()
        #expect(files(daemon) == ["1.png", "2.png"])
        daemon = try start(directory)
        #expect(try daemon.call("org.adslotd.Campaigns.ListCreatives") == before)
        try waitUntilFiles(daemon, are: ["1.png"])
        #expect(try daemon.call("org.adslotd.Campaigns.List").objects("campaigns").count == 1)
    }

    @Test("An import whose client goes, or that has a fault, leaves nothing")
    func brokenImport() throws {
        let daemon = try start()
        let method = "org.adslotd.Campaigns.Import"
        let right: JSONValue = ["campaign": .object(Self.campaign)]
        var connection = try daemon.connect()
        _ = try connection.call(method, ["campaigns": [right, right]])
        connection.close()
        connection = try daemon.connect()
        let number = try connection.call(method, ["campaigns": [right]]).number("import")
        var wrong = Self.campaign
        wrong["tier"] = 99
        let refusal = try connection.refusal(
            of: method,
            ["import": .integer(number), "campaigns": [right, ["campaign": .object(wrong)]], "last": true])
        #expect(
            try refusal.parameters.objects("faults").map { try $0.text("field") } == ["campaigns[1].tier"])
        let gone = try connection.refusal(
            of: method, ["import": .integer(number), "campaigns": [], "last": true])
        #expect(gone.name == "org.adslotd.Campaigns.NoSuchImport")
        #expect(try daemon.call("org.adslotd.Campaigns.List").objects("campaigns").isEmpty)
        // People read which one it is.
        let file = try daemon.directory.write(
            """
            {"format": "adslotd campaigns", "version": 1, "entries": [
            {"campaign": {"name": "Spring", "advertiser": "a", "price": "1", "currency": "EUR", "tier": 99}}]}
            """, to: "import.json")
        let result = try run(daemon, "campaign", "import", file)
        #expect(result.code == 1, "\(result)")
        #expect(result.errors.contains("campaign 'Spring': tier must be 1 to 16"), "\(result)")
        #expect(result.errors.contains("nothing was imported"), "\(result)")
    }

    @Test("On a full disk a change fails as a whole; with room it is done")
    func fullDisk() throws {
        let (network, directory) = (try Network(), try ScratchDirectory())
        let state = directory.file("state")
        try FileManager.default.createDirectory(atPath: state, withIntermediateDirectories: true)
        try network.shell("mount -t tmpfs -o size=600k tmpfs \(state)")
        let daemon = try DaemonProcess(in: network, directory: directory)
        let id = try add(daemon)
        try network.shell("dd if=/dev/zero of=\(state)/ballast bs=4k count=200 2>/dev/null || true")
        let picture = Picture.noise(30_000)
        let refusal = try daemon.refusal(
            of: "org.adslotd.Campaigns.Upload", ["data": .string(Base64.encode(picture[...])), "last": true])
        #expect(refusal.name == "org.adslotd.Campaigns.Unavailable", "\(refusal)")
        var name = Self.campaign
        var refused: Refusal?
        // The log has some room of its own.
        for count in 1...2_000 where refused == nil {
            name["name"] = .string("campaign \(count) \(String(repeating: "x", count: 200))")
            do { _ = try add(daemon, name) } catch let error as Refusal { refused = error }
        }
        #expect(refused?.name == "org.adslotd.Campaigns.Unavailable", "\(String(describing: refused))")
        try network.shell("rm \(state)/ballast")
        let deadline = Deadline()
        while (try? daemon.call("org.adslotd.Campaigns.Get", ["id": .integer(id)])) == nil, deadline.pause() {
        }
        #expect(try run(daemon, "campaign", "edit", "\(id)", "--tier", "1").code == 0)
        let left = try network.shell("ls \(state)/creatives || true")
        #expect(left.isEmpty, "\(left)")
    }

    @Test("An export is a whole: another device that imports it has the same")
    func transfer() throws {
        let (one, two) = (try start(), try start())
        let scratch = try ScratchDirectory()
        // Longer than a page of the answer.
        try Data(Picture.noise(300_000)).write(to: URL(fileURLWithPath: scratch.file("large.gif")))
        try scratch.write("<p>Schöne \u{1F45F}", to: "page.html")
        for name in ["first", "second"] {
            #expect(
                try run(
                    one, "campaign", "add", name, "--advertiser", "a", "--cpm", "0.000001", "--currency",
                    "EUR", "--hours", "fri 22:00-02:00", "--cap", "3/90min:device", "--disable"
                ).code == 0)
        }
        for arguments in [
            ["1", scratch.file("large.gif")], ["1", scratch.file("page.html"), "--size", "728x90"],
            ["2", scratch.file("large.gif"), "--click", "https://a.example/?a=1&b=2", "--disable"],
            ["2", "--url", "https://cdn.example/v", "--size", "1x1", "--kind", "html"],
        ] {
            let result = try Finished.run(
                [Programs.control, "--socket", one.socket, "creative", "add"] + arguments)
            #expect(result.code == 0, "\(result)")
        }
        let export = try run(one, "campaign", "export")
        #expect(export.code == 0 && export.errors.isEmpty, "\(export.errors)")
        let file = try scratch.write(export.output, to: "export.json")
        let imported = try run(two, "campaign", "import", file)
        #expect(imported.output.hasPrefix("2 campaigns are imported"), "\(imported)")
        #expect(try run(two, "campaign", "export").output == export.output)
        #expect(files(two).count == 2)
        let creatives = try [one, two].map { daemon in
            JSONValue.object(try daemon.call("org.adslotd.Campaigns.ListCreatives")).description
                .replacing(daemon.directory.path, with: "")
        }
        #expect(creatives[0] == creatives[1])
        #expect(try run(two, "campaign", "import", scratch.file("page.html")).code == 2)
    }

    @Test("A list of very many campaigns comes whole and holds up nobody")
    func many() throws {
        let (network, directory) = (try Network(), try ScratchDirectory())
        try DaemonProcess(in: network, directory: directory).killNow()
        let script = """
            import sqlite3, sys
            with sqlite3.connect(sys.argv[1]) as file:
                file.executemany(
                    "INSERT INTO campaigns (revision, name, advertiser, categories, cpm_micros, currency, "
                    "dayparts, tier, weight, caps, enabled) VALUES (1, ?, 'a', '', 1, 'EUR', '', 8, 1, '', 1)",
                    ((f"campaign {number}",) for number in range(20000)))
            """
        let file = "\(directory.file("state"))/ledger.sqlite"
        #expect(try Finished.run(["python3", "-c", script, file]).code == 0)
        let daemon = try DaemonProcess(in: network, directory: directory)
        let list = try Child([
            Programs.control, "--socket", daemon.socket, "--json=short", "campaign", "list",
        ])
        let other = try daemon.connect()
        var slowest = Duration.zero
        repeat {
            let start = ContinuousClock.now
            try other.call("org.adslotd.Reachability.Get")
            slowest = max(slowest, .now - start)
        } while list.exitCode == nil
        try list.waitForExit(within: .seconds(60))
        let pages = try list.output.text.split(separator: "\n").map { try JSONObject.reading(String($0)) }
        #expect(pages.count > 50)
        let names = try pages.flatMap { try $0.objects("campaigns") }.map { try $0.text("name") }
        #expect(names == (0..<20_000).map { "campaign \($0)" })
        // Many times as long it would be were all of it one answer.
        #expect(slowest < .seconds(1), "\(slowest)")
    }
}
