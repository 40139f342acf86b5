import AdSlots
import Reachability
import Testing

@Suite("Pausing work")
struct PauseTests {
    private func twoSlots() -> Rig {
        Rig(CoordinatorSettings(slots: [SlotSettings(name: "a"), SlotSettings(name: "b")]))
    }

    @Test("The answer waits for every acknowledgement", arguments: WorkKind.allCases)
    func waits(kind: WorkKind) {
        let rig = Rig()
        let quick = rig.register("quick", kind: kind)
        let slow = rig.register("slow", .acknowledges(after: .milliseconds(200)), kind: kind)
        let host = rig.showAd()
        let begin = rig.begin(host)
        rig.run(for: .milliseconds(199))
        #expect(rig.answers[begin] == nil)
        #expect((rig.work(quick), rig.work(slow)) == (.paused, .pausing))
        #expect(rig.slot.reason == .pausing)
        rig.run(for: .milliseconds(1))
        #expect(rig.isAllowed(begin))
        #expect(rig.slot.reason == .acting)
        let snapshot = rig.coordinator.work.last
        #expect(snapshot?.lastPause == .milliseconds(200))
        #expect(snapshot?.pauses == 1)
        #expect(snapshot?.actions == [ActionID(1)])
        rig.finish(host, begin)
        #expect(rig.instructions(quick) == [.pause, .resume])
        #expect(rig.instructions(slow) == [.pause, .resume])
    }

    @Test("Work that does not answer is recorded, not waited for, and resumed all the same")
    func silentWork() {
        let rig = Rig()
        let silent = rig.register("silent", .keepsSilent)
        let host = rig.showAd()
        let begin = rig.begin(host)
        rig.run(for: .milliseconds(499))
        #expect(rig.answers[begin] == nil)
        rig.run(for: .milliseconds(1))
        #expect(rig.isAllowed(begin))
        #expect(rig.log.contains { $0.effect == .pauseUnanswered(silent) })
        #expect(rig.work(silent) == .pausing)
        #expect(rig.coordinator.work.first?.unanswered == 1)
        rig.finish(host, begin)
        #expect(rig.work(silent) == .running)
        #expect(rig.instructions(silent) == [.pause, .resume])
    }

    @Test("A late acknowledgement pauses while the action runs, and changes nothing after it")
    func lateAcknowledgement() {
        let rig = Rig()
        let late = rig.register("late", .acknowledges(after: .seconds(2)))
        let host = rig.showAd()
        let first = rig.begin(host)
        rig.run(for: .seconds(3))
        #expect(rig.work(late) == .paused)
        rig.finish(host, first)
        let second = rig.begin(host)
        rig.run(for: .seconds(1))
        rig.finish(host, second)
        rig.run(for: .seconds(5))
        #expect(rig.work(late) == .running)
    }

    @Test("A veto refuses the action, names the work, and resumes what was paused")
    func veto() {
        let rig = Rig()
        let willing = rig.register("willing")
        let busy = rig.register("busy", .vetoes)
        let host = rig.showAd()
        let begin = rig.begin(host)
        rig.run(for: .zero)
        #expect(rig.answers[begin] == .refused(.vetoed(work: "busy", reason: "busy")))
        #expect(rig.instructions(willing) == [.pause, .resume])
        #expect(rig.instructions(busy) == [.pause])
        #expect(rig.work(willing) == .running)
        #expect(rig.slot.state == .shown)
        #expect(rig.slot.actions == 0)
    }

    @Test("A veto by work that registered without the right is refused and still awaited")
    func vetoWithoutRight() {
        let rig = Rig()
        let work = WorkID(7)
        rig.perform(.register(work: work, name: "meek", kind: .client, mayVeto: false))
        let host = rig.showAd()
        let begin = rig.begin(host)
        let effects = rig.perform(.vetoed(work: work, token: 1, reason: "no"))
        #expect(effects == [.tokenRefused(work, token: 1, .mayNotVeto)])
        #expect(rig.answers[begin] == nil)
    }

    @Test("A veto while another action runs refuses the new one and leaves the rest paused")
    func vetoOfSecond() {
        let rig = twoSlots()
        let willing = rig.register("willing")
        let (first, second) = (rig.showAd("a"), rig.showAd("b"))
        let running = rig.begin(first)
        rig.run(for: .zero)
        let busy = rig.register("busy", .vetoes)
        rig.run(for: .zero)
        #expect(rig.isAllowed(running))
        #expect(rig.work(busy) == .running)
        let refused = rig.begin(second)
        rig.run(for: .zero)
        #expect(rig.answers[refused] == .refused(.vetoed(work: "busy", reason: "busy")))
        #expect(rig.work(willing) == .paused)
        rig.finish(first, running)
        #expect(rig.work(willing) == .running)
    }

    @Test("Of several actions the last one's end resumes work; it was told once")
    func severalActions() {
        let rig = twoSlots()
        let work = rig.register("game")
        let (first, second) = (rig.showAd("a"), rig.showAd("b"))
        let begins = [rig.begin(first), rig.begin(second)]
        rig.run(for: .zero)
        #expect(begins.allSatisfy(rig.isAllowed))
        #expect(rig.coordinator.work.first?.actions.count == 2)
        rig.finish(first, begins[0])
        #expect(rig.work(work) == .paused)
        rig.finish(second, begins[1])
        #expect(rig.instructions(work) == [.pause, .resume])
    }

    @Test("Two begins while pausing wait for the same pause, neither longer than the first's timeout")
    func twoBegins() {
        let rig = twoSlots()
        rig.register("silent", .keepsSilent)
        let (first, second) = (rig.showAd("a"), rig.showAd("b"))
        let one = rig.begin(first)
        rig.run(for: .milliseconds(300))
        let other = rig.begin(second)
        rig.run(for: .milliseconds(200))
        #expect(rig.isAllowed(one))
        #expect(rig.isAllowed(other))
    }

