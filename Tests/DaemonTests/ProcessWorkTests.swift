import Foundation
import Testing
import Varlink

@Suite("The daemon stops and continues processes", .ownThread, .needsNamespaces)
struct ProcessWorkTests {
    @Test("Every thread stands still before the click is answered, and goes on at the end of the action")
    func wholeProcess() throws {
        let stage = try Stage()
        let game = try Busy.threads(20)
        _ = try game.output.takeLine()
        let work = try PausedWork(on: stage.daemon, process: game.pid)
        for round in 1...3 {
            let action = try stage.host.click()
            #expect(Processes.states(of: game.pid) == Array(repeating: "T", count: 21))
            let item = try #require(try stage.daemon.work())
            #expect(try item.text("state") == "paused")
            #expect(try item.text("kind") == "process")
            #expect(item["actions"] == [.integer(action)])
            try work.expect("pause")
            try stage.host.finish(action)
            try Processes.wait(for: game.pid, stopped: false)
            try work.expect("resume")
            #expect(try stage.daemon.work()?.number("pauses") == Int64(round))
        }
    }

    @Test("Without a process id it is the caller's own process")
    func ownProcess() throws {
        let stage = try Stage()
        let script = """
            import json, os, socket, sys
            s = socket.socket(socket.AF_UNIX); s.connect(sys.argv[1])
            call = {"method": "org.adslotd.Work.Register", "more": True,
                    "parameters": {"name": "game", "kind": "process"}}
            s.sendall(json.dumps(call).encode() + b"\\0")
            print(s.recv(4096), flush=True)
            while s.recv(4096): pass
            """
        let game = try Child(["python3", "-c", script, stage.daemon.socket])
        #expect(try game.output.takeLine()?.contains("lease") == true)
        let action = try stage.host.click()
        #expect(Processes.isStopped(game.pid))
        try stage.host.finish(action)
        try Processes.wait(for: game.pid, stopped: false)
    }

    @Test("Of a group every member stands still, also one that is born while it is stopped")
    func group() throws {
        let stage = try Stage()
        let leader = try Child(["setsid", "sh", "-c", "sleep 600 & sleep 600 & while :; do /bin/true; done"])
        _ = try Processes.children(of: leader.pid, count: 3)
        let work = try PausedWork(on: stage.daemon, process: leader.pid, group: true)
        for _ in 1...5 {
            let action = try stage.host.click()
            #expect(Processes.states(of: leader.pid).allSatisfy { "TD".contains($0) })
            // Of the short-lived ones the latest may have just ended: stopped or a zombie, it does not run.
            for child in Processes.children(of: leader.pid) {
                #expect(Processes.states(of: child).allSatisfy { "TDZX".contains($0) })
            }
            try stage.host.finish(action)
            try Processes.wait(for: leader.pid, stopped: false)
            for child in Processes.children(of: leader.pid).prefix(2) {
                try Processes.wait(for: child, stopped: false)
            }
        }
        work.die()
    }

