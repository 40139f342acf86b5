import AdSlots
import Reachability
import Testing

@Suite("Actions and the screen")
struct ActionTests {
    @Test("Without work an action is allowed at once, and work registered later is paused at once")
    func noWork() {
        let rig = Rig()
        let host = rig.showAd()
        let begin = rig.begin(host)
        #expect(rig.isAllowed(begin))
        #expect(rig.slot.state == .acting)
        #expect(rig.slot.actions == 1)
        let work = rig.register("game")
        rig.run(for: .zero)
        #expect(rig.work(work) == .paused)
        rig.finish(host, begin)
        #expect(rig.work(work) == .running)
        #expect(rig.slot.state == .shown)
    }

    @Test("A click on what is not shown is refused")
    func notShown() {
        let rig = Rig()
        let host = rig.showAd()
        let unknown = rig.begin(host, banner: BannerID(99))
        #expect(rig.answers[unknown] == .refused(.notShown))
        rig.update(host, visible: false)
        let hidden = rig.begin(host)
        #expect(rig.answers[hidden] == .refused(.notShown))
        let stranger = rig.begin(HostID(99))
        #expect(rig.answers[stranger] == .refused(.hostLeft))
    }

    @Test("A click on a network ad is refused while the path as it is is unusable, within a hold too")
    func deadPath() {
        let rig = Rig()
        let host = rig.showAd()
        let refused = rig.begin(host, pathUsable: false)
        #expect(rig.answers[refused] == .refused(.unreachable))
        #expect(rig.slot.state == .shown)
        #expect(rig.isAllowed(rig.begin(host, pathUsable: true)))
    }

    @Test("A click on a house ad needs no path")
    func houseAd() {
        let rig = Rig { $0.sources = [.local("house")] }
        let host = rig.showAd()
        #expect(rig.isAllowed(rig.begin(host, pathUsable: false)))
    }

    @Test("A second click on an acting slot is refused")
    func alreadyActing() {
        let rig = Rig()
        rig.register("game", .keepsSilent)
        let host = rig.showAd()
        let first = rig.begin(host)
        let whilePausing = rig.begin(host)
        rig.run(for: .seconds(1))
        let whileRunning = rig.begin(host)
        #expect(rig.isAllowed(first))
        #expect(rig.answers[whilePausing] == .refused(.acting))
        #expect(rig.answers[whileRunning] == .refused(.acting))
    }

    @Test("A loss under an action is carried out when it ends")
    func lossUnderAction() {
        let rig = Rig()
        let host = rig.showAd()
        let begin = rig.begin(host)
        rig.lose()
        rig.run(for: .seconds(10))
        #expect(rig.kinds(host) == [.create, .show])
        rig.finish(host, begin)
        #expect(rig.kinds(host) == [.create, .show, .hide, .release])
        #expect(rig.slot.state == .waiting)
    }

    @Test("A loss that is over before the action ends leaves the ad where it is")
    func flapUnderAction() {
        let rig = Rig()
        let host = rig.showAd()
        let begin = rig.begin(host)
        rig.lose()
        rig.gain()
        rig.finish(host, begin)
        #expect(rig.kinds(host) == [.create, .show])
        #expect(rig.slot.state == .shown)
    }

    @Test("An expiry, a rotation and a hide under an action are carried out when it ends")
    func deferred() {
        let rig = Rig()
        rig.sources["test"] = .answering(.ok, expires: .seconds(20))
        let host = rig.showAd()
        let first = rig.begin(host)
        rig.update(host, viewport: .phoneOnItsSide)
        rig.run(for: .seconds(5))
        #expect(rig.kinds(host) == [.create, .show])
        rig.finish(host, first)
        #expect(rig.kinds(host) == [.create, .show, .resize])
        rig.run(for: .milliseconds(50))
        let second = rig.begin(host)
        rig.run(for: .seconds(30))
        #expect(rig.slot.state == .acting)
        rig.finish(host, second)
        #expect(rig.commands(host).last?.reason == .expired)
        rig.run(for: .seconds(1))
        let third = rig.begin(host)
        rig.update(host, visible: false)
        #expect(rig.slot.state == .acting)
        rig.finish(host, third)
        #expect(rig.commands(host).last?.reason == .notVisible)
    }

