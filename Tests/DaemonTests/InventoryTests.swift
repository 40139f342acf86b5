import Foundation
import Testing
import Varlink

@Suite("The inventory of house campaigns", .ownThread, .needsNamespaces)
struct InventoryTests {
    static let campaign: JSONObject = [
        "name": "Autumn sale", "advertiser": "Shoes Ltd", "price": "2.50", "currency": "EUR",
    ]

    func run(_ daemon: DaemonProcess, _ arguments: String...) throws -> Finished {
        try Finished.run([Programs.control, "--socket", daemon.socket] + arguments)
    }

    func start(_ directory: ScratchDirectory? = nil) throws -> DaemonProcess {
        try DaemonProcess(in: Network(), directory: directory)
    }

    /// The files in the directory of creatives.
    func files(_ daemon: DaemonProcess) -> [String] {
        let path = daemon.directory.file("state/creatives")
        return ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
    }

    func waitUntilFiles(_ daemon: DaemonProcess, are names: [String]) throws {
        let deadline = Deadline()
        while files(daemon) != names {
            guard deadline.pause() else { throw NotInTime(what: "\(names)", account: "\(files(daemon))") }
        }
    }

    /// Adds a campaign.
    func add(_ daemon: DaemonProcess, _ fields: JSONObject = campaign) throws -> Int64 {
        try daemon.call("org.adslotd.Campaigns.Add", ["campaign": .object(fields)]).object("campaign")
            .number("id")
    }

    /// Uploads a file.
    func upload(_ connection: Connection, _ bytes: [UInt8]) throws -> JSONValue {
        let reply = try connection.call(
            "org.adslotd.Campaigns.Upload", ["data": .string(Base64.encode(bytes[...])), "last": true])
        return .integer(try reply.number("upload"))
    }