    @Test("Without the group only the process itself is stopped")
    func processAlone() throws {
        let stage = try Stage()
        let leader = try Child(["setsid", "sh", "-c", "sleep 600 & sleep 600; :"])
        let children = try Processes.children(of: leader.pid, count: 2)
        let work = try PausedWork(on: stage.daemon, process: leader.pid)
        let action = try stage.host.click()
        try Processes.wait(for: leader.pid, stopped: true)
        for child in children { #expect(!Processes.isStopped(child)) }
        try stage.host.finish(action)
        work.die()
        for child in children { kill(child, SIGKILL) }
    }

    @Test("What a person stopped before the action stays stopped after it", arguments: [false, true])
    func stoppedBefore(group: Bool) throws {
        let stage = try Stage()
        let leader = try Child(["setsid", "sh", "-c", "sleep 600 & sleep 600; :"])
        let children = try Processes.children(of: leader.pid, count: 2)
        let (stopped, other) = group ? (children[0], children[1]) : (leader.pid, leader.pid)
        kill(stopped, SIGSTOP)
        try Processes.wait(for: stopped, stopped: true)
        let work = try PausedWork(on: stage.daemon, process: leader.pid, group: group)
        let action = try stage.host.click()
        #expect(try stage.daemon.work()?.text("state") == "paused")
        #expect(Processes.isStopped(other))
        try stage.host.finish(action)
        try work.expect("pause")
        try work.expect("resume")
        if group { try Processes.wait(for: other, stopped: false) }
        #expect(Processes.isStopped(stopped))
        for child in children { kill(child, SIGKILL) }
    }

    @Test("What a person continues in the midst of an action is left alone, and the log says so")
    func continuedMeanwhile() throws {
        let stage = try Stage()
        let game = try Child(["sleep", "600"])
        let work = try PausedWork(on: stage.daemon, process: game.pid)
        let action = try stage.host.click()
        game.signal(SIGCONT)
        try stage.daemon.log.wait(for: "was continued by somebody else, left alone")
        #expect(!Processes.isStopped(game.pid))
        try stage.host.finish(action)
        work.die()
    }

    @Test("The end of the process is the end of the work, also while it is paused")
    func processEnds() throws {
        let stage = try Stage()
        for isPaused in [false, true] {
            let game = try Child(["sleep", "600"])
            let work = try PausedWork(on: stage.daemon, process: game.pid)
            let action = isPaused ? try stage.host.click() : nil
            game.signal(SIGKILL)
            #expect(try work.end() == "process \(game.pid) has ended")
            #expect(try stage.daemon.work() == nil)
            if let action { try stage.host.finish(action) }
        }
    }

    @Test("When the connection that registered it closes, a paused process goes on")
    func connectionCloses() throws {
        let stage = try Stage()
        let game = try Child(["sleep", "600"])
        let work = try PausedWork(on: stage.daemon, process: game.pid)
        let action = try stage.host.click()
        #expect(Processes.isStopped(game.pid))
        work.die()
        try Processes.wait(for: game.pid, stopped: false)
        try stage.host.finish(action)
    }

    @Test("Registered in the midst of an action, a process is stopped at once")
    func registersLate() throws {
        let stage = try Stage()
        let action = try stage.host.click()
        let game = try Child(["sleep", "600"])
        let work = try PausedWork(on: stage.daemon, process: game.pid)
        try work.expect("pause")
        try Processes.wait(for: game.pid, stopped: true)
        try stage.host.finish(action)
        try Processes.wait(for: game.pid, stopped: false)
    }

    @Test("A veto of one resumes what stood still already")
    func vetoed() throws {
        let stage = try Stage()
        let game = try Child(["sleep", "600"])
        let paused = try PausedWork(on: stage.daemon, "game", process: game.pid)
        let stubborn = try Work(on: stage.daemon, "stubborn", mayVeto: true)
        let click = try stage.host.beginAction()
        let pause = try stubborn.expect("pause")
        try paused.expect("pause")
        try Processes.wait(for: game.pid, stopped: true)
        try stubborn.veto(pause, "in the middle of a save")
        guard case .refused = try click.answer() else {
            Issue.record("the action was allowed")
            return
        }
        try Processes.wait(for: game.pid, stopped: false)
        #expect(try stage.daemon.work("game")?.text("state") == "running")
    }

    @Test("Nobody else acknowledges or vetoes for it")
    func foreignAnswers() throws {
        let stage = try Stage()
        let game = try Child(["sleep", "600"])
        let work = try PausedWork(on: stage.daemon, process: game.pid)
        let action = try stage.host.click()
        for (method, more) in [("Acknowledge", [:]), ("Veto", ["reason": "no"])] as [(String, JSONObject)] {
            var parameters: JSONObject = ["lease": .string(work.lease), "token": 1]
            for member in more.members { parameters[member.key] = member.value }
            let refusal = try stage.daemon.refusal(of: "org.adslotd.Work.\(method)", parameters)
            #expect(refusal.name == "org.adslotd.Work.NotPermitted")
        }
        #expect(try stage.daemon.work()?.text("state") == "paused")
        try stage.host.finish(action)
    }
}
