import Foundation
import Testing
import Varlink

@Suite("House campaigns", .ownThread, .needsNamespaces)
struct HouseTests {
    private static let always = HouseInventory.configuration("banner", schedule: "TrustClock=always")
    /// The same, for who comes again at once after there was nothing.
    private static let impatient = HouseInventory.configuration(
        "banner", keys: "RetryInterval=1ms\nRetryMax=1ms", schedule: "TrustClock=always")

    @Test("Without any network a campaign is shown, told and accounted for")
    func shown() throws {
        let daemon = try DaemonProcess(in: Network(), Self.always)
        let house = HouseInventory(of: daemon)
        let (campaign, creative) = try house.add("Autumn sale", ["domain": "shoes.example"])
        let host = try Host(on: daemon)
        try host.waitUntilShown()
        let ad = try #require(host.banner?.creative)
        #expect(try ad.text("id") == "\(creative)" && ad.text("source") == "house")
        #expect(try ad.text("markup") == "<p>Autumn sale</p>" && ad.text("mediaType") == "text/html")
        #expect(ad["advertiserDomains"] == ["shoes.example"] && ad["path"]?.isNull == true)
        let report = try daemon.call("org.adslotd.Ledger.Report", ["by": "campaign"])
        let group = try #require(try report.objects("groups").first { try $0.text("key") != "" })
        #expect(try group.text("key") == "\(campaign) Autumn sale" && group.number("shown") == 1)
        let status = try daemon.call("org.adslotd.Manager.GetStatus").object("schedule")
        #expect(try status.text("clock") == "trusted" && status.number("campaigns") == 1)
        #expect(try house.explanation().contains("Campaign \(campaign) (Autumn sale): the slot has just had"))
        // Whoever takes it out of the inventory takes it from the screen.
        try house.remove(campaign)
        #expect(try host.expect("hide").reason == "expired")
        host.die()
    }

    @Test("A cap of 20 never lets 21 through, over three kills (brave-browser#4207)")
    func cap() throws {
        let (network, directory) = (try Network(), try ScratchDirectory())
        var daemon = try DaemonProcess(in: network, Self.impatient, directory: directory)
        try HouseInventory(of: daemon).add(
            "Capped", ["caps": [["count": 20, "windowSeconds": 86_400, "scope": "device"]]])
        var shown = 0
        for life in 0..<4 {
            for _ in 0..<7 where try HouseInventory(of: daemon).visit() != nil { shown += 1 }
            guard life < 3 else { break }
            try daemon.killNow()
            daemon = try DaemonProcess(in: network, Self.impatient, directory: directory)
        }
        #expect(shown == 20)
        #expect(try HouseInventory(of: daemon).explanation().contains("noFill (capped on this device until"))
    }

    @Test("A cap holds while nothing can be written, and after that")
    func unwritable() throws {
        let (network, directory) = (try Network(), try ScratchDirectory())
        let state = directory.file("state")
        try FileManager.default.createDirectory(atPath: state, withIntermediateDirectories: true)
        try network.shell("mount -t tmpfs -o size=600k tmpfs \(state)")
        var daemon = try DaemonProcess(in: network, Self.impatient, directory: directory)
        try HouseInventory(of: daemon).add(
            "Capped", ["caps": [["count": 5, "windowSeconds": 86_400, "scope": "device"]]])
        try network.shell("dd if=/dev/zero of=\(state)/ballast bs=4k count=200 2>/dev/null || true")
        var shown = 0
        let deadline = Deadline()
        while !daemon.log.text.contains("waits in memory"), deadline.pause() {
            if try HouseInventory(of: daemon).visit() != nil { shown += 1 }
        }
        for _ in 0..<6 where try HouseInventory(of: daemon).visit() != nil { shown += 1 }
        #expect(shown == 5)
        try network.shell("rm \(state)/ballast")
        try daemon.log.wait(for: "state is kept again")
        try daemon.killNow()
        daemon = try DaemonProcess(in: network, Self.impatient, directory: directory)
        #expect(try HouseInventory(of: daemon).visit() == nil)
    }

