import Foundation
import Testing
import Varlink

@Suite(
    "The configuration is read again on request, and a broken one changes nothing", .ownThread,
    .needsNamespaces)
struct ReloadTests {
    private static let twoSlots = "[Slot banner]\n[Slot top]\nPlacement=top\n"
    private static let broken = "[Slot banner]\nPlacement=bottom\nPlacemint=top\n"

    private func slotNames(_ daemon: DaemonProcess) throws -> [String] {
        try daemon.call("org.adslotd.Slots.List").objects("slots").map { try $0.text("name") }
    }

    @Test("SIGHUP takes a changed configuration into force")
    func hangUp() throws {
        let network = try Network()
        try network.wired()
        let daemon = try DaemonProcess(in: network)
        let watcher = try daemon.watch()
        #expect(try slotNames(daemon) == ["banner"])
        try daemon.rewriteConfiguration(Self.twoSlots + "[Link e*]\nKind=wifi\n")
        daemon.signal(SIGHUP)
        try daemon.log.wait(for: "configuration read again")
        #expect(try slotNames(daemon) == ["banner", "top"])
        try watcher.wait(for: "wifi")
    }

    @Test("SIGHUP with a broken configuration keeps the old one and logs the file and the line")
    func brokenHangUp() throws {
        let daemon = try DaemonProcess(in: Network(), Self.twoSlots)
        try daemon.rewriteConfiguration(Self.broken)
        daemon.signal(SIGHUP)
        let line = try daemon.log.wait(for: "keeping the old")
        #expect(line.contains("\(daemon.configurationFile):3: "))
        #expect(line.contains("Placemint"))
        #expect(try slotNames(daemon) == ["banner", "top"])
        // A mended one is taken by the next.
        try daemon.rewriteConfiguration("")
        daemon.signal(SIGHUP)
        try daemon.log.wait(for: "configuration read again")
        #expect(try slotNames(daemon) == ["banner"])
    }

    @Test("Reload answers when the configuration is in force")
    func reload() throws {
        let daemon = try DaemonProcess(in: Network())
        try daemon.rewriteConfiguration(Self.twoSlots)
        try daemon.call("org.adslotd.Manager.Reload")
        #expect(try slotNames(daemon) == ["banner", "top"])
    }

    @Test(
        "Reload names the file, the line and what is wrong there",
        arguments: [
            BrokenConfiguration(broken, line: 3, names: "Placemint"),
            BrokenConfiguration("[Nonsense]\n", line: 1, names: "Nonsense"),
            BrokenConfiguration("[Reachability]\nTarget=a..b\n", line: 2, names: "Target=: "),
            BrokenConfiguration("\n[Reachability]\nLossHold=soon\n", line: 3, names: "soon"),
            BrokenConfiguration("[Slot banner]\nRefreshInterval=5s\n", line: 2, names: "RefreshInterval"),
            BrokenConfiguration("[Slot banner]\nSources=nobody\n", line: 2, names: "nobody"),
            BrokenConfiguration("[Slot banner]\nthis is no assignment\n", line: 2, names: "Key=value"),
        ])
    func brokenReload(configuration: BrokenConfiguration) throws {
        let daemon = try DaemonProcess(in: Network(), Self.twoSlots)
        try daemon.rewriteConfiguration(configuration.text)
        let refusal = try daemon.refusal(of: "org.adslotd.Manager.Reload")
        #expect(refusal.name == "org.adslotd.Manager.ConfigurationInvalid")
        #expect(refusal.parameters["file"] == .string(daemon.configurationFile))
        #expect(refusal.parameters["line"] == .integer(Int64(configuration.line)))
        #expect(try refusal.parameters.text("message").contains(configuration.word), "\(refusal)")
        #expect(try slotNames(daemon) == ["banner", "top"])
    }

    @Test("A configuration file that is gone is an error that names it")
    func missingFile() throws {
        let daemon = try DaemonProcess(in: Network(), Self.twoSlots)
        try FileManager.default.removeItem(atPath: daemon.configurationFile)
        let refusal = try daemon.refusal(of: "org.adslotd.Manager.Reload")
        #expect(refusal.name == "org.adslotd.Manager.ConfigurationInvalid")
        #expect(refusal.parameters["file"] == .string(daemon.configurationFile))
        #expect(try slotNames(daemon) == ["banner", "top"])
    }

    @Test("A reload leaves what it does not change alone: hosts, banners, work")
    func undisturbed() throws {
        let network = try Network()
        try network.wired()
        let daemon = try DaemonProcess(in: network, BannerTests.eager)
        let watcher = try daemon.watch()
        let host = try Host(on: daemon)
        try host.waitUntilShown()
        let work = try Work(on: daemon)
        try daemon.rewriteConfiguration(
            DaemonProcess.Holds.short.configuration + BannerTests.eager + "[Slot second]\n")
        try daemon.call("org.adslotd.Manager.Reload")
        #expect(try slotNames(daemon) == ["banner", "second"])
        try host.expectNothing(for: .milliseconds(300))
        try work.expectNothing(for: .milliseconds(50))
        try watcher.expectNothing(for: .milliseconds(50))
        let action = try host.beginAction()
        try work.acknowledge(work.expect("pause"))
        try action.allowed()
    }

    @Test("The host of a slot that is taken out of the configuration is told so")
    func slotRemoved() throws {
        let network = try Network()
        try network.wired()
        let daemon = try DaemonProcess(in: network, Self.twoSlots)
        let host = try Host(on: daemon, slot: "top")
        try host.waitUntilShown()
        let keeper = try Host(on: daemon, slot: "banner")
        try keeper.waitUntilShown()
        try daemon.rewriteConfiguration("[Slot banner]\n")
        try daemon.call("org.adslotd.Manager.Reload")
        #expect(try host.end() == "org.adslotd.Slots.UnknownSlot")
        #expect(host.banner == nil)
        try keeper.expectNothing(for: .milliseconds(200))
    }
}
