import Foundation
import Testing
import Varlink

@Suite("Demand over OpenRTB", .ownThread, .needsNamespaces)
struct DemandTests {
    @Test(
        "A bid is shown, won and billed once (prebid-mobile-ios#1174), every macro replaced (PR#1253)"
    )
    func wholePath() throws {
        let network = try Network()
        let exchange = try Exchange(in: network)
        let daemon = try DaemonProcess(
            in: network, Exchange.configuration(source: "BidFloor=0.35", slot: "MinimumView=200ms"))
        let host = try Host(on: daemon)
        try host.waitUntilShown()
        let creative = try #require(host.banner?.creative)
        #expect(try creative.text("id") == "creative-1" && creative.text("source") == "ex")
        #expect(try creative.text("mediaType") == "text/html")
        let image = "<img src=\"https://cdn.example/1.25.png\">"
        #expect(
            try creative.text("markup") == "<a href=\"https://shoes.example/?a=1&amp;b=2\">\(image)</a>")
        #expect(try creative.text("clickURL") == "https://shoes.example/?a=1&b=2")
        #expect(creative["advertiserDomains"] == ["shoes.example"])

        let report = try exchange.wait(for: "a billing notice") { try !$0.notices("billing").isEmpty }
        let id = try report.request.text("id")
        let common =
            "?id=\(id)&bid=response-1&imp=1&seat=seat%261&ad=ad%201&price=1.25&cur=USD&mbr=1&loss=&min=0.35"
            + "&times="
        #expect(try report.notices("win") == ["/win\(common)&at=&new="])
        let billing = try #require(try report.notices("billing").first)
        #expect(billing.hasPrefix("/billing\(common)&at=") && billing.hasSuffix("&new="))
        let time = try #require(Int64(billing.dropFirst("/billing\(common)&at=".count).dropLast(5)))
        #expect(abs(time - Int64(Date().timeIntervalSince1970 * 1_000)) < 60_000)

