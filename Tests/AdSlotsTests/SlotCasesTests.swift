import AdSlots
import Reachability
import Testing

/// Faults that other ad software had, each as the smallest story that shows it.
@Suite("Faults seen elsewhere")
struct SlotCasesTests {
    @Test("prebid-mobile-ios#869: after a no-bid the next attempt is armed, through a hide too")
    func alwaysArmed() {
        let rig = Rig()
        rig.sources["test"] = .answering(.noFill)
        let host = rig.attach()
        rig.update(host, visible: false)
        rig.update(host, visible: true)
        rig.run(for: .seconds(6))
        #expect(rig.slot.nextAttempt != nil)
        rig.update(host, visible: false)
        rig.run(for: .seconds(100))
        rig.sources["test"] = .answering(.ok)
        rig.update(host, visible: true)
        rig.run(for: .seconds(1))
        #expect(rig.slot.state == .shown)
    }

    @Test("mopub-ios-sdk#309: hiding and showing does not restart the interval")
    func intervalGoesOn() {
        let rig = Rig()
        let host = rig.showAd()
        for _ in 0..<17 {
            rig.run(for: .seconds(10))
            rig.update(host, visible: false)
            rig.run(for: .seconds(1))
            rig.update(host, visible: true)
        }
        #expect(rig.slot.requests == 1)
        rig.run(for: .seconds(10))
        #expect(rig.slot.requests == 2)
    }

    @Test("mopub-android-sdk#171, #407: the old ad is on screen until the new one is there")
    func swapOnSuccessOnly() {
        let rig = Rig()
        let host = rig.showAd()
        rig.sources["test"] = .answering(.ok, delay: .seconds(8))
        rig.run(for: .seconds(187))
        #expect(rig.slot.creative?.id == "test-1")
        rig.run(for: .seconds(1))
        #expect(rig.slot.creative?.id == "test-2")
        #expect(rig.kinds(host) == [.create, .show, .show])
    }

    @Test("mopub-ios-sdk changelog: coming to the front resumes the remaining time and fetches nothing")
    func comingToTheFront() {
        let rig = Rig()
        let host = rig.showAd()
        rig.run(for: .seconds(60))
        rig.update(host, visible: false)
        rig.run(for: .seconds(7_200))
        rig.update(host, visible: true)
        #expect(rig.slot.requests == 1)
        #expect(rig.slot.nextAttempt == rig.now + .seconds(120))
    }

    @Test("googleads-mobile-ios-examples#505: a no-fill does not end refresh")
    func firstNoFill() {
        let rig = Rig()
        rig.sources["test"] = .answering(.noFill)
        rig.attach()
        rig.run(for: .seconds(10))
        rig.sources["test"] = .answering(.ok)
        rig.run(for: .seconds(30))
        #expect(rig.slot.state == .shown)
        rig.run(for: .seconds(181))
        #expect(rig.slot.fills == 2)
    }

    @Test("googleads-mobile-unity#1228: \"closed\" never arrives, and the game goes on all the same")
    func neverClosed() {
        let rig = Rig()
        let game = rig.register("game")
        rig.begin(rig.showAd())
        rig.run(for: .seconds(300))
        #expect(rig.instructions(game) == [.pause, .resume])
    }

    @Test("admob-plus#301: after landscape to portrait later ads have portrait's size")
    func laterSizes() {
        let rig = Rig()
        let host = rig.showAd("banner", .phoneOnItsSide)
        rig.update(host, viewport: .phone)
        rig.run(for: .seconds(400))
        #expect(rig.slot.requests >= 3)
        #expect(rig.requests.dropFirst().allSatisfy { $0.request.size == .small })
    }

    @Test("googleads-mobile-android-examples#113: started offline, the network comes, the ad loads")
    func startedOffline() {
        let rig = Rig(reachable: false)
        rig.attach()
        rig.run(for: .seconds(600))
        rig.gain()
        rig.run(for: .milliseconds(50))
        #expect(rig.slot.state == .shown)
    }

    @Test("MobFox-iOS-SDK#52: a hidden slot stays hidden whatever becomes due")
    func refreshDoesNotReveal() {
        let rig = Rig()
        let host = rig.showAd()
        rig.run(for: .seconds(179))
        rig.update(host, visible: false)
        rig.run(for: .seconds(600))
        rig.lose()
        rig.gain()
        rig.update(host, viewport: .phoneOnItsSide)
        rig.run(for: .seconds(600))
        #expect(rig.slot.state == .hidden)
        #expect(!rig.kinds(host).dropFirst(2).contains(.show))
    }

    @Test("prebid-mobile-ios PR#1355: nothing is asked after a detach or a hide", arguments: [true, false])
    func nothingAfterStopping(detaches: Bool) {
        let rig = Rig()
        rig.sources["test"] = .answering(.noFill)
        let host = rig.attach()
        rig.run(for: .seconds(1))
        #expect(rig.slot.nextAttempt != nil)
        if detaches { rig.detach(host) } else { rig.update(host, visible: false) }
        rig.run(for: .seconds(3_600))
        #expect(rig.slot.requests == 1)
        #expect(rig.slot.nextAttempt == nil)
    }

    @Test("brave-browser#3116: online as it is, a click is allowed whatever the holds still say")
    func stateAsItIs() {
        let rig = Rig {
            $0.sources = [.network("net"), .local("house")]
            $0.whenUnreachable = .house
        }
        let host = rig.showAd()
        let onDeadPath = rig.begin(host, pathUsable: false)
        #expect(rig.answers[onDeadPath] == .refused(.unreachable))
        rig.lose()
        rig.run(for: .seconds(6))
        #expect(rig.slot.creative?.source == "house")
        #expect(rig.isAllowed(rig.begin(host, pathUsable: true)))
    }
}
