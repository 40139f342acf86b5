import Testing

/// What becomes of an action whose end is not its own.
@Suite("An action that is cut short leaves nothing paused", .ownThread, .needsNamespaces)
struct CutShortTests {
    private func makeStage() throws -> (network: Network, daemon: DaemonProcess, host: Host, work: Work) {
        let network = try Network()
        try network.wired()
        let daemon = try DaemonProcess(in: network, BannerTests.eager + "[Actions]\nPauseTimeout=1min\n")
        let host = try Host(on: daemon)
        try host.waitUntilShown()
        return (network, daemon, host, try Work(on: daemon))
    }

    @Test("A stop answers the click that waits, and the work that was told to pause is told to go on")
    func stopWhilePausing() throws {
        let stage = try makeStage()
        let click = try stage.host.beginAction()
        try stage.work.expect("pause")
        #expect(try stage.daemon.terminate() == 0)
        #expect(try click.answer() == .refused("shutdown"))
        try stage.work.expect("resume")
        #expect(try stage.host.end() == "org.adslotd.Slots.ShuttingDown")
    }

    @Test("A killed daemon closes the connections of hosts and work, which is their word to go on")
    func killed() throws {
        let stage = try makeStage()
        let click = try stage.host.beginAction()
        try stage.work.acknowledge(stage.work.expect("pause"))
        try click.allowed()
        try stage.daemon.killNow()
        #expect(try stage.work.end() == "closed")
    }

    @Test("A loss that is posted while work is being paused refuses the click")
    func lossWhilePausing() throws {
        let stage = try makeStage()
        let click = try stage.host.beginAction()
        let pause = try stage.work.expect("pause")
        try stage.network.ip("link set p0 down")
        #expect(try click.answer() == .refused("unreachable"))
        try stage.work.expect("resume")
        try stage.work.acknowledge(pause)
        try stage.host.expect("hide")
        try stage.host.expect("release")
    }

    @Test("A slot that is taken out of the configuration in an action lets work go on")
    func slotRemoved() throws {
        let stage = try makeStage()
        let click = try stage.host.beginAction()
        try stage.work.acknowledge(stage.work.expect("pause"))
        try click.allowed()
        try stage.daemon.rewriteConfiguration("[Slot other]\n")
        try stage.daemon.call("org.adslotd.Manager.Reload")
        try stage.work.expect("resume")
        #expect(try stage.host.end() == "org.adslotd.Slots.UnknownSlot")
    }

    @Test("A connection that carried the click and closed before the answer leaves no action behind")
    func clickerLeaves() throws {
        let stage = try makeStage()
        let click = try stage.host.beginAction()
        let pause = try stage.work.expect("pause")
        stage.host.closeCalls()
        _ = click
        try stage.work.acknowledge(pause)
        try stage.work.expect("resume")
        #expect(try stage.daemon.slot().text("state") == "shown")
    }
}
