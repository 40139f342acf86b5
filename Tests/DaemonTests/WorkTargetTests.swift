import Foundation
import Testing
import Varlink

@Suite(
    "What cannot be paused is refused when it registers, and the error says why", .ownThread, .needsNamespaces
)
struct WorkTargetTests {
    private func refusal(_ daemon: DaemonProcess, _ parameters: JSONObject) throws -> String {
        var all = parameters
        all["name"] = "game"
        let refusal = try daemon.refusal(ofStream: "org.adslotd.Work.Register", all)
        #expect(refusal.name == "org.adslotd.Work.InvalidTarget", "\(refusal)")
        return try refusal.parameters.text("message")
    }

    @Test(
        "A parameter of another kind of work",
        arguments: [
            (["kind": "client", "pid": 5], "client takes no 'pid'"),
            (["kind": "client", "path": "x"], "client takes no 'path'"),
            (["kind": "client", "unit": "x.service"], "client takes no 'unit'"),
            (["kind": "client", "group": true], "client takes no 'group'"),
            (["kind": "process", "path": "x"], "process takes no 'path'"),
            (["kind": "process", "mayVeto": true], "process takes no 'mayVeto'"),
            (["kind": "cgroup", "pid": 5], "cgroup takes no 'pid'"),
            (["kind": "unit", "path": "x"], "unit takes no 'path'"),
            (["kind": "cgroup"], "needs a 'path'"), (["kind": "unit"], "needs a 'unit'"),
        ] as [(JSONObject, String)])
    func misplaced(parameters: JSONObject, text: String) throws {
        let message = try refusal(DaemonProcess(in: Network()), parameters)
        #expect(message.contains(text), "\(message)")
    }

    @Test(
        "A number that is no process of the daemon's to stop",
        arguments: [
            (0, "no process id"), (-5, "no process id"), (.max, "no process id"), (1, "the system's first"),
            (4_194_304, "there is no process"),
        ] as [(Int64, String)])
    func number(pid: Int64, text: String) throws {
        let message = try refusal(DaemonProcess(in: Network()), ["kind": "process", "pid": .integer(pid)])
        #expect(message.contains(text), "\(message)")
    }

    @Test("The daemon itself and its group, a thread, one that does not lead its group, one that has ended")
    func process() throws {
        let daemon = try DaemonProcess(in: Network())
        func of(_ pid: pid_t, group: Bool = false) throws -> String {
            try refusal(
                daemon, ["kind": "process", "pid": .integer(Int64(pid)), "group": .bool(group)])
        }
        #expect(try of(daemon.child.pid) == "process \(daemon.child.pid) is the daemon itself")
        // Started by the test, the daemon is in the test's own group.
        let leader = getpgid(daemon.child.pid)
        if leader > 1, kill(leader, 0) == 0 {
            #expect(try of(leader, group: true) == "the daemon itself is in process group \(leader)")
        }
        let threads = try Busy.threads(2)
        _ = try threads.output.takeLine()
        let thread = try #require(
            try FileManager.default.contentsOfDirectory(atPath: "/proc/\(threads.pid)/task")
                .compactMap { pid_t($0) }.first { $0 != threads.pid })
        let message = try of(thread)
        #expect(["\(thread) is a thread, not a process", "there is no process \(thread)"].contains(message))
        let follower = try Child(["sleep", "600"])
        #expect(
            try of(follower.pid, group: true)
                == "process \(follower.pid) does not lead its group; process \(getpgrp()) does")
        follower.signal(SIGKILL)
        try follower.waitForExit()
        #expect(try of(follower.pid) == "there is no process \(follower.pid)")
    }

    @Test("The same again, under another name")
    func twice() throws {
        let daemon = try DaemonProcess(in: Network())
        let game = try Child(["sleep", "600"])
        let work = try PausedWork(on: daemon, "first", process: game.pid)
        #expect(
            try refusal(daemon, ["kind": "process", "pid": .integer(Int64(game.pid))])
                == "registered already, as 'first'")
        work.die()
        let deadline = Deadline()
        while try daemon.work("first") != nil { try #require(deadline.pause()) }
        _ = try PausedWork(on: daemon, "second", process: game.pid)
    }

    @Test("A unit where there is no message bus")
    func noBus() throws {
        let daemon = try DaemonProcess(
            in: Network(), environment: ["DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/nonexistent/bus"])
        let message = try refusal(daemon, ["kind": "unit", "unit": "game.service"])
        #expect(message.contains("no message bus"), "\(message)")
        #expect(message.contains("/nonexistent/bus"), "\(message)")
    }
}
