import Foundation
import Testing
import Varlink

@Suite("An action pauses work and holds the screen", .ownThread, .needsNamespaces)
struct ActionTests {
    @Test("A click is answered once the work has acknowledged its pause; the end of the action resumes it")
    func pausesAndResumes() throws {
        let stage = try Stage(Stage.patient)
        let work = try Work(on: stage.daemon)
        let click = try stage.host.beginAction()
        let pause = try work.expect("pause")
        try click.expectNoAnswer(for: .milliseconds(200))
        #expect(try stage.daemon.work()?.text("state") == "pausing")
        try work.acknowledge(pause)
        let action = try click.allowed()
        #expect(try stage.daemon.work()?.text("state") == "paused")
        #expect(try stage.daemon.work()?["actions"] == [.integer(action)])
        #expect(try stage.daemon.slot().text("state") == "acting")
        try work.expectNothing(for: .milliseconds(100))

        try stage.host.finish(action)
        try work.expect("resume")
        #expect(try stage.daemon.work()?.text("state") == "running")
        #expect(try stage.daemon.work()?.number("pauses") == 1)
        #expect(try stage.daemon.slot().text("state") == "shown")
        #expect(try stage.daemon.slot().number("actions") == 1)
    }

    @Test("Without any work a click is answered at once")
    func withoutWork() throws {
        let stage = try Stage(Stage.patient)
        let action = try stage.host.click()
        try stage.host.finish(action)
    }

    @Test("All work must stand still before the answer")
    func allWork() throws {
        let stage = try Stage(Stage.patient)
        let (first, second) = (try Work(on: stage.daemon, "one"), try Work(on: stage.daemon, "two"))
        let click = try stage.host.beginAction()
        try first.acknowledge(first.expect("pause"))
        try click.expectNoAnswer(for: .milliseconds(200))
        try second.acknowledge(second.expect("pause"))
        try click.allowed()
    }

    @Test("Work that registers while an action runs is paused too")
    func lateWork() throws {
        let stage = try Stage(Stage.patient)
        let action = try stage.host.click()
        let work = try Work(on: stage.daemon)
        try work.acknowledge(work.expect("pause"))
        try stage.host.finish(action)
        try work.expect("resume")
    }

    @Test("Work resumes when the last of two actions ends")
    func twoActions() throws {
        let stage = try Stage(
            Stage.patient + "[Slot second]\nMinimumInterval=0\nPlacement=top\n")
        let other = try Host(on: stage.daemon, slot: "second")
        try other.waitUntilShown()
        let work = try Work(on: stage.daemon)
        let click = try stage.host.beginAction()
        try work.acknowledge(work.expect("pause"))
        let first = try click.allowed()
        let second = try other.click()
        try stage.host.finish(first)
        try work.expectNothing(for: .milliseconds(200))
        try other.finish(second)
        try work.expect("resume")
    }

    @Test("A host whose connection closes in an action: work resumes, the slot is detached")
    func hostCloses() throws {
        let stage = try Stage(Stage.patient)
        let work = try Work(on: stage.daemon)
        let click = try stage.host.beginAction()
        try work.acknowledge(work.expect("pause"))
        try click.allowed()
        stage.host.die()
        try work.expect("resume")
        try stage.daemon.waitUntilDetached()
        #expect(try stage.daemon.slot()["banner"]?.isNull ?? true)
    }