        // Shown again, it is the same impression.
        for _ in 1...2 {
            try host.update(visible: false)
            try host.expect("hide")
            try host.update(visible: true)
            try host.expect("show")
            try host.expectNothing(for: .milliseconds(300))
        }
        let after = try exchange.report()
        #expect(try after.notices("billing").count == 1 && after.notices("win").count == 1)
        #expect(try after.notices("loss").isEmpty)
        #expect(try daemon.slot().number("impressions") == 1)
    }

    @Test("An ad that is never in view for long enough is won, and not billed")
    func notSeen() throws {
        let network = try Network()
        let exchange = try Exchange(in: network)
        let daemon = try DaemonProcess(in: network, Exchange.configuration(slot: "MinimumView=1h"))
        let host = try Host(on: daemon)
        try host.waitUntilShown()
        try exchange.wait(for: "a win notice") { try $0.notices("win").count == 1 }
        host.die()
        try daemon.waitUntilDetached()
        #expect(try exchange.report().notices("billing").isEmpty)
    }

    @Test("Nothing is told that was not configured; the time is told without our own overhead")
    func bareRequest() throws {
        let network = try Network()
        let exchange = try Exchange(in: network)
        let daemon = try DaemonProcess(
            in: network, Exchange.configuration(source: "Overhead=250ms\nTimeout=4s"))
        let host = try Host(on: daemon)
        try host.waitUntilShown()
        let request = try exchange.report().request
        #expect(request.keys == ["id", "imp", "device", "at", "tmax", "cur"])
        #expect(request["device"] == ["connectiontype": 1])
        #expect(try request.number("tmax") == 3_750)
        #expect(request["imp"]?[0]?["tagid"] == "banner")
        #expect(request["imp"]?[0]?["banner"]?["format"] == [["w": 320, "h": 50]])
        #expect(try request.text("id").utf8.count == 32)
    }

    @Test("Everything that can be configured is told as the specification wants it", .needs(.tap))
    func fullRequest() throws {
        let network = try Network()
        let exchange = try Exchange(in: network)
        let daemon = try DaemonProcess(in: network, Exchange.configuration(source: Self.everything))
        let host = try Host(on: daemon)
        try host.waitUntilShown()
        let request = try exchange.report().request
        #expect(
            request.keys == [
                "id", "imp", "dooh", "device", "user", "test", "at", "tmax", "cur", "bcat", "cattax", "badv",
                "bapp", "regs",
            ])
        let device = try request.object("device")
        #expect(
            device.keys == [
                "ua", "geo", "dnt", "lmt", "devicetype", "w", "h", "language", "connectiontype", "ifa",
            ])
        #expect(
            try request.object("regs").keys == ["coppa", "gdpr", "us_privacy", "gpp", "gpp_sid"])
        #expect(request["imp"]?[0]?["qty"]?["multiplier"]?.double == 14.2)
        #expect(request["imp"]?[0]?["bidfloor"]?.double == 0.35)
    }

    private static let everything = """
        BidFloor=0.35
        Currency=EUR
        TagId=lobby-1
        Position=5
        TopFrame=yes
        Secure=no
        Test=yes
        Expires=10min
        DoohId=screen9
        DoohName=Lobby, ground floor
        DoohDomain=station.example
        DoohVenueTypes=transit.airports transit.subway
        PublisherId=p1
        PublisherName=Station
        PublisherDomain=station.example
        QtyMultiplier=14.2
        QtySourceType=1
        QtyVendor=count.example
        DeviceType=8
        UserAgent=Kiosk/1 (Linux)
        Language=de
        ScreenSize=1920x1080
        Location=52.52,-13.4
        Country=DEU
        DeviceId=38400000-8cf0-11bd-b23e-10b96e40000d
        Gdpr=yes
        Consent=CPXxRfAPXxRfAAfKABENB
        Coppa=no
        UsPrivacy=1YNN
        Gpp=DBAA
        GppSid=2 6
        Lmt=yes
        Dnt=no
        BlockedCategories=IAB25 IAB7-39
        BlockedDomains=rival.example
        BlockedApps=com.rival
        BlockedAttributes=1 6
        BlockedTypes=4
        """

    @Test("The network that it leaves by is told", .needs(.tap))
    func connectionType() throws {
        let network = try Network()
        let exchange = try Exchange(in: network)
        let daemon = try DaemonProcess(
            in: network, "[Link e0]\nKind=cellular\n" + Exchange.configuration())
        let host = try Host(on: daemon)
        try host.waitUntilShown()
        #expect(try exchange.report().request["device"] == ["connectiontype": 3])
    }

    @Test("No-fill after no-fill goes over one connection, and the next source is asked")
    func reuseAndFailover() throws {
        let network = try Network()
        let exchange = try Exchange(in: network)
        try exchange.tell("status 204")
        let daemon = try DaemonProcess(in: network, Exchange.configuration())
        let host = try Host(on: daemon)
        let report = try exchange.wait(for: "ten requests") { try $0.requests >= 10 }
        #expect(try report.connections == 1)
        #expect(!host.isShowing)
        let second = "[Source own]\nKind=test\n"
        try daemon.rewriteConfiguration(
            DaemonProcess.Holds.short.configuration + Exchange.configuration(sources: "ex own") + second)
        try daemon.call("org.adslotd.Manager.Reload")
        try host.waitUntilShown()
        #expect(try host.banner?.creative?.text("source") == "own")
    }

    @Test("An ad that expires leaves the screen, and is not shown again")
    func expiry() throws {
        let network = try Network()
        let exchange = try Exchange(in: network)
        try exchange.tell(#"bid {"exp":1}"#)
        let daemon = try DaemonProcess(in: network, Exchange.configuration(slot: "MinimumView=1h"))
        let host = try Host(on: daemon)
        try host.waitUntilShown()
        try exchange.tell("status 204")
        let hide = try host.expect("hide")
        #expect(hide.reason == "expired")
        try exchange.tell(#"bid {"exp":1}"#)
        try host.waitUntilShown()
        try exchange.tell("status 204")
        try host.update(visible: false)
        try host.expect("hide")
        try host.expectNothing(for: .seconds(1.2))
        try host.update(visible: true)
        try daemon.waitForStep("expired while it was hidden")
        try daemon.waitForStep("Source ex failed: noFill (status 204)")
        #expect(!host.isShowing)
    }

    @Test("Notices that were not taken are sent again, and come once each")
    func notices() throws {
        let network = try Network()
        let exchange = try Exchange(in: network)
        try exchange.tell("notices 503 500")
        try exchange.tell(
            #"bids [{"price":1},{"price":2,"adid":"best"},{"price":1.5},{"price":9,"impid":"7"}]"#)
        let daemon = try DaemonProcess(in: network, Exchange.configuration(slot: "MinimumView=100ms"))
        let host = try Host(on: daemon)
        try host.waitUntilShown()
        let report = try exchange.wait(for: "all notices", within: .seconds(60)) {
            try $0.notices("loss").count == 3 && $0.notices("win").count == 1
                && $0.notices("billing").count == 1
        }
        #expect(
            try report.notices("win").allSatisfy {
                $0.contains("ad=best&price=2&") && $0.contains("min=1.5&")
            })
        let losses = try report.notices("loss").sorted()
        #expect(losses.filter { $0.contains("&loss=102&min=2&") }.count == 2)
        #expect(losses.filter { $0.contains("&loss=3&min=&") }.count == 1)
        #expect(losses.allSatisfy { $0.contains("&price=&") })
    }

    @Test("Notices wait for the network")
    func noticesOffline() throws {
        let network = try Network()
        let exchange = try Exchange(in: network)
        try exchange.tell("notices" + String(repeating: " 503", count: 50))
        let daemon = try DaemonProcess(in: network, Exchange.configuration(slot: "MinimumView=1h"))
        let host = try Host(on: daemon)
        try host.waitUntilShown()
        try exchange.wait(for: "an attempt") { try !$0.object.objects("notices").isEmpty }
        try exchange.tell("link p0 down")
        try host.expect("hide")
        try host.expect("release")
        try exchange.tell("notices")
        try host.expectNothing(for: .seconds(1.5))
        #expect(try exchange.report().notices("win").isEmpty)
        try exchange.tell("status 204")
        try exchange.tell("link p0 up")
        try exchange.wait(for: "the win notice") { try $0.notices("win").count == 1 }
        try daemon.log.wait(for: "is delivered")
    }

    @Test("Notices outlive the daemon's death, and come once each")
    func noticesAfterDeath() throws {
        let (network, directory) = (try Network(), try ScratchDirectory())
        let exchange = try Exchange(in: network)
        try exchange.tell("notices" + String(repeating: " 503", count: 50))
        let configuration = Exchange.configuration(slot: "MinimumView=0")
        var daemon = try DaemonProcess(in: network, configuration, directory: directory)
        let host = try Host(on: daemon)
        try host.waitUntilShown()
        try exchange.wait(for: "an attempt") { try !$0.object.objects("notices").isEmpty }
        try daemon.killNow()
        try exchange.tell("status 204")
        try exchange.tell("notices")
        daemon = try DaemonProcess(in: network, configuration, directory: directory)
        try exchange.wait(for: "both notices") {
            // Killed between the answer and the deletion, a notice would be sent once more.
            try $0.notices("win").count == 1 && $0.notices("billing").count == 1
                && daemon.log.text.components(separatedBy: "is delivered").count == 3
        }
        try daemon.killNow()
        daemon = try DaemonProcess(in: network, configuration, directory: directory)
        Thread.sleep(forTimeInterval: 0.5)
        let report = try exchange.report()
        #expect(try report.notices("win").count == 1 && report.notices("billing").count == 1)
    }

    @Test("A thousand rounds without an ad leave nothing behind")
    func memory() throws {
        let network = try Network()
        let exchange = try Exchange(in: network)
        try exchange.tell(#"bid {"w":1,"lurl":null}"#)
        let daemon = try DaemonProcess(
            in: network, Exchange.configuration(slot: "RetryInterval=1ms\nRetryMax=1ms"))
        let host = try Host(on: daemon)
        func kilobytes() throws -> Int {
            let status = try String(contentsOfFile: "/proc/\(daemon.child.pid)/status", encoding: .utf8)
            let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") })
            return try #require(line.split(separator: " ").dropFirst().first.flatMap { Int($0) })
        }
        try exchange.wait(for: "the first rounds") { try $0.requests >= 500 }
        let before = try kilobytes()
        try exchange.wait(for: "a thousand rounds more", within: .seconds(90)) { try $0.requests >= 1_500 }
        let grown = try kilobytes() - before
        #expect(grown < 512, "\(grown) KiB")
        #expect(try exchange.report().connections == 1)
        #expect(!host.isShowing)
    }
}
