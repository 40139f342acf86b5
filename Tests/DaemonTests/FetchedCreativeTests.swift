import Foundation
import Testing
import Varlink

@Suite("Creatives that are fetched", .ownThread, .needsNamespaces)
struct FetchedCreativeTests {
    private static func configuration(_ creatives: String = "", links: String = "") -> String {
        HouseInventory.configuration("banner", schedule: "TrustClock=always")
            + "[Creatives]\n\(creatives)\n\(links)\n"
    }

    /// A campaign with a picture of 320x50 that comes from the server.
    @discardableResult
    private func add(
        _ path: String, to daemon: DaemonProcess, _ fields: JSONObject = [:]
    ) throws -> (campaign: Int64, creative: Int64) {
        let house = HouseInventory(of: daemon)
        return try house.add(path, fields, address: PictureServer.address(path))
    }

    /// How it stands with the file of a creative, once it is as said.
    @discardableResult
    private func wait(
        for words: String, _ creative: Int64, on daemon: DaemonProcess,
        at place: SourceLocation = #_sourceLocation
    ) throws -> String {
        let deadline = Deadline()
        while true {
            let reply = try daemon.call("org.adslotd.Campaigns.GetCreative", ["id": .integer(creative)])
            let text = try reply.object("creative").text("fetch")
            if words == "fetched" ? text == words : text.contains(words) { return text }
            guard deadline.pause() else {
                throw NotInTime(what: "'\(words)' and not '\(text)'", account: daemon.log.text)
            }
        }
    }

    @Test("One is fetched, checked, shown from the daemon's own copy, and still there without the network")
    func shown() throws {
        let (network, directory) = (try Network(), try ScratchDirectory())
        let server = try PictureServer(in: network)
        let bytes = try server.put("/a.png", 640, 100)
        var daemon = try DaemonProcess(in: network, Self.configuration(), directory: directory)
        let (_, creative) = try add("/a.png", to: daemon)
        let host = try Host(on: daemon)
        try host.waitUntilShown()
        let ad = try #require(host.banner?.creative)
        let path = try ad.text("path")
        #expect(path.hasPrefix(directory.file("state/fetched")) && ad["markup"]?.isNull == true)
        #expect(try ad.text("mediaType") == "image/png" && ad.text("id") == "\(creative)")
        let content = try Data(contentsOf: URL(fileURLWithPath: path))
        #expect(content.count == bytes && content.starts(with: [0x89, 0x50, 0x4E, 0x47]))
        try wait(for: "fetched", creative, on: daemon)
        // After a death and without a network it is there at once, and is not asked for again.
        try daemon.killNow()
        try network.ip("link set e0 down")
        daemon = try DaemonProcess(in: network, Self.configuration(), directory: directory)
        let again = try Host(on: daemon)
        try again.waitUntilShown()
        #expect(try again.banner?.creative?.text("path") == path)
        #expect(try server.asked() == ["/a.png"])
    }

    @Test(
        "What is not whole, is something else, of another size, or not there, is never shown, and why is told",
        arguments: [
            ("cut", "not fetched"), ("html", "text/html, which is not"), ("404", "status 404"),
            ("503", "status 503"), ("wrong", "the picture has 300x50 pixels"), ("slow", "being fetched"),
        ])
    func unfit(manner: String, words: String) throws {
        let network = try Network()
        let server = try PictureServer(in: network)
        try server.put("/a.png", manner == "wrong" ? 300 : 320)
        if manner != "wrong" { try server.answer("/a.png", by: manner) }
        let daemon = try DaemonProcess(in: network, Self.configuration())
        let (_, creative) = try add("/a.png", to: daemon)
        let host = try Host(on: daemon)
        try wait(for: words, creative, on: daemon)
        #expect(!host.isShowing)
        let list = try Finished.run([Programs.control, "--socket", daemon.socket, "creative", "list"])
        #expect(list.output.contains(words), "\(list)")
        // An edit takes nothing of that away.
        let campaign = try daemon.call("org.adslotd.Campaigns.GetCreative", ["id": .integer(creative)])
            .object("creative").number("campaign")
        try HouseInventory(of: daemon).edit(campaign, ["tier": 2])
        try wait(for: words, creative, on: daemon)
        let left = try FileManager.default.contentsOfDirectory(atPath: daemon.directory.file("state"))
        #expect(!left.contains("fetched"), "nothing half is left on the disk")
    }