    @Test("A later begin does not wait again for work that has not answered the first")
    func overdueWork() {
        let rig = twoSlots()
        rig.register("silent", .keepsSilent)
        let (first, second) = (rig.showAd("a"), rig.showAd("b"))
        rig.begin(first)
        rig.run(for: .seconds(1))
        #expect(rig.isAllowed(rig.begin(second)))
    }

    @Test("Nor for work that came while an action ran and has had its time")
    func overdueLatecomer() {
        let rig = twoSlots()
        let (first, second) = (rig.showAd("a"), rig.showAd("b"))
        rig.begin(first)
        let late = rig.register("late", .keepsSilent)
        rig.run(for: .seconds(1))
        #expect(rig.isAllowed(rig.begin(second)))
        #expect(rig.log.contains { $0.effect == .pauseUnanswered(late) })
    }

    @Test("A host that leaves while its click waits is answered, and work goes on")
    func hostLeavesWhilePausing() {
        let rig = Rig()
        let work = rig.register("slow", .acknowledges(after: .milliseconds(300)))
        let host = rig.showAd()
        let begin = rig.begin(host)
        rig.detach(host)
        #expect(rig.answers[begin] == .refused(.hostLeft))
        #expect(rig.instructions(work) == [.pause, .resume])
        rig.run(for: .seconds(1))
        #expect(rig.work(work) == .running)
    }

    @Test("A loss posted while work is pausing refuses the click and takes the network ad away")
    func lossWhilePausing() {
        let rig = Rig()
        let work = rig.register("slow", .acknowledges(after: .milliseconds(300)))
        let host = rig.showAd()
        let begin = rig.begin(host)
        rig.lose()
        #expect(rig.answers[begin] == .refused(.unreachable))
        #expect(rig.kinds(host) == [.create, .show, .hide, .release])
        #expect(rig.work(work) == .running)
    }

    @Test("An ad that expires while work is pausing is hidden and the click refused")
    func expiryWhilePausing() {
        let rig = Rig()
        rig.sources["test"] = .answering(.ok, expires: .milliseconds(100))
        rig.register("slow", .acknowledges(after: .milliseconds(300)))
        let host = rig.showAd()
        let begin = rig.begin(host)
        rig.run(for: .milliseconds(100))
        #expect(rig.answers[begin] == .refused(.expired))
        #expect(rig.commands(host).last?.reason == .expired)
    }

    @Test("A rotation while work is pausing waits for the end of the action")
    func rotationWhilePausing() {
        let rig = Rig()
        rig.register("slow", .acknowledges(after: .milliseconds(300)))
        let host = rig.showAd()
        let begin = rig.begin(host)
        rig.update(host, viewport: .phoneOnItsSide)
        rig.run(for: .milliseconds(300))
        #expect(rig.isAllowed(begin))
        #expect(rig.kinds(host) == [.create, .show])
        rig.finish(host, begin)
        #expect(rig.kinds(host).last == .resize)
    }

    @Test("Work that goes is no longer waited for; what stood still is told to go on first")
    func workGoes() {
        let rig = Rig()
        let going = rig.register("going", .keepsSilent)
        let host = rig.showAd()
        let begin = rig.begin(host)
        rig.perform(.workGone(work: going))
        #expect(rig.isAllowed(begin))
        #expect(rig.instructions(going) == [.pause, .resume])
        #expect(rig.coordinator.work.isEmpty)
        rig.register("going")
        #expect(rig.coordinator.work.count == 1, "its name is free again")
    }

    @Test("PauseTimeout=0 waits for nothing")
    func noPatience() {
        var settings = CoordinatorSettings()
        settings.pauseTimeout = .zero
        let rig = Rig(settings)
        rig.register("game")
        let host = rig.showAd()
        #expect(rig.isAllowed(rig.begin(host)))
    }

    @Test("A name is registered once, is not empty and not too long")
    func names() {
        let rig = Rig()
        rig.register("game")
        let long = String(repeating: "n", count: Limits.nameBytesMax + 1)
        for (name, isTaken) in [("game", true), ("", false), (long, false)] {
            let work = WorkID(100)
            let effects = rig.perform(.register(work: work, name: name, kind: .client, mayVeto: false))
            guard case .registerRefused(work, let refusal) = effects.first, effects.count == 1 else {
                Issue.record("\(effects)")
                continue
            }
            #expect((refusal == .nameTaken(name)) == isTaken)
        }
    }

    @Test("A token that was never given is refused; one that was overtaken changes nothing")
    func tokens() {
        let rig = Rig()
        let work = rig.register("game", .keepsSilent)
        let early = rig.perform(.acknowledged(work: work, token: 1))
        #expect(early == [.tokenRefused(work, token: 1, .unknownToken)])
        let host = rig.showAd()
        let begin = rig.begin(host)
        rig.run(for: .seconds(1))
        rig.finish(host, begin)
        #expect(rig.perform(.acknowledged(work: work, token: 1)) == [])
        #expect(rig.perform(.acknowledged(work: work, token: 2)) == [], "a resume bears an answer")
        let stranger = rig.perform(.acknowledged(work: WorkID(99), token: 1))
        #expect(stranger == [.tokenRefused(WorkID(99), token: 1, .unknownWork)])
        #expect(rig.work(work) == .running)
        let next = rig.begin(host)
        rig.perform(.acknowledged(work: work, token: 1))
        #expect(rig.work(work) == .pausing, "the answer to an earlier pause is none to this one")
        #expect(rig.answers[next] == nil)
        rig.perform(.acknowledged(work: work, token: 3))
        #expect(rig.isAllowed(next))
    }
}
