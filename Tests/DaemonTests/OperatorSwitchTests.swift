import Foundation
import Testing
import Varlink

@Suite("The operator's switch on the real daemon", .ownThread, .needsNamespaces)
struct OperatorSwitchTests {
    private func run(_ daemon: DaemonProcess, _ arguments: String...) throws -> Finished {
        try Finished.run([Programs.control, "--socket", daemon.socket] + arguments)
    }

    private func online() throws -> DaemonProcess {
        let network = try Network()
        try network.wired()
        return try DaemonProcess(in: network, "[Slot banner]\nMinimumInterval=0\n")
    }

    @Test("Disable hides and releases at once; enable brings the banner back")
    func flip() throws {
        let daemon = try online()
        let host = try Host(on: daemon)
        try host.waitUntilShown()
        let result = try run(daemon, "disable", "banner")
        #expect(result.code == 0 && result.output == "slot banner is disabled", "\(result)")
        #expect(try host.expect("hide").reason == "disabled")
        #expect(try host.expect("release").reason == "disabled")
        let slot = try daemon.slot()
        #expect(try slot.text("state") == "hidden" && slot.text("reason") == "disabled")
        #expect(try slot.flag("disabled") && slot["disabledUntil"]?.integer == nil)
        #expect(try run(daemon, "slots").output.contains("disabled"))
        #expect(try run(daemon, "explain", "banner").output.contains("The operator disabled the slot."))
        #expect(try run(daemon, "--json=short", "enable", "banner").output == "{}")
        try host.waitUntilShown()
        host.die()
    }

    @Test("With --for it is over by itself")
    func time() throws {
        let daemon = try online()
        let host = try Host(on: daemon)
        try host.waitUntilShown()
        #expect(try run(daemon, "disable", "banner", "--for", "1500ms").code == 0)
        #expect(try daemon.slot()["disabledUntil"]?.integer != nil)
        try host.expect("hide")
        try host.expect("release")
        try host.expectNothing(for: .milliseconds(500))
        try host.waitUntilShown()
        #expect(try !daemon.slot().flag("disabled"))
        host.die()
    }

    @Test("An action that runs is over, and its work goes on before the answer comes")
    func action() throws {
        let daemon = try online()
        let host = try Host(on: daemon)
        let work = try Work(on: daemon)
        try host.waitUntilShown()
        let click = try host.beginAction()
        try work.acknowledge(work.expect("pause"))
        let action = try click.allowed()
        try daemon.call("org.adslotd.Slots.Disable", ["slot": "banner"])
        #expect(try work.expect("resume").reason == "disabled")
        try host.expect("hide")
        try host.expect("release")
        let refusal = try daemon.refusal(
            of: "org.adslotd.Slots.FinishAction",
            ["lease": .string(host.lease), "action": .integer(action)])
        #expect(refusal.name == "org.adslotd.Slots.UnknownAction")
        host.die()
        work.die()
    }

    @Test(
        "It stays over a reload and over the end of the daemon, orderly or not",
        arguments: [SIGTERM, SIGKILL])
    func stays(end: CInt) throws {
        let network = try Network()
        try network.wired()
        let directory = try ScratchDirectory()
        var daemon = try DaemonProcess(in: network, directory: directory)
        #expect(try run(daemon, "disable", "banner", "--for", "1h").code == 0)
        #expect(try run(daemon, "reload").code == 0)
        let before = try daemon.slot()
        #expect(try before.flag("disabled"))
        daemon.signal(end)
        try daemon.child.waitForExit()
        daemon = try DaemonProcess(in: network, directory: directory)
        let slot = try daemon.slot()
        #expect(try slot.flag("disabled"))
        let moved = try slot.number("disabledUntil") - before.number("disabledUntil")
        #expect(abs(moved) < 100_000, "\(moved) µs")
        #expect(try run(daemon, "explain", "banner").output.contains("stays disabled"))
    }

    @Test(
        "What makes no sense is refused",
        arguments: [
            ("org.adslotd.Slots.Disable", ["slot": "basement"], "org.adslotd.Slots.UnknownSlot"),
            ("org.adslotd.Slots.Enable", ["slot": "basement"], "org.adslotd.Slots.UnknownSlot"),
            (
                "org.adslotd.Slots.Disable", ["slot": "banner", "forMicroseconds": 0],
                "org.varlink.service.InvalidParameter"
            ),
            (
                "org.adslotd.Slots.Disable", ["slot": "banner", "forMicroseconds": .integer(.max)],
                "org.varlink.service.InvalidParameter"
            ),
        ] as [(String, JSONObject, String)])
    func refused(method: String, parameters: JSONObject, error: String) throws {
        let daemon = try DaemonProcess(in: Network())
        #expect(try daemon.refusal(of: method, parameters).name == error)
        #expect(try !daemon.slot().flag("disabled"))
    }
}