    @Test("A refresh due under an action is asked for when it ends")
    func refreshUnderAction() {
        let rig = Rig()
        let host = rig.showAd()
        let begin = rig.begin(host)
        rig.run(for: .seconds(200))
        #expect(rig.slot.requests == 1)
        rig.finish(host, begin)
        #expect(rig.slot.requests == 2)
    }

    @Test("An answer that comes under an action is shown when it ends, unless it has expired by then")
    func answerUnderAction() {
        for (expires, shown) in [(nil, "test-2"), (Duration.seconds(5), "test-1")] as [(Duration?, String)] {
            let rig = Rig()
            let host = rig.showAd()
            rig.sources["test"] = .answering(.ok, expires: expires)
            rig.run(for: .seconds(180))
            let begin = rig.begin(host)
            rig.run(for: .seconds(10))
            #expect(rig.kinds(host) == [.create, .show])
            #expect(rig.slot.fills == 2)
            rig.finish(host, begin)
            #expect(rig.slot.creative?.id == shown)
        }
    }

    @Test("An answer under an action is dropped at its end when the host no longer wants it")
    func answerNoLongerWanted() {
        let rotated = Rig()
        rotated.answerUnderAction { $0.update($1, viewport: .phoneOnItsSide) }
        #expect(rotated.slot.creative?.id == "test-1")
        rotated.run(for: .seconds(5))
        #expect(rotated.slot.creative?.size == Size(width: 768, height: 66))

        let hidden = Rig()
        hidden.answerUnderAction { $0.update($1, visible: false) }
        #expect(hidden.slot.state == .hidden)

        let lost = Rig()
        lost.answerUnderAction { rig, _ in rig.lose() }
        #expect(lost.slot.state == .waiting)
    }

    @Test("An action ends after ActionTimeout: work resumes and a late finish is refused")
    func actionTimeout() {
        let rig = Rig()
        let work = rig.register("game")
        let host = rig.showAd()
        let begin = rig.begin(host)
        rig.run(for: .seconds(299))
        #expect(rig.work(work) == .paused)
        rig.run(for: .seconds(1))
        #expect(rig.work(work) == .running)
        guard case .allowed(let action) = rig.answers[begin] else { return }
        #expect(rig.log.contains { $0.effect == .actionEnded(action, slot: "banner", .timedOut) })
        #expect(rig.perform(.finishAction(host: host, action: action)) == [.finishRefused(host, action)])
    }

    @Test("Only the host that began an action can finish it")
    func foreignFinish() {
        let rig = Rig(CoordinatorSettings(slots: [SlotSettings(name: "a"), SlotSettings(name: "b")]))
        let first = rig.showAd("a")
        let second = rig.showAd("b")
        let begin = rig.begin(first)
        guard case .allowed(let action) = rig.answers[begin] else { return }
        #expect(rig.perform(.finishAction(host: second, action: action)) == [.finishRefused(second, action)])
        #expect(rig.slot("a").state == .acting)
    }

    @Test("A host that dies in its action ends it; the slot keeps nothing of it")
    func hostDies() {
        let rig = Rig()
        let work = rig.register("game")
        let host = rig.showAd()
        rig.begin(host)
        rig.run(for: .zero)
        rig.detach(host)
        #expect(rig.work(work) == .running)
        #expect(rig.slot.state == .detached)
        #expect(rig.kinds(host).last == .release)
        rig.attach()
        rig.run(for: .seconds(6))
        #expect(rig.slot.state == .shown)
    }
}

extension Rig {
    /// A refresh is answered under an action, then something happens, then the action ends.
    fileprivate func answerUnderAction(then change: (Rig, HostID) -> Void) {
        let host = showAd()
        run(for: .seconds(180))
        let begin = begin(host)
        run(for: .seconds(10))
        #expect(slot.fills == 2)
        change(self, host)
        finish(host, begin)
    }
}
