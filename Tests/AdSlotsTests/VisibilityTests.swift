import AdSlots
import Reachability
import Testing

@Suite("Out of view and back")
struct VisibilityTests {
    @Test("Not visible hides; visible shows the same ad at once and asks nothing")
    func hideAndShow() {
        let rig = Rig()
        let host = rig.showAd()
        rig.update(host, visible: false)
        #expect(rig.slot.state == .hidden)
        #expect(rig.slot.creative == nil)
        rig.run(for: .seconds(1_000))
        #expect(rig.slot.requests == 1)
        rig.update(host, visible: true)
        #expect(rig.slot.state == .shown)
        #expect(rig.kinds(host) == [.create, .show, .hide, .show])
        #expect(rig.commands(host).last?.creative?.id == "test-1")
        #expect(rig.commands(host).last?.reason == .visible)
    }

    @Test("Refresh time stands still while hidden and goes on with what was left")
    func refreshTime() {
        let rig = Rig()
        let host = rig.showAd()
        rig.run(for: .seconds(100))
        rig.update(host, visible: false)
        rig.run(for: .seconds(3_600))
        rig.update(host, visible: true)
        #expect(rig.slot.nextAttempt == rig.now + .seconds(80))
        rig.run(for: .seconds(30))
        rig.update(host, visible: false)
        rig.update(host, visible: true)
        #expect(rig.slot.nextAttempt == rig.now + .seconds(50))
    }

    @Test("Hiding cancels a request, and its late answer changes nothing")
    func lateAnswer() {
        let rig = Rig()
        let host = rig.attach()
        rig.update(host, visible: false)
        #expect(rig.log.contains { $0.effect == .cancel(RequestID(1)) })
        rig.run(for: .seconds(100))
        #expect(rig.slot.state == .hidden)
        #expect(rig.slot.fills == 0)
        #expect(rig.kinds(host) == [.create, .hide])
        rig.update(host, visible: true)
        rig.run(for: .milliseconds(50))
        #expect(rig.kinds(host) == [.create, .hide, .show])
    }

    @Test("A refresh that hiding cut off is asked again when visible, after the minimum interval")
    func refreshCutOff() {
        let rig = Rig()
        let host = rig.showAd()
        rig.run(for: .seconds(180))
        #expect(rig.slot.requests == 2)
        rig.update(host, visible: false)
        rig.run(for: .seconds(1))
        rig.update(host, visible: true)
        #expect(rig.slot.state == .shown)
        #expect(rig.slot.nextAttempt == rig.now + .seconds(4))
    }

    @Test("A network ad hidden by the host is released when the network is lost")
    func lossWhileHidden() {
        let rig = Rig()
        let host = rig.showAd()
        rig.update(host, visible: false)
        rig.lose()
        #expect(rig.kinds(host) == [.create, .show, .hide, .release])
        #expect(rig.slot.state == .waiting)
        rig.update(host, visible: true)
        #expect(rig.slot.state == .waiting)
    }

    @Test("Saying the same again does nothing")
    func silence() {
        let rig = Rig()
        let host = rig.showAd()
        #expect(rig.perform(.update(host: host, viewport: .phone, visible: true)) == [])
        #expect(rig.perform(.reachability(reachable: true)) == [])
        #expect(rig.perform(.timer) == [])
    }
}