    @Test("A host that is killed in an action: work resumes, the slot is detached")
    func hostIsKilled() throws {
        let network = try Network()
        try network.wired()
        let daemon = try DaemonProcess(in: network, BannerTests.eager + Stage.patient)
        let work = try Work(on: daemon)
        let process = try Child(["python3", Resources.file("plain_host.py"), daemon.socket, "banner"])
        let lease = try JSONObject.reading(#require(try process.output.takeLine())).text("lease")
        let created = try JSONObject.reading(#require(try process.output.takeLine())).object("command")
        try process.output.wait(for: "\"show\"")
        let begin: JSONObject = ["lease": .string(lease), "banner": .integer(try created.number("banner"))]
        let calls = try daemon.connect()
        let click = try calls.open("org.adslotd.Slots.BeginAction", begin)
        try work.acknowledge(work.expect("pause"))
        #expect(try click.next().flag("allowed"))
        process.signal(SIGKILL)
        try work.expect("resume")
        try daemon.waitUntilDetached()
    }

    @Test("A host that dies before the answer: its action never begins, and work resumes")
    func hostDiesWhilePausing() throws {
        let stage = try Stage(Stage.patient)
        let work = try Work(on: stage.daemon)
        let click = try stage.host.beginAction()
        let pause = try work.expect("pause")
        stage.host.die()
        _ = click
        try work.expect("resume")
        // The acknowledgement that crossed it is no error.
        try work.acknowledge(pause)
        try stage.daemon.waitUntilDetached()
        #expect(try stage.daemon.work()?.text("state") == "running")
    }

    @Test("A click on a dead path within the hold is refused, and the screen stays as it is")
    func deadPath() throws {
        let stage = try Stage(holds: .standard)
        let watcher = try stage.daemon.watch()
        let work = try Work(on: stage.daemon)
        try stage.network.ip("link set p0 down")
        try stage.daemon.waitUntil("a loss is held") { $0.held }
        #expect(try stage.host.beginAction().answer() == .refused("unreachable"))
        try stage.network.ip("link set p0 up")
        try watcher.settle()
        #expect(watcher.posted.isEmpty)
        try work.expectNothing(for: .milliseconds(50))
        try stage.host.expectNothing(for: .milliseconds(50))
    }

    @Test("Silent work is recorded and not waited for beyond PauseTimeout=")
    func silentWork() throws {
        let stage = try Stage("[Actions]\nPauseTimeout=300ms\n")
        let work = try Work(on: stage.daemon)
        let begun = ContinuousClock.now
        let action = try stage.host.click()
        let waited = ContinuousClock.now - begun
        #expect(waited > .milliseconds(250))
        #expect(waited < .seconds(5))
        try work.expect("pause")
        try stage.daemon.log.wait(for: "did not answer in time")
        try stage.host.finish(action)
        try work.expect("resume")
    }

    @Test("A veto refuses the action, and work that stood still already goes on")
    func veto() throws {
        let stage = try Stage(Stage.patient)
        let game = try Work(on: stage.daemon)
        let recorder = try Work(on: stage.daemon, "recorder", mayVeto: true)
        let click = try stage.host.beginAction()
        try game.acknowledge(game.expect("pause"))
        try recorder.veto(recorder.expect("pause"), "a recording is running")
        #expect(try click.answer() == .refused("vetoed"))
        try game.expect("resume")
        #expect(try stage.daemon.slot().text("state") == "shown")
        #expect(try stage.daemon.slot().number("actions") == 0)
    }

    @Test("Work that did not ask for it may not veto")
    func forbiddenVeto() throws {
        let stage = try Stage(Stage.patient)
        let work = try Work(on: stage.daemon)
        let click = try stage.host.beginAction()
        let pause = try work.expect("pause")
        let refusal = #expect(throws: Refusal.self) { try work.veto(pause, "no") }
        #expect(refusal?.name == "org.adslotd.Work.NotPermitted")
        try work.acknowledge(pause)
        try click.allowed()
    }

    @Test("Work that goes away is not waited for")
    func workDies() throws {
        let stage = try Stage(Stage.patient)
        let work = try Work(on: stage.daemon)
        let click = try stage.host.beginAction()
        try work.expect("pause")
        work.die()
        try click.allowed()
        #expect(try stage.daemon.work() == nil)
    }

    @Test("A loss in an action changes nothing on screen until the action has ended")
    func lossWhileActing() throws {
        let stage = try Stage(Stage.patient)
        let watcher = try stage.daemon.watch()
        let action = try stage.host.click()
        try stage.network.ip("link set p0 down")
        try watcher.wait(for: "none")
        try stage.host.expectNothing(for: .milliseconds(200))
        try stage.host.finish(action)
        try stage.host.expect("hide")
        try stage.host.expect("release")
    }

    @Test("An action ends after ActionTimeout=, and work resumes")
    func actionTimeout() throws {
        let stage = try Stage("[Actions]\nActionTimeout=300ms\n")
        let work = try Work(on: stage.daemon)
        let click = try stage.host.beginAction()
        try work.acknowledge(work.expect("pause"))
        let action = try click.allowed()
        try work.expect("resume")
        let refusal = #expect(throws: Refusal.self) { try stage.host.finish(action) }
        #expect(refusal?.name == "org.adslotd.Slots.UnknownAction")
    }

    @Test("A banner that is not on screen cannot be clicked; a second click while one acts is refused")
    func notShown() throws {
        let stage = try Stage(Stage.patient)
        let action = try stage.host.click()
        #expect(try stage.host.beginAction().answer() == .refused("acting"))
        try stage.host.finish(action)
        try stage.host.update(visible: false)
        try stage.host.expect("hide")
        #expect(try stage.host.beginAction().answer() == .refused("notShown"))
    }
}
