import Testing

@Suite("Losses and gains are posted after their holds", .ownThread, .needsNamespaces)
struct LossAndGainTests {
    @Test("A loss of carrier and its return are one notification each")
    func carrier() throws {
        let network = try Network()
        try network.wired()
        let daemon = try DaemonProcess(in: network)
        let watcher = try daemon.watch()
        try network.ip("link set p0 down")
        try watcher.wait(for: "none") { $0.reason == "noCarrier" }
        try network.ip("link set p0 up")
        try watcher.wait(for: "ethernet")
        try watcher.settle()
        #expect(watcher.statuses == ["none", "ethernet"])
        #expect(watcher.current.sequence == watcher.first.sequence + 2)
    }

    @Test("A tap's carrier counts like any other", .needs(.tap))
    func tapCarrier() throws {
        let network = try Network()
        try network.wifi()
        let daemon = try DaemonProcess(in: network)
        let watcher = try daemon.watch()
        #expect(watcher.first.status == "wifi")
        try network.carrier("wl0", false)
        try watcher.wait(for: "none")
        try network.carrier("wl0", true)
        try watcher.wait(for: "wifi")
        try watcher.settle()
        #expect(watcher.statuses == ["none", "wifi"])
    }

    @Test("A loss shorter than the hold is never posted, and is seen as held meanwhile")
    func shortLoss() throws {
        let network = try Network()
        try network.wired()
        let daemon = try DaemonProcess(in: network, "[Reachability]\nLossHold=3s\n")
        let watcher = try daemon.watch()
        try network.ip("link set p0 down")
        try daemon.waitUntil("a loss is held") { $0.held }
        #expect(try daemon.get().status == "ethernet")
        try network.ip("link set p0 up")
        try daemon.waitUntil("nothing is held") { !$0.held }
        try watcher.expectNothing(for: .seconds(3.5))
    }

    @Test("A gain shorter than the hold is never posted")
    func shortGain() throws {
        let network = try Network()
        try network.wired()
        try network.ip("link set p0 down")
        let daemon = try DaemonProcess(in: network, "[Reachability]\nGainHold=2s\n")
        let watcher = try daemon.watch()
        #expect(watcher.first.status == "none")
        try network.ip("link set p0 up")
        try daemon.waitUntil("a gain is held") { $0.held }
        try network.ip("link set p0 down")
        try daemon.waitUntil("nothing is held") { !$0.held }
        try watcher.expectNothing(for: .seconds(2.5))
    }

    @Test("Without holds every change is posted at once")
    func noHolds() throws {
        let network = try Network()
        try network.wired()
        let daemon = try DaemonProcess(in: network, holds: .none)
        let watcher = try daemon.watch()
        for _ in 1...5 {
            try network.ip("link set p0 down")
            try watcher.wait(for: "none")
            try network.ip("link set p0 up")
            try watcher.wait(for: "ethernet")
        }
        #expect(watcher.posted.count == 10)
        #expect(watcher.posted.allSatisfy { !$0.held })
    }

    @Test("A link that flaps is damped: its gain is held until it has been quiet")
    func damping() throws {
        let network = try Network()
        try network.wired()
        let daemon = try DaemonProcess(
            in: network, "[Reachability]\nDampHalfLife=1s\nDampMax=5s\n", holds: .none)
        let watcher = try daemon.watch()
        // Four losses of 1000 each are above 3000 unless the four take longer than a good part of a half-life.
        var losses = 0
        while try !daemon.get().held {
            try #require(losses < 20, "\(watcher.account)")
            try network.ip("link set p0 down")
            try watcher.wait(for: "none")
            losses += 1
            try network.ip("link set p0 up")
            _ = try watcher.next(within: .milliseconds(100))
        }
        #expect(losses >= 4)
        let quiet = ContinuousClock.now
        try watcher.wait(for: "ethernet")
        // From above 3000 to below 1000 it takes more than one half-life.
        #expect(ContinuousClock.now - quiet > .milliseconds(1_000))
        try watcher.settle()
        #expect(watcher.current.status == "ethernet")
    }

    @Test("A link that is unplugged is a loss, whatever routes it had", .needs(.tap))
    func unplugged() throws {
        let network = try Network()
        try network.wifi()
        let daemon = try DaemonProcess(in: network)
        let watcher = try daemon.watch()
        try network.run("close wl0")
        try watcher.wait(for: "none")
        let links = try daemon.call("org.adslotd.Reachability.ListLinks").objects("links")
        #expect(try links.map { try $0.text("name") } == ["lo"])
    }
}
