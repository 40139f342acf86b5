import AdSlots
import Reachability
import Testing

@testable import Simulation

/// That each invariant speaks when it is broken. The effects are made up: the coordinator does not do this.
@Suite("Invariants")
struct InvariantTests {
    private let settings = CoordinatorSettings()
    private let host = HostID(1)
    private let source = SourceReference(name: "test", isNetwork: true)

    private func second(_ seconds: Double) -> Instant { .zero + .seconds(seconds) }

    private func creative(_ id: String = "ad", expires: Instant? = nil) -> Creative {
        Creative(
            id: id, source: "test", size: Size(width: 320, height: 50), markup: "<p>", expires: expires,
            isFromNetwork: true)
    }

    private func newHost() -> VirtualHost {
        VirtualHost(
            slot: "banner", viewport: Size(width: 400, height: 800), visible: true, placement: .bottom)
    }

    /// A command with the frames of the layout.
    private func command(
        _ kind: Command.Kind, _ sequence: Int, banner: Int = 1, _ creative: Creative? = nil
    ) -> Command {
        let (size, viewport) = (Size(width: 320, height: 50), Size(width: 400, height: 800))
        let frames =
            kind == .show
            ? Layout.shown(size, in: viewport, at: .bottom) : Layout.hidden(size, in: viewport, at: .bottom)
        return Command(
            kind: kind, banner: BannerID(banner), bannerFrame: frames.banner, contentFrame: frames.content,
            creative: creative, reason: .filled, sequence: sequence)
    }

    private func shownHost(_ creative: Creative) throws -> VirtualHost {
        var host = newHost()
        #expect(host.obey(command(.create, 1), at: .zero, hasLeft: false) == nil)
        #expect(host.obey(command(.show, 2, creative), at: .zero, hasLeft: false) == nil)
        return host
    }

    private func request(_ id: Int) -> Effect {
        .request(
            SourceRequest(
                id: RequestID(id), slot: "banner", source: source, size: Size(width: 320, height: 50),
                deadline: second(1_000)))
    }

    @Test("0 and 1: a host tells of commands that it cannot carry out rightly")
    func commands() throws {
        var host = try shownHost(creative())
        #expect(host.obey(command(.hide, 7), at: .zero, hasLeft: false)?.invariant == .commands)
        host = try shownHost(creative())
        #expect(host.obey(command(.release, 3), at: .zero, hasLeft: false)?.invariant == .commands)
        host = try shownHost(creative())
        #expect(host.obey(command(.show, 3), at: .zero, hasLeft: false)?.invariant == .blank)
        let old = creative("old", expires: second(1))
        #expect(host.obey(command(.show, 4, old), at: second(2), hasLeft: false)?.invariant == .blank)
        host = newHost()
        host.change(viewport: nil, visible: false, at: .zero)
        _ = host.obey(command(.create, 1), at: .zero, hasLeft: false)
        #expect(host.obey(command(.show, 2, creative()), at: .zero, hasLeft: false)?.invariant == .commands)
    }

    @Test("4 and 5: a host tells of banners that are released, foreign or too many")
    func banners() throws {
        var host = try shownHost(creative())
        #expect(host.obey(command(.create, 3, banner: 2), at: .zero, hasLeft: false)?.invariant == .single)
        host = try shownHost(creative())
        #expect(host.obey(command(.hide, 3, banner: 2), at: .zero, hasLeft: false)?.invariant == .released)
        host = try shownHost(creative())
        #expect(host.obey(command(.hide, 3), at: .zero, hasLeft: false) == nil)
        #expect(host.obey(command(.release, 4), at: .zero, hasLeft: false) == nil)
        #expect(host.obey(command(.show, 5, creative()), at: .zero, hasLeft: false)?.invariant == .released)
    }

    @Test("1 and 2: an ad on screen that has expired, or that the network's loss should have taken")
    func screen() throws {
        var invariants = Invariants(settings: settings)
        let coordinator = Coordinator(settings: settings, reachable: true, at: .zero)
        let hosts = [host: try shownHost(creative(expires: second(10)))]
        func breach(at now: Instant, reachable: Bool) -> Invariant? {
            invariants.check(at: now, hosts: hosts, coordinator: coordinator, reachable: reachable)?.invariant
        }
        #expect(breach(at: second(9), reachable: true) == nil)
        #expect(breach(at: second(10), reachable: true) == .blank)
        #expect(breach(at: second(9), reachable: false) == .unreachable)
        let started = Effect.actionStarted(ActionID(1), slot: "banner", creative(), leavesApplication: false)
        #expect(invariants.observe(started, at: .zero, hosts: hosts) == nil)
        #expect(breach(at: second(11), reachable: false) == nil)
    }

    @Test("3: work that stands still without an action")
    func work() {
        var invariants = Invariants(settings: settings)
        let coordinator = Coordinator(settings: settings, reachable: true, at: .zero)
        let breach = invariants.check(
            at: .zero, hosts: [:], coordinator: coordinator, reachable: true, stopped: ["game"])
        #expect(breach?.invariant == .work)
    }

    @Test("6: requests too close to each other, or before the back-off is over; not those of one attempt")
    func spacing() {
        let coordinator = Coordinator(settings: settings, reachable: true, at: .zero)
        func observe(_ steps: [(Double, [Effect])]) -> Invariant? {
            var invariants = Invariants(settings: settings)
            for (time, effects) in steps {
                for effect in effects {
                    let breach = invariants.observe(effect, at: second(time), hosts: [:])
                    if let breach { return breach.invariant }
                }
                _ = invariants.check(
                    at: second(time), hosts: [:], coordinator: coordinator, reachable: true)
            }
            return nil
        }
        let failed = Effect.sourceFailed(slot: "banner", source: "test", .noFill)
        let filled = Effect.filled(slot: "banner", creative())
        #expect(observe([(0, [request(1)]), (1, [filled]), (4.9, [request(2)])]) == .spacing)
        #expect(observe([(0, [request(1)]), (1, [filled]), (5, [request(2)])]) == nil)
        #expect(observe([(0, [request(1)]), (1, [failed]), (24, [request(2)])]) == .spacing)
        #expect(observe([(0, [request(1)]), (1, [failed]), (25, [request(2)])]) == nil)
        #expect(observe([(0, [request(1)]), (30, [request(2)])]) == .single)
    }

    @Test("7: an impression counts twice, too early, or unseen")
    func impressions() throws {
        var invariants = Invariants(settings: settings)
        let hosts = [host: try shownHost(creative())]
        func impression(_ id: String, host: HostID) -> Effect {
            .impression(
                Impression(
                    slot: "banner", host: host, creative: creative(id), start: .zero, visible: .seconds(1)))
        }
        func observe(_ id: String, at time: Double, host: HostID) -> Invariant? {
            invariants.observe(impression(id, host: host), at: second(time), hosts: hosts)?.invariant
        }
        #expect(observe("early", at: 0.9, host: host) == .impressions)
        #expect(observe("unseen", at: 2, host: HostID(9)) == .impressions)
        #expect(observe("good", at: 1, host: host) == nil)
        #expect(observe("good", at: 2, host: host) == .impressions)
    }

    @Test("Back-off and spacing hold over a restart, what was counted begins anew")
    func restart() {
        var invariants = Invariants(settings: settings)
        #expect(invariants.observe(request(1), at: .zero, hosts: [:]) == nil)
        invariants.restart()
        #expect(invariants.observe(request(1), at: second(4), hosts: [:])?.invariant == .spacing)
    }
}
