import Testing
import Varlink

@Suite("A banner lives as the network does", .ownThread, .needsNamespaces)
struct BannerTests {
    /// Requests may follow each other at once, so that no test waits for the least time between two.
    static let eager = "[Slot banner]\nMinimumInterval=0\n[Source test]\nDelay=10ms\n"

    @Test("Created off screen, shown, hidden and released on loss, created anew on gain")
    func wholeLife() throws {
        let network = try Network()
        try network.wired()
        let daemon = try DaemonProcess(in: network, Self.eager)
        let host = try Host(on: daemon)

        let created = try host.expect("create")
        #expect(created.bannerFrame == Host.Rectangle(20, 640, 320, 50))
        #expect(created.contentFrame == Host.Rectangle(0, 0, 360, 640))
        let shown = try host.expect("show")
        #expect(shown.bannerFrame == Host.Rectangle(20, 590, 320, 50))
        #expect(shown.contentFrame == Host.Rectangle(0, 0, 360, 590))
        #expect(shown.creative?["markup"]?.string?.isEmpty == false)
        #expect(shown.creative?["size"] == Host.size(320, 50))

        try network.ip("link set p0 down")
        let hidden = try host.expect("hide")
        #expect(hidden.reason == "unreachable")
        #expect(hidden.bannerFrame == Host.Rectangle(20, 640, 320, 50))
        #expect(host.content == Host.Rectangle(0, 0, 360, 640))
        try host.expect("release")
        #expect(try daemon.slot().text("state") == "waiting")
        #expect(try daemon.slot().text("reason") == "unreachable")

        try network.ip("link set p0 up")
        #expect(try host.expect("create").banner != created.banner)
        try host.expect("show")
        #expect(try daemon.slot().text("state") == "shown")
    }

    @Test("Without a network a host waits, and a gain creates its banner")
    func waits() throws {
        let network = try Network()
        let daemon = try DaemonProcess(in: network, Self.eager)
        let host = try Host(on: daemon, name: "radio")
        #expect(try daemon.slot().text("state") == "waiting")
        #expect(try daemon.slot().text("host") == "radio")
        try host.expectNothing(for: .milliseconds(300))
        try network.wired()
        try host.expect("create")
        try host.expect("show")
    }

    @Test("A loss shorter than the hold leaves the screen alone")
    func shortLoss() throws {
        let network = try Network()
        try network.wired()
        let daemon = try DaemonProcess(in: network, Self.eager + "[Reachability]\nLossHold=2s\n")
        let host = try Host(on: daemon)
        try host.waitUntilShown()
        try network.ip("link set p0 down")
        try daemon.waitUntil("a loss is held") { $0.held }
        try network.ip("link set p0 up")
        try daemon.waitUntil("nothing is held") { !$0.held }
        try host.expectNothing(for: .seconds(2))
    }

    @Test("Failover from Wi-Fi to cellular leaves the screen alone", .needs(.tap), .needs(.tun))
    func failover() throws {
        let network = try Network()
        try network.wifi()
        try network.cellular()
        let daemon = try DaemonProcess(in: network, Self.eager)
        let watcher = try daemon.watch()
        let host = try Host(on: daemon)
        try host.waitUntilShown()
        try network.ip("route delete default via 10.0.2.1")
        try watcher.wait(for: "cellular")
        try host.expectNothing(for: .milliseconds(500))
    }

    @Test("A dormant modem is not reachable: the banner waits for the connection", .needs(.tun))
    func connectionRequired() throws {
        let network = try Network()
        try network.cellular()
        try network.ip("link set ww0 mode dormant")
        try network.ip("link set ww0 state dormant")
        let daemon = try DaemonProcess(in: network, Self.eager)
        let host = try Host(on: daemon)
        try host.expectNothing(for: .milliseconds(300))
        try network.ip("link set ww0 state up")
        try host.expect("create")
        try host.expect("show")
    }

