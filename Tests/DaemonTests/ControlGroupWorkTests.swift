import Foundation
import Testing
import Varlink

@Suite("The daemon freezes and thaws control groups", .ownThread, .needsNamespaces, .needsControlGroups)
struct ControlGroupWorkTests {
    private func register(_ group: ScratchControlGroup, on daemon: DaemonProcess) throws -> PausedWork {
        try PausedWork(on: daemon, ["kind": "cgroup", "path": .string(group.path)])
    }

    @Test("All in it stands still before the click is answered, and goes on at the end of the action")
    func wholeGroup() throws {
        let stage = try Stage()
        let group = try ScratchControlGroup()
        let game = try Busy.threads(20)
        _ = try game.output.takeLine()
        try group.add(game.pid)
        let work = try register(group, on: stage.daemon)
        for _ in 1...3 {
            let action = try stage.host.click()
            #expect(group.standsStill)
            #expect(try stage.daemon.work()?.text("kind") == "cgroup")
            #expect(try stage.daemon.work()?.text("state") == "paused")
            try work.expect("pause")
            try stage.host.finish(action)
            try group.wait(frozen: false)
            try work.expect("resume")
        }
    }

    @Test("A process of a frozen group stands still, though no signal reaches it before it thaws")
    func processInside() throws {
        let stage = try Stage()
        let group = try ScratchControlGroup()
        let game = try Child(["sleep", "600"])
        try group.add(game.pid)
        let works = [
            try register(group, on: stage.daemon),
            try PausedWork(on: stage.daemon, "inside", process: game.pid),
        ]
        for _ in 1...3 {
            let action = try stage.host.click()
            #expect(try stage.daemon.work("inside")?.text("state") == "paused")
            try stage.host.finish(action)
            try group.wait(frozen: false)
            try Processes.wait(for: game.pid, stopped: false)
        }
        for work in works { work.die() }
    }

    @Test("One with nobody in it is fine")
    func emptyGroup() throws {
        let stage = try Stage()
        let group = try ScratchControlGroup()
        let work = try register(group, on: stage.daemon)
        let action = try stage.host.click()
        #expect(group.isFrozen)
        try stage.host.finish(action)
        try group.wait(frozen: false)
        work.die()
    }

    @Test("What somebody else had frozen before stays frozen")
    func frozenBefore() throws {
        let stage = try Stage()
        let group = try ScratchControlGroup()
        try group.freeze(true)
        let work = try register(group, on: stage.daemon)
        let action = try stage.host.click()
        try stage.host.finish(action)
        try work.expect("pause")
        try work.expect("resume")
        work.die()
        let deadline = Deadline()
        while try stage.daemon.work() != nil { try #require(deadline.pause()) }
        #expect(group.isFrozen)
    }

    @Test("What somebody else thaws in the midst of an action is left alone, and the log says so")
    func thawedMeanwhile() throws {
        let stage = try Stage()
        let group = try ScratchControlGroup()
        let game = try Child(["sleep", "600"])
        try group.add(game.pid)
        let work = try register(group, on: stage.daemon)
        let action = try stage.host.click()
        try group.freeze(false)
        try stage.daemon.log.wait(for: "was thawed by somebody else, left alone")
        try stage.host.finish(action)
        #expect(!group.isFrozen)
        work.die()
    }

    @Test("Its removal is the end of the work")
    func removed() throws {
        let stage = try Stage()
        for isPaused in [false, true] {
            let group = try ScratchControlGroup()
            let work = try register(group, on: stage.daemon)
            let action = isPaused ? try stage.host.click() : nil
            group.remove()
            #expect(try work.end() == "control group \(group.path) was removed")
            #expect(try stage.daemon.work() == nil)
            if let action { try stage.host.finish(action) }
        }
    }

    @Test("When the connection that registered it closes, a frozen group thaws")
    func connectionCloses() throws {
        let stage = try Stage()
        let group = try ScratchControlGroup()
        let work = try register(group, on: stage.daemon)
        let action = try stage.host.click()
        #expect(group.isFrozen)
        work.die()
        try group.wait(frozen: false)
        try stage.host.finish(action)
    }

    @Test("The daemon's own group, one around it and the root are refused")
    func ownGroup() throws {
        let stage = try Stage()
        let outer = try ScratchControlGroup()
        let inner = try ScratchControlGroup("inner", in: outer.path)
        try inner.add(stage.daemon.child.pid)
        for path in [inner.path, outer.path] {
            #expect(try refusal(path, stage.daemon) == "the daemon itself is in \(path)")
        }
        for path in ["", "/"] { #expect(try refusal(path, stage.daemon) != "") }
        #expect(try stage.daemon.terminate() == 0)
        inner.remove()
    }

    @Test(
        "A path that is none is refused",
        arguments: [
            ("no/such/group", "No such file"), ("../x", "not a plain path"), ("a/./b", "not a plain path"),
            ("a//b", "not a plain path"), ("/etc", "is not beneath"), ("cgroup.procs", "Not a directory"),
            ("a\nb", "a\\u{A}b is not a plain path"), (String(repeating: "x/", count: 4_000), "longer than"),
        ])
    func invalidPath(path: String, text: String) throws {
        let daemon = try DaemonProcess(in: Network())
        let message = try refusal(path, daemon)
        #expect(message.contains(text), "\(message)")
    }

    private func refusal(_ path: String, _ daemon: DaemonProcess) throws -> String {
        let refusal = try daemon.refusal(
            ofStream: "org.adslotd.Work.Register",
            ["name": "game", "kind": "cgroup", "path": .string(path)])
        #expect(refusal.name == "org.adslotd.Work.InvalidTarget")
        return try refusal.parameters.text("message")
    }
}