    @Test("The README's commands, as they stand")
    func readme() throws {
        let text = try Repository.text("README.md")
        let section = try #require(text.components(separatedBy: "## House campaigns\n").last)
        let block = section.split(separator: "\n", omittingEmptySubsequences: false)
            .drop { !$0.hasPrefix("    ") }.prefix { $0.hasPrefix("    ") }.joined(separator: "\n")
        #expect(block.contains("adslotctl campaign add") && block.contains("campaign import"))
        let daemon = try start()
        let scratch = try ScratchDirectory()
        let place = scratch.file("adslotd")
        try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: false)
        try FileManager.default.createSymbolicLink(
            atPath: "\(place)/socket", withDestinationPath: daemon.socket)
        try Data(Picture.png(640, 100)).write(to: URL(fileURLWithPath: scratch.file("banner.png")))
        try scratch.write("<p>Shoes", to: "page.html")
        let script = try scratch.write("set -ex; cd \(scratch.path)\n\(block)", to: "commands")
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        let result = try Finished.run(
            ["sh", script],
            environment: ["XDG_RUNTIME_DIR": scratch.path, "PATH": "\(Programs.directory):\(path)"])
        #expect(result.code == 0, "\(result)")
        #expect(result.output.contains("campaign 1 is added"), "\(result)")
        #expect(result.output.contains("creative 1, 320x50, is added"), "\(result)")
        #expect(result.output.contains("1 campaign is imported"), "\(result)")
        let left = try daemon.call("org.adslotd.Campaigns.List").objects("campaigns")
        #expect(try left.map { try $0.number("id") } == [1])
        #expect(try left[0].number("tier") == 3 && left[0]["end"]?.isNull == true)
    }

    @Test("Dates are taken by the local clock, and shown by it")
    func localTime() throws {
        let daemon = try start()
        for (id, zone, start) in [(1, "Europe/Berlin", 1_796_079_600), (2, "UTC", 1_796_083_200)] {
            let result = try Finished.run(
                [
                    Programs.control, "--socket", daemon.socket, "--json=short", "campaign", "add", "x",
                    "--advertiser", "a", "--cpm", "1", "--currency", "EUR", "--from", "2026-12-01",
                    "--until", "2027-07-01T10:00Z",
                ], environment: ["TZ": zone])
            let campaign = try JSONObject.reading(result.output).object("campaign")
            #expect(try campaign.number("start") == Int64(start) * 1_000_000, "\(zone)")
            #expect(try campaign.number("end") == 1_814_436_000_000_000, "\(zone)")
            let shown = try Finished.run(
                [Programs.control, "--socket", daemon.socket, "campaign", "show", "\(id)"],
                environment: ["TZ": zone])
            #expect(shown.output.contains("2026-12-01 00:00:00"), "\(shown)")
        }
    }

    @Test("Of two editors the second is told, and nothing of his edit is done")
    func conflict() throws {
        let daemon = try start()
        let id = try add(daemon)
        let edit: JSONObject = ["id": .integer(id), "revision": 1, "campaign": ["tier": 3]]
        let edited = try daemon.call("org.adslotd.Campaigns.Edit", edit).object("campaign")
        #expect(try edited.number("revision") == 2 && edited.number("tier") == 3)
        let refusal = try daemon.refusal(
            of: "org.adslotd.Campaigns.Edit", ["id": .integer(id), "revision": 1, "campaign": ["tier": 4]])
        #expect(refusal.name == "org.adslotd.Campaigns.Conflict")
        #expect(try refusal.parameters.number("revision") == 2)
        let stale = try run(daemon, "campaign", "edit", "\(id)", "--tier", "5", "--revision", "1")
        #expect(stale.code == 1 && stale.errors.contains("it is at revision 2"), "\(stale)")
        #expect(
            try daemon.call("org.adslotd.Campaigns.Get", ["id": .integer(id)]).object("campaign")
                .number("tier") == 3)
    }

    @Test("Only what is said changes, and what shall hold nothing is named")
    func partialEdit() throws {
        let daemon = try start()
        var full = Self.campaign
        for (key, value): (String, JSONValue) in [
            ("domain", "shoes.example"), ("start", 1_000_000), ("end", 9_000_000), ("weight", 5),
            ("categories", ["IAB18"]), ("dayparts", ["mon-fri 16:00-01:00", "06:30-09:00"]),
            ("caps", [["count": 3, "windowSeconds": 60, "scope": "device"]]), ("enabled", false),
        ] {
            full[key] = value
        }
        let id = try add(daemon, full)
        let before = try daemon.call("org.adslotd.Campaigns.Get", ["id": .integer(id)]).object("campaign")
        for (key, value) in full.members.map({ ($0.key, $0.value) }) where key != "dayparts" {
            #expect(before[key] == value, "\(key)")
        }
        #expect(before["dayparts"] == ["mon,tue,wed,thu,fri 16:00-01:00", "06:30-09:00"])
        let after = try daemon.call(
            "org.adslotd.Campaigns.Edit",
            [
                "id": .integer(id), "revision": 1, "campaign": ["impressions": 7, "caps": []],
                "clear": ["domain"],
            ]
        ).object("campaign")
        for (key, value): (String, JSONValue) in [
            ("revision", 2), ("impressions", 7), ("weight", nil), ("caps", []), ("domain", nil),
        ] {
            #expect(after[key] == value, "\(key)")
        }
        for key in before.keys
        where !["revision", "impressions", "weight", "caps", "domain"].contains(key) {
            #expect(after[key] == before[key], "\(key)")
        }
    }

    @Test("What is wrong is named by its field")
    func faults() throws {
        let daemon = try start()
        let id = try add(daemon)
        func faults(_ method: String, _ parameters: JSONObject) throws -> [String] {
            let refusal = try daemon.refusal(of: "org.adslotd.Campaigns.\(method)", parameters)
            guard refusal.name == "org.adslotd.Campaigns.InvalidCampaign" else {
                return [refusal.description]
            }
            return try refusal.parameters.objects("faults").map { try $0.text("field") }
        }
        #expect(try faults("Add", ["campaign": [:]]) == ["price", "currency", "name", "advertiser"])
        let wrong: JSONObject = [
            "price": "2.5000001", "currency": "eur", "dayparts": ["mon 09:00-10:00", "fry 1-2"],
            "start": 9_000, "end": 9_000, "weight": 1, "impressions": 1,
        ]
        #expect(
            try faults("Edit", ["id": .integer(id), "revision": 1, "campaign": .object(wrong)])
                == ["price", "currency", "dayparts[1]", "impressions"])
        #expect(
            try faults(
                "Edit", ["id": .integer(id), "revision": 1, "campaign": ["start": 9_000, "end": 9_000]])
                == ["end"])
        #expect(try faults("AddCreative", ["campaign": .integer(id), "creative": [:]]) == ["upload"])
        #expect(
            try faults("AddCreative", ["campaign": .integer(id), "creative": ["address": "http://a.b/"]])
                == ["size"])
        for (method, parameters, parameter): (String, JSONObject, String) in [
            ("Add", ["campaign": ["colour": "red"]], "campaign.colour"),
            ("Add", ["campaign": ["caps": [["count": 1]]]], "campaign.caps[0].windowSeconds"),
            ("Edit", ["id": 1, "revision": 1, "campaign": [:], "clear": ["name"]], "clear"),
            ("Upload", ["data": "!"], "data"),
        ] {
            let refusal = try daemon.refusal(of: "org.adslotd.Campaigns.\(method)", parameters)
            #expect(refusal.parameters["parameter"]?.string == parameter, "\(refusal)")
        }
        for (method, error) in [("Get", "NoSuchCampaign"), ("GetCreative", "NoSuchCreative")] {
            let refusal = try daemon.refusal(of: "org.adslotd.Campaigns.\(method)", ["id": 99])
            #expect(refusal.name == "org.adslotd.Campaigns.\(error)")
        }
    }

    @Test("A file comes in pieces, is checked, and garbage is refused with its reason")
    func upload() throws {
        let daemon = try start()
        let id = try add(daemon)
        let (connection, other) = (try daemon.connect(), try daemon.connect())
        let picture = Picture.png(320, 50)
        let method = "org.adslotd.Campaigns.Upload"
        let first = try connection.call(
            method, ["data": .string(Base64.encode(picture[..<100]))]
        ).number("upload")
        let rest: JSONObject = [
            "upload": .integer(first), "data": .string(Base64.encode(picture[100...])), "last": true,
        ]
        #expect(try other.refusal(of: method, rest).name == "org.adslotd.Campaigns.NoSuchUpload")
        let whole = try connection.call(method, rest)
        #expect(try whole.text("mediaType") == "image/png" && whole.object("size").number("width") == 320)
        let creative: JSONObject = ["campaign": .integer(id), "creative": ["upload": .integer(first)]]
        // It belongs to its connection.
        let foreign = try other.refusal(of: "org.adslotd.Campaigns.AddCreative", creative)
        #expect(foreign.name == "org.adslotd.Campaigns.InvalidCampaign")
        #expect(try connection.call("org.adslotd.Campaigns.AddCreative", creative).number("revision") == 2)
        for (bytes, words) in [
            (Array(picture.dropLast()), "not whole"), ([], "empty"), ([0, 1, 2], "no PNG"),
        ] {
            let refusal = try connection.refusal(
                of: method, ["data": .string(Base64.encode(bytes[...])), "last": true])
            #expect(refusal.name == "org.adslotd.Campaigns.InvalidFile")
            #expect(try refusal.parameters.text("message").contains(words), "\(refusal)")
        }
        let wrongSize = try connection.refusal(
            of: "org.adslotd.Campaigns.AddCreative",
            [
                "campaign": .integer(id),
                "creative": [
                    "upload": try upload(connection, picture), "size": ["width": 300, "height": 50],
                ],
            ])
        #expect(wrongSize.name == "org.adslotd.Campaigns.InvalidFile")
        #expect(try wrongSize.parameters.text("message").contains("320x50"), "\(wrongSize)")
        #expect(files(daemon) == ["1.png"])
        // Another file that nobody came to use goes with its connection.
        _ = try upload(connection, Picture.png(9, 9))
        #expect(files(daemon) == ["1.png", "2.png"])
        connection.close()
        try waitUntilFiles(daemon, are: ["1.png"])
        #expect(try run(daemon, "creative", "remove", "1").code == 0)
        try waitUntilFiles(daemon, are: [])
    }

    @Test("So many uploads arrive at one time and no more")
    func bounds() throws {
        let daemon = try start()
        let connection = try daemon.connect()
        let method = "org.adslotd.Campaigns.Upload"
        for _ in 1...4 { try connection.call(method, ["data": ""]) }
        let refusal = try connection.refusal(of: method, ["data": ""])
        #expect(refusal.name == "org.adslotd.Campaigns.TooMany")
        #expect(try refusal.parameters.number("maximum") == 4)
        connection.close()
        // Their room is free once the daemon has seen that the connection is gone.
        let deadline = Deadline()
        while (try? daemon.call(method, ["data": ""])) == nil, deadline.pause() {}
        try daemon.call(method, ["data": ""])
    }

    @Test(
        "Wrong words are wrong usage",
        arguments: [
            ["campaign"], ["campaign", "add"], ["campaign", "add", "x"], ["campaign", "show", "x"],
            ["campaign", "add", "x", "--advertiser", "a", "--cpm", "1", "--currency", "EUR", "--cap", "3"],
            ["campaign", "add", "x", "--advertiser", "a", "--cpm", "1", "--currency", "EUR", "--no-domain"],
            ["campaign", "edit", "1"], ["campaign", "edit", "1", "--tier", "x"],
            ["campaign", "edit", "1", "--from", "soon"], ["campaign", "edit", "1", "--size", "1x1"],
            ["campaign", "list", "--tier", "1"], ["campaign", "show", "1", "--revision", "2"],
            ["campaign", "edit", "1", "--enable", "--disable"], ["campaign", "import"],
            ["creative", "add", "1"], ["creative", "add", "1", "a.png", "--url", "http://a.b/"],
            ["creative", "add", "1", "--url", "http://a.b/"], ["creative", "edit", "1"],
            ["creative", "remove"], ["creative", "list", "1", "2"], ["status", "--advertiser", "x"],
        ])
    func wrongUsage(arguments: [String]) throws {
        let result = try Finished.run([Programs.control] + arguments)
        #expect(result.code == 2 && !result.errors.isEmpty, "\(result)")
    }

    @Test("The words have a help of their own")
    func help() throws {
        let result = try Finished.run([Programs.control, "campaign", "--help"])
        #expect(result.code == 0 && result.output.contains("campaign add NAME"), "\(result)")
    }
}
