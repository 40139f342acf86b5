import AdSlots
import Reachability
import Testing

@Suite("From nothing to an ad")
struct LoadingTests {
    @Test("Reachable and visible: create, ask, then show, and an impression after a second")
    func fill() {
        let rig = Rig()
        let host = rig.attach(name: "kiosk")
        #expect(rig.slot.state == .loading)
        #expect(rig.kinds(host) == [.create])
        rig.run(for: .milliseconds(50))
        #expect(rig.kinds(host) == [.create, .show])
        #expect(rig.slot.state == .shown)
        #expect(rig.slot.creative?.size == .small)
        #expect(rig.slot.nextAttempt == rig.now + .seconds(180))
        rig.run(for: .seconds(2))
        #expect(rig.slot.impressions == 1)
        #expect((rig.slot.requests, rig.slot.fills) == (1, 1))
    }

    @Test("Started offline, the slot waits, and loads on the gain")
    func offlineFirst() {
        let rig = Rig(reachable: false)
        let host = rig.attach()
        rig.run(for: .seconds(60))
        #expect(rig.slot.state == .waiting)
        #expect(rig.slot.reason == .unreachable)
        #expect(rig.kinds(host) == [])
        rig.gain()
        #expect(rig.slot.state == .loading)
        rig.run(for: .milliseconds(50))
        #expect(rig.slot.state == .shown)
    }

    @Test("Attached out of view, nothing is created or asked until the slot is visible")
    func hiddenFirst() {
        let rig = Rig()
        let host = rig.attach(visible: false)
        rig.run(for: .seconds(60))
        #expect(rig.slot.state == .hidden)
        #expect(rig.slot.reason == .notVisible)
        #expect(rig.slot.requests == 0)
        rig.update(host, visible: true)
        rig.run(for: .milliseconds(50))
        #expect(rig.kinds(host) == [.create, .show])
    }

    @Test("A viewport in which no size fits is taken, and nothing is asked until one fits")
    func noSize() {
        let rig = Rig()
        let host = rig.attach("banner", Size(width: 200, height: 200))
        rig.run(for: .seconds(60))
        #expect(rig.slot.state == .hidden)
        #expect(rig.slot.reason == .noSize)
        #expect(rig.slot.requests == 0)
        rig.update(host, viewport: .phone)
        rig.run(for: .milliseconds(50))
        #expect(rig.slot.state == .shown)
    }

    @Test("A slot without a source says so and asks nothing")
    func noSource() {
        let rig = Rig { $0.sources = [] }
        rig.attach()
        #expect(rig.slot.state == .hidden)
        #expect(rig.slot.reason == .noSource)
        #expect(rig.coordinator.deadline == nil)
    }

    @Test("Sources are asked in order until one fills; that is one attempt")
    func sourcesInOrder() {
        let rig = Rig { $0.sources = [.network("a"), .network("b"), .network("c")] }
        rig.sources["a"] = .answering(.noFill)
        rig.sources["b"] = .answering(.timeout)
        rig.attach()
        rig.run(for: .seconds(11))
        #expect(rig.requests.map(\.request.source.name) == ["a", "b", "c"])
        #expect(
            rig.requests.map(\.at) == [
                .zero, .zero + .milliseconds(50), .zero + .milliseconds(10_050),
            ])
        #expect(rig.slot.creative?.source == "c")
        #expect(rig.slot.lastError == .timeout)
    }

    @Test("When the last source fails the banner without an ad is hidden and the retry has a time")
    func failure() throws {
        let rig = Rig()
        rig.sources["test"] = .answering(.noFill)
        let host = rig.attach()
        rig.run(for: .milliseconds(50))
        #expect(rig.kinds(host) == [.create, .hide])
        #expect(rig.slot.state == .hidden)
        #expect(rig.slot.reason == .noFill)
        #expect(rig.slot.lastError == .noFill)
        let wait = try #require(rig.slot.nextAttempt) - rig.now
        #expect(wait >= .seconds(24) && wait <= .seconds(36))
    }

    @Test("A retry reuses the banner: no second create, no second hide")
    func retryReusesBanner() {
        let rig = Rig()
        rig.sources["test"] = .answering(.serverFailure)
        let host = rig.attach()
        rig.run(for: .seconds(200))
        #expect(rig.slot.requests >= 3)
        rig.sources["test"] = .answering(.ok)
        rig.run(for: .seconds(600))
        #expect(rig.kinds(host).prefix(3) == [.create, .hide, .show])
    }

    @Test("A source that does not answer times out, and its late answer changes nothing")
    func timeout() {
        let rig = Rig()
        rig.sources["test"] = .answering(.ok, delay: .seconds(12))
        let host = rig.attach()
        rig.run(for: .seconds(13))
        #expect(rig.slot.lastError == .timeout)
        #expect(rig.log.contains { $0.effect == .cancel(RequestID(1)) })
        #expect(rig.kinds(host) == [.create, .hide])
        #expect(rig.slot.fills == 0)
    }

    @Test(
        "An answer that cannot be shown is a failure",
        arguments: [
            (flaw: Flaw.wrongSize, error: SourceError.invalidCreative),
            (flaw: .empty, error: .invalidCreative),
            (flaw: .markupAndPath, error: .invalidCreative),
            (flaw: .expired, error: .expired),
        ])
    func flaws(flaw: Flaw, error: SourceError) {
        let rig = Rig()
        rig.nextAnswer = { .success(flaw.creative(for: $0)) }
        let host = rig.attach()
        rig.run(for: .milliseconds(50))
        #expect(rig.slot.lastError == error)
        #expect(rig.kinds(host) == [.create, .hide])
    }

    enum Flaw {
        case wrongSize
        case empty
        case markupAndPath
        case expired

        func creative(for request: SourceRequest) -> Creative {
            var creative = Creative(
                id: "flawed", source: "test", size: request.size, markup: "<p>", isFromNetwork: true)
            switch self {
            case .wrongSize: creative.size.height += 1
            case .empty: creative.markup = nil
            case .markupAndPath: creative.path = "/cache/ad.png"
            case .expired: creative.expires = .zero + .milliseconds(50)
            }
            return creative
        }
    }
}
