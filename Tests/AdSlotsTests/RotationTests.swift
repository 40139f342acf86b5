import AdSlots
import Reachability
import Testing

@Suite("Rotation and new viewports")
struct RotationTests {
    @Test("A new viewport that wants the same size only resizes", arguments: Placement.allCases)
    func resize(placement: Placement) {
        let rig = Rig { $0.placement = placement }
        let host = rig.showAd()
        rig.run(for: .seconds(10))
        let taller = Size(width: 400, height: 900)
        rig.update(host, viewport: taller)
        #expect(rig.kinds(host) == [.create, .show, .resize])
        let frames = Layout.shown(.small, in: taller, at: placement)
        #expect(rig.commands(host).last?.bannerFrame == frames.banner)
        rig.run(for: .seconds(60))
        #expect(rig.slot.requests == 1)
    }

    @Test("An ad of a size no longer right stays while it fits, and is replaced")
    func replaced() {
        let rig = Rig()
        let host = rig.showAd()
        rig.run(for: .seconds(10))
        rig.update(host, viewport: .phoneOnItsSide)
        #expect(rig.kinds(host) == [.create, .show, .resize])
        #expect(rig.slot.creative?.size == .small)
        rig.run(for: .milliseconds(50))
        #expect(rig.kinds(host) == [.create, .show, .resize, .show])
        #expect(rig.slot.creative?.size == Size(width: 768, height: 66))
        #expect(rig.commands(host).last?.reason == .replaced)
        #expect(Set(rig.commands(host).map(\.banner)).count == 1)
    }

    @Test("An ad that no longer fits is hidden until its replacement comes")
    func tooWide() {
        let rig = Rig()
        let host = rig.showAd("banner", .phoneOnItsSide)
        rig.update(host, viewport: .phone)
        #expect(rig.slot.state == .hidden)
        #expect(rig.commands(host).last?.reason == .viewport)
        #expect(rig.slot.nextAttempt == .zero + .seconds(5))
        rig.run(for: .seconds(6))
        #expect(rig.kinds(host) == [.create, .show, .hide, .show])
        #expect(rig.slot.creative?.size == .small)
    }

    @Test("Turned back before the replacement has come, the old ad is shown again")
    func turnedBack() {
        let rig = Rig()
        let host = rig.showAd("banner", .phoneOnItsSide)
        rig.update(host, viewport: .phone)
        rig.update(host, viewport: .phoneOnItsSide)
        #expect(rig.slot.state == .shown)
        #expect(rig.commands(host).last?.creative?.id == "test-1")
        rig.run(for: .seconds(100))
        #expect(rig.slot.requests == 1)
    }

    @Test("A rotation while loading asks again for the size of the viewport as it is")
    func whileLoading() {
        let rig = Rig()
        let host = rig.attach()
        rig.update(host, viewport: .phoneOnItsSide)
        rig.run(for: .seconds(6))
        #expect(rig.requests.map(\.request.size) == [.small, Size(width: 768, height: 66)])
        #expect(rig.log.contains { $0.effect == .cancel(RequestID(1)) })
        #expect(rig.slot.fills == 1)
        #expect(rig.kinds(host) == [.create, .resize, .show])
        #expect(rig.slot.lastError == nil)
    }

    @Test("A hidden banner takes new frames")
    func whileHidden() {
        let rig = Rig()
        let host = rig.showAd()
        rig.update(host, visible: false)
        rig.update(host, viewport: Size(width: 500, height: 900))
        #expect(rig.kinds(host) == [.create, .show, .hide, .resize])
        #expect(rig.commands(host).last?.bannerFrame.y == 900)
    }

    @Test("An ad that nothing can replace stays where it fits")
    func nothingToReplaceIt() {
        let rig = Rig()
        let host = rig.showAd()
        rig.update(host, viewport: Size(width: 400, height: 100))
        rig.run(for: .seconds(1_000))
        #expect(rig.slot.state == .shown)
        #expect(rig.slot.reason == .replacing)
        #expect(rig.slot.requests == 1)
        #expect(rig.kinds(host) == [.create, .show, .resize])
    }

    @Test("A viewport out of bounds changes nothing, not even what came with it")
    func invalid() {
        let rig = Rig()
        let host = rig.showAd()
        let absurd = Size(width: 0, height: 800)
        let effects = rig.perform(.update(host: host, viewport: absurd, visible: false))
        guard case .updateRefused(host, .invalidViewport(absurd, _)) = effects.first else {
            Issue.record("\(effects)")
            return
        }
        #expect(rig.slot.state == .shown)
    }
}