    @Test("Competitors are never in two slots at once, and the slot that waits asks when it may")
    func separation() throws {
        let daemon = try DaemonProcess(
            in: Network(), HouseInventory.configuration("left", "right", schedule: "TrustClock=always"))
        let house = HouseInventory(of: daemon)
        try house.add("Shoes", ["domain": "shoes.example", "categories": ["IAB18-3"]])
        try house.add("Fashion", ["domain": "fashion.example", "categories": ["IAB18"]])
        let left = try Host(on: daemon, slot: "left")
        try left.waitUntilShown()
        let right = try Host(on: daemon, slot: "right")
        try right.expect("create")
        try right.expect("hide")
        #expect(try house.explanation(of: "right").contains("a competitor is in slot left"))
        try left.update(visible: false)
        try right.waitUntilShown()
        // The ad that was hidden has a competitor now, and does not come back.
        try left.expect("hide")
        try left.update(visible: true)
        try left.expectNothing(for: .milliseconds(200))
        #expect(!left.isShowing && right.isShowing)
        for host in [left, right] { host.die() }
    }

    @Test("Guaranteed impressions come first while they are due, and a tier before the next")
    func guaranteed() throws {
        let daemon = try DaemonProcess(in: Network(), Self.always)
        let house = HouseInventory(of: daemon)
        try house.add("Share", ["weight": 10_000])
        try house.add("Later tier", ["weight": 10_000, "tier": 16])
        try house.add(
            "Guaranteed",
            [
                "impressions": 1_000_000_000, "start": HouseInventory.moment(in: -3_600),
                "end": HouseInventory.moment(in: 3_600),
            ])
        for _ in 1...5 { #expect(try house.visit() == "<p>Guaranteed</p>") }
    }

    @Test("Shares go by weight")
    func weights() throws {
        let daemon = try DaemonProcess(in: Network(), Self.always)
        let house = HouseInventory(of: daemon)
        try house.add("Often", ["weight": 3])
        try house.add("Seldom", ["weight": 1])
        var shown: [String: Int] = [:]
        for _ in 1...20 { shown[try house.visit() ?? "", default: 0] += 1 }
        #expect(shown == ["<p>Often</p>": 15, "<p>Seldom</p>": 5])
    }

    @Test("A slot is not blank until its retry when a flight begins, and the ad leaves at its end")
    func flight() throws {
        let daemon = try DaemonProcess(in: Network(), Self.always)
        let house = HouseInventory(of: daemon)
        let host = try Host(on: daemon)
        try host.expect("create")
        try host.expect("hide")
        let end = Date().addingTimeInterval(5)
        let (campaign, _) = try house.add(
            "Short", ["start": HouseInventory.moment(in: 3), "end": HouseInventory.moment(in: 5)])
        #expect(try house.explanation().contains("Campaign \(campaign) (Short): begins at 20"))
        try host.waitUntilShown()
        #expect(try host.expect("hide").reason == "expired")
        #expect(abs(Date().timeIntervalSince(end)) < 1)
        host.die()
    }

    @Test("A clock that nobody keeps synchronised holds back what has dates, and says so")
    func clock() throws {
        let daemon = try DaemonProcess(in: Network(), HouseInventory.configuration("banner"))
        let house = HouseInventory(of: daemon)
        try house.add("Dated", ["start": HouseInventory.moment(in: -60), "tier": 1])
        let status = try daemon.call("org.adslotd.Manager.GetStatus").object("schedule")
        // What this machine's kernel says.
        if try status.text("clock") == "trusted" {
            #expect(try house.visit() == "<p>Dated</p>")
        } else {
            #expect(try status.text("clock") == "notSynchronised" && status.number("heldBack") == 1)
            #expect(try house.visit() == nil)
            #expect(
                try house.explanation().contains("noFill (held back: the clock is not synchronised)"))
            let shown = try Finished.run([Programs.control, "--socket", daemon.socket, "status"])
            #expect(shown.output.contains("1 with dates or hours held back: the clock is not synchronised"))
        }
        try house.add("Undated", ["tier": 16])
        #expect(try house.visit() != nil)
        try daemon.rewriteConfiguration(Self.always)
        try daemon.call("org.adslotd.Manager.Reload")
        let now = try daemon.call("org.adslotd.Manager.GetStatus").object("schedule")
        #expect(try now.text("clock") == "trusted" && now.number("heldBack") == 0)
    }

