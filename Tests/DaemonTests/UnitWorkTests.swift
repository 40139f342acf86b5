import Foundation
import Testing
import Varlink

/// The daemon's side of the conversation with systemd; with the real one it is held by `make test-system`.
@Suite(
    "The daemon has systemd freeze and thaw units", .ownThread, .needsNamespaces,
    .enabled(if: MessageBus.isPossible, "there is no dbus-daemon here (package dbus-daemon)"))
struct UnitWorkTests {
    private struct UnitStage {
        let network: Network
        let systemd: MessageBus
        let daemon: DaemonProcess
        let host: Host

        init(_ configuration: String = Stage.patient) throws {
            network = try Network()
            try network.wired()
            systemd = try MessageBus(in: network)
            try systemd.start(Programs.systemd)
            try #require(try systemd.line() == "ready")
            daemon = try DaemonProcess(in: network, BannerTests.eager + configuration)
            host = try Host(on: daemon)
            try host.waitUntilShown()
        }

        func register(_ unit: String) throws -> PausedWork {
            try PausedWork(on: daemon, ["kind": "unit", "unit": .string(unit)])
        }

        func refusal(_ unit: String) throws -> String {
            let refusal = try daemon.refusal(
                ofStream: "org.adslotd.Work.Register",
                ["name": "game", "kind": "unit", "unit": .string(unit)])
            #expect(refusal.name == "org.adslotd.Work.InvalidTarget")
            return try refusal.parameters.text("message")
        }

        func wait(for state: String) throws {
            let deadline = Deadline()
            while try systemd.ask("state game.service") != state {
                guard deadline.pause() else { throw NotInTime(what: state, account: daemon.log.text) }
            }
        }

        var hasRecord: Bool { FileManager.default.fileExists(atPath: daemon.directory.file("state/paused")) }
    }

    @Test("A unit is frozen before the click is answered, and thawed at the end of the action")
    func wholeUnit() throws {
        let stage = try UnitStage()
        let work = try stage.register("game.service")
        for _ in 1...3 {
            let action = try stage.host.click()
            #expect(try stage.systemd.ask("state game.service") == "frozen")
            #expect(try stage.daemon.work()?.text("kind") == "unit")
            #expect(try stage.daemon.work()?.text("state") == "paused")
            #expect(stage.hasRecord)
            try work.expect("pause")
            try stage.host.finish(action)
            try stage.wait(for: "running")
            try work.expect("resume")
        }
        let deadline = Deadline()
        while stage.hasRecord { try #require(deadline.pause()) }
    }

    @Test("What somebody else had frozen before stays frozen")
    func frozenBefore() throws {
        let stage = try UnitStage()
        let work = try stage.register("game.service")
        try stage.systemd.tell("freeze game.service")
        let action = try stage.host.click()
        try stage.host.finish(action)
        try work.expect("pause")
        try work.expect("resume")
        #expect(try stage.systemd.ask("state game.service") == "frozen")
    }

    @Test("Its end is the end of the work, and so is a new start", arguments: ["stop", "start"])
    func ends(order: String) throws {
        let stage = try UnitStage()
        let work = try stage.register("game.service")
        try stage.systemd.tell("\(order) game.service")
        let text = order == "stop" ? "is inactive" : "was started anew"
        #expect(try work.end() == "unit game.service \(text)")
        #expect(try stage.daemon.work() == nil)
    }

    @Test("What cannot be frozen is refused, with the reason")
    func refused() throws {
        let stage = try UnitStage()
        #expect(try stage.refusal("dead.service") == "unit dead.service is inactive")
        #expect(try stage.refusal("missing.service") == "unit missing.service is not-found")
        #expect(try stage.refusal("watched.service").contains("WatchdogSec="))
        #expect(try stage.refusal("a\nb").contains("is no name of a unit"))
        #expect(try stage.refusal("unknown.service").contains("does not answer"))
        try stage.systemd.tell("version 257.1")
        _ = try stage.register("watched.service")
    }

    @Test("A thaw that fails is tried until it is done, and recorded until then")
    func refusedThaw() throws {
        let stage = try UnitStage()
        let work = try stage.register("game.service")
        let action = try stage.host.click()
        try stage.systemd.tell("refuse")
        try stage.host.finish(action)
        try stage.daemon.log.wait(for: "not thawed, trying again")
        #expect(stage.hasRecord)
        // Registered anew meanwhile, it would be thawed in the midst of its next pause.
        work.die()
        let gone = Deadline()
        while try stage.daemon.work() != nil { try #require(gone.pause()) }
        #expect(try stage.refusal("game.service").contains("still being resumed"))
        try stage.systemd.tell("allow")
        try stage.wait(for: "running")
        let deadline = Deadline()
        while stage.hasRecord { try #require(deadline.pause()) }
        _ = try stage.register("game.service")
    }

    @Test("Where the freeze was refused nothing is thawed, least of all later")
    func refusedFreeze() throws {
        let stage = try UnitStage("[Actions]\nPauseTimeout=200ms\n")
        let work = try stage.register("game.service")
        try stage.systemd.tell("refuse")
        let first = try stage.host.click()
        try stage.daemon.log.wait(for: "not frozen")
        try stage.host.finish(first)
        let deadline = Deadline()
        while stage.hasRecord { try #require(deadline.pause()) }
        try stage.systemd.tell("allow")
        let second = try stage.host.click()
        #expect(try stage.systemd.ask("state game.service") == "frozen")
        usleep(300_000)
        #expect(try stage.systemd.ask("state game.service") == "frozen")
        try stage.host.finish(second)
        try stage.wait(for: "running")
        #expect(!stage.daemon.log.text.contains("trying again"))
        work.die()
    }

    @Test("When its connection closes it thaws, and when the daemon stops", arguments: [false, true])
    func lets(stops: Bool) throws {
        let stage = try UnitStage()
        let work = try stage.register("game.service")
        _ = try stage.host.click()
        if stops {
            #expect(try stage.daemon.terminate() == 0)
            #expect(!stage.hasRecord)
        } else {
            work.die()
        }
        try stage.wait(for: "running")
    }

    @Test(
        "After a kill the next daemon thaws it, but not another invocation of it", arguments: [false, true])
    func killed(isNew: Bool) throws {
        let stage = try UnitStage()
        let work = try stage.register("game.service")
        _ = try stage.host.click()
        try stage.daemon.killNow()
        work.die()
        if isNew {
            for order in ["stop", "start", "freeze"] { try stage.systemd.tell("\(order) game.service") }
        }
        #expect(try stage.systemd.ask("state game.service") == "frozen")
        let next = try DaemonProcess(in: stage.network, directory: stage.daemon.directory)
        let deadline = Deadline()
        while stage.hasRecord { try #require(deadline.pause()) }
        #expect(try stage.systemd.ask("state game.service") == (isNew ? "frozen" : "running"))
        #expect(try next.terminate() == 0)
    }
}