    @Test("A covered banner is hidden and comes back with its advertisement")
    func visibility() throws {
        let network = try Network()
        try network.wired()
        let daemon = try DaemonProcess(in: network, Self.eager)
        let host = try Host(on: daemon)
        try host.waitUntilShown()
        let creative = host.banner?.creative
        try host.update(visible: false)
        #expect(try host.expect("hide").reason == "notVisible")
        #expect(try daemon.slot().text("state") == "hidden")
        try host.update(visible: true)
        try host.expect("show")
        #expect(host.banner?.creative?["id"] == creative?["id"])
    }

    @Test("A rotation moves the banner at once, and its advertisement is replaced by one that fits")
    func rotation() throws {
        let network = try Network()
        try network.wired()
        let daemon = try DaemonProcess(in: network, Self.eager)
        let host = try Host(on: daemon)
        try host.waitUntilShown()
        let id = host.banner?.id
        try host.update(width: 640, height: 360)
        #expect(try host.expect("resize").bannerFrame == Host.Rectangle(160, 310, 320, 50))
        let replaced = try host.expect("show")
        #expect(replaced.banner == id)
        #expect(replaced.bannerFrame == Host.Rectangle(80, 328, 480, 32))
        #expect(replaced.contentFrame == Host.Rectangle(0, 0, 640, 328))
    }

    @Test("At the top the content is under the banner, which hides above the screen")
    func top() throws {
        let network = try Network()
        try network.wired()
        let daemon = try DaemonProcess(in: network, Self.eager + "[Slot banner]\nPlacement=top\n")
        let host = try Host(on: daemon)
        #expect(try host.expect("create").bannerFrame == Host.Rectangle(20, -50, 320, 50))
        let shown = try host.expect("show")
        #expect(shown.bannerFrame == Host.Rectangle(20, 0, 320, 50))
        #expect(shown.contentFrame == Host.Rectangle(0, 50, 360, 590))
    }

    @Test("A source that has nothing leaves the screen empty and says when it is asked again")
    func noFill() throws {
        let network = try Network()
        try network.wired()
        let daemon = try DaemonProcess(in: network, Self.eager + "[Source test]\nAnswer=noFill\n")
        let events = try daemon.events()
        let host = try Host(on: daemon)
        try host.expect("create")
        var event: JSONObject
        repeat { event = try events.next() } while try event.text("kind") != "source"
        #expect(try event.object("data").text("lastError") == "noFill")
        #expect(try host.expect("hide").reason == "noFill")
        #expect(try daemon.slot().text("state") == "hidden")
        #expect(try daemon.slot().text("lastError") == "noFill")
        #expect(try daemon.slot().number("nextAttempt") > 0)
        try host.expectNothing(for: .milliseconds(300))
    }

    @Test("An advertisement in view for MinimumView= is one impression, and coming back is no second")
    func impression() throws {
        let network = try Network()
        try network.wired()
        let daemon = try DaemonProcess(in: network, Self.eager + "[Slot banner]\nMinimumView=200ms\n")
        let host = try Host(on: daemon)
        try host.waitUntilShown()
        try daemon.log.wait(for: "impression of")
        try host.update(visible: false)
        try host.expect("hide")
        try host.update(visible: true)
        try host.expect("show")
        try host.expectNothing(for: .milliseconds(400))
        #expect(try daemon.slot().number("impressions") == 1)
    }

    @Test("A slot has one host; a second is refused with the first one's name")
    func slotTaken() throws {
        let daemon = try DaemonProcess(in: Network())
        let host = try Host(on: daemon, name: "radio")
        let refusal = try daemon.refusal(
            ofStream: "org.adslotd.Slots.Attach",
            [
                "slot": "banner", "viewport": Host.size(360, 640), "host": "clock",
            ])
        #expect(refusal.name == "org.adslotd.Slots.SlotTaken")
        #expect(refusal.parameters == ["slot": "banner", "host": "radio"])
        host.die()
        try daemon.waitUntilDetached()
        _ = try Host(on: daemon, name: "clock")
    }
}