    @Test("A file that is removed or cut under the daemon is not shown", arguments: ["removed", "cut"])
    func file(how: String) throws {
        let daemon = try DaemonProcess(in: Network(), Self.always)
        let house = HouseInventory(of: daemon)
        let (_, creative) = try house.add("Broken", ["tier": 1])
        try house.add("Whole", ["tier": 2])
        let path = try house.file(of: creative)
        if how == "cut" {
            try Data("<p>".utf8).write(to: URL(fileURLWithPath: path))
        } else {
            try FileManager.default.removeItem(atPath: path)
        }
        for _ in 1...3 { #expect(try house.visit() == "<p>Whole</p>") }
    }

    @Test("House ads go on where the network is lost, and the network's come first where it is there")
    func unreachable() throws {
        let network = try Network()
        try network.wired()
        let configuration =
            HouseInventory.configuration("banner", schedule: "TrustClock=always")
            .replacing("Sources=house", with: "Sources=test house") + "[Source test]\nDelay=1ms\n"
        let daemon = try DaemonProcess(in: network, configuration, holds: .none)
        try HouseInventory(of: daemon).add("House")
        let host = try Host(on: daemon)
        try host.waitUntilShown()
        #expect(try host.banner?.creative?.text("source") == "test")
        try network.ip("link set e0 down")
        try host.expect("hide")
        try host.waitUntilShown()
        #expect(try host.banner?.creative?.text("source") == "house")
        try network.ip("link set e0 up")
        try network.defaultRoute(0)
        try host.expect("show")
        #expect(try host.banner?.creative?.text("source") == "test")
        host.die()
    }

    @Test("An exchange is told what other slots show, and its competing ad is not taken")
    func exchange() throws {
        let network = try Network()
        let exchange = try Exchange(in: network)
        let daemon = try DaemonProcess(
            in: network,
            Exchange.configuration() + HouseInventory.configuration("other", schedule: "TrustClock=always"))
        let house = HouseInventory(of: daemon)
        try house.add("Shoes", ["domain": "shoes.example", "categories": ["IAB18"]])
        let other = try Host(on: daemon, slot: "other")
        try other.waitUntilShown()
        let banner = try Host(on: daemon)
        try banner.expect("create")
        try banner.expect("hide")
        let request = try exchange.report().request
        #expect(request["badv"] == ["shoes.example"] && request["bcat"] == ["IAB18"])
        #expect(try house.explanation().contains("a competitor is in slot other"))
        other.die()
        try banner.waitUntilShown()
        // And the other way round.
        #expect(try house.visit("other") == nil)
        #expect(try house.explanation(of: "other").contains("a competitor is in slot banner"))
        banner.die()
    }

    @Test("A zone that there is not is refused, and a reload takes another one over")
    func zone() throws {
        let daemon = try DaemonProcess(in: Network(), Self.always)
        try daemon.rewriteConfiguration("[Schedule]\nTimeZone=Europe/Nowhere\n")
        let refusal = try daemon.refusal(of: "org.adslotd.Manager.Reload")
        #expect(try refusal.parameters.number("line") == 2)
        #expect(try refusal.parameters.text("message").contains("found 'Europe/Nowhere'"))
        try daemon.rewriteConfiguration(Self.always + "TimeZone=Asia/Tokyo\nRepeats=never\n")
        try daemon.call("org.adslotd.Manager.Reload")
        let house = HouseInventory(of: daemon)
        try house.add("Alone", ["domain": "a.example"])
        #expect(try house.visit() != nil)
        #expect(try house.visit() == nil)
        #expect(try house.explanation().contains("the slot has just had the same advertiser"))
        let schedule = try daemon.call("org.adslotd.Manager.GetStatus").object("schedule")
        #expect(try schedule.text("timeZone") == "Asia/Tokyo")
    }

    @Test("A thousand ads take no more memory than a hundred")
    func memory() throws {
        let daemon = try DaemonProcess(in: Network(), Self.always)
        let house = HouseInventory(of: daemon)
        try house.add("A", ["caps": [["count": 10_000, "windowSeconds": 60, "scope": "slot"]]])
        try house.add("B")
        for _ in 1...200 { _ = try house.visit() }
        let before = try daemon.figures.residentKiB
        for _ in 1...1_000 { _ = try house.visit() }
        let grown = try daemon.figures.residentKiB - before
        #expect(grown < 1_024, "\(grown) KiB more")
    }
}