    @Test("A daemon that is killed in the midst of a fetch has nothing half, and fetches it again")
    func killed() throws {
        let (network, directory) = (try Network(), try ScratchDirectory())
        let server = try PictureServer(in: network)
        try server.put("/a.png")
        try server.answer("/a.png", by: "slow")
        var daemon = try DaemonProcess(in: network, Self.configuration(), directory: directory)
        let (_, creative) = try add("/a.png", to: daemon)
        try wait(for: "being fetched", creative, on: daemon)
        try daemon.killNow()
        try server.answer("/a.png", by: "serve")
        daemon = try DaemonProcess(in: network, Self.configuration(), directory: directory)
        let host = try Host(on: daemon)
        try host.waitUntilShown()
        let names = try FileManager.default.contentsOfDirectory(atPath: directory.file("state/fetched"))
        #expect(names == ["1.png"])
    }

    @Test("What is to come is fetched ahead, but not over a path that costs money; there a budget holds")
    func metered() throws {
        let (network, directory) = (try Network(), try ScratchDirectory())
        let server = try PictureServer(in: network)
        let bytes = try ["/now.png", "/more.png", "/soon.png"].map { try server.put($0) }
        let tomorrow: JSONObject = [
            "start": .integer(Int64(Date().timeIntervalSince1970 + 86_400) * 1_000_000)
        ]
        let metered = "[Link e*]\nMetered=yes"
        let budget = "MeteredBudget=\(bytes[0] + bytes[1] / 2)"
        var daemon = try DaemonProcess(
            in: network, Self.configuration(budget, links: metered), directory: directory)
        let now = try add("/now.png", to: daemon)
        try wait(for: "fetched", now.creative, on: daemon)
        let more = try add("/more.png", to: daemon)
        let soon = try add("/soon.png", to: daemon, tomorrow)
        try wait(for: "that are left of MeteredBudget= today", more.creative, on: daemon)
        try wait(for: "not fetched: it is wanted later", soon.creative, on: daemon)
        // A restart brings no second budget.
        try daemon.killNow()
        daemon = try DaemonProcess(
            in: network, Self.configuration(budget, links: metered), directory: directory)
        try wait(for: "that are left of MeteredBudget= today", more.creative, on: daemon)
        #expect(try server.asked() == ["/now.png", "/more.png", "/more.png"])
        // Where the path costs nothing, all of it comes.
        try daemon.rewriteConfiguration(DaemonProcess.Holds.short.configuration + Self.configuration(budget))
        try daemon.call("org.adslotd.Manager.Reload")
        try wait(for: "fetched", more.creative, on: daemon)
        try wait(for: "fetched", soon.creative, on: daemon)
    }

    @Test("Above the bound what was used last stays, what runs is never driven out, and that is said")
    func bound() throws {
        let network = try Network()
        let server = try PictureServer(in: network)
        // Each a little more than a third of the bound.
        for path in ["/a.png", "/b.png", "/c.png"] { try server.put(path, 960, 150) }
        let daemon = try DaemonProcess(in: network, Self.configuration("SizeMax=1M"))
        let house = HouseInventory(of: daemon)
        let a = try add("/a.png", to: daemon)
        try wait(for: "fetched", a.creative, on: daemon)
        let b = try add("/b.png", to: daemon)
        try wait(for: "fetched", b.creative, on: daemon)
        let c = try add("/c.png", to: daemon)
        try wait(for: "no room", c.creative, on: daemon)
        try daemon.log.wait(for: "SizeMax= has no room for")
        try house.edit(b.campaign, ["enabled": false])
        try wait(for: "fetched", c.creative, on: daemon)
        try wait(for: "waits to be fetched", b.creative, on: daemon)
        // With its campaign a file goes from the disk.
        try house.remove(a.campaign)
        let deadline = Deadline()
        let directory = daemon.directory.file("state/fetched")
        while try FileManager.default.contentsOfDirectory(atPath: directory).count > 1 {
            try #require(deadline.pause())
        }
    }
}
