import AdSlots
import Reachability
import Testing

@Suite("Loss and gain")
struct NetworkTests {
    private func houseRig(
        _ sources: [SourceReference] = [.network("net"), .local("house")], reachable: Bool = true
    ) -> Rig {
        Rig(reachable: reachable) {
            $0.sources = sources
            $0.whenUnreachable = .house
        }
    }

    @Test("A loss hides, then releases; a gain makes a new banner with a new identifier")
    func lossAndGain() {
        let rig = Rig()
        let host = rig.showAd()
        rig.run(for: .seconds(10))
        rig.lose()
        #expect(rig.kinds(host) == [.create, .show, .hide, .release])
        #expect(rig.commands(host).suffix(2).allSatisfy { $0.reason == .unreachable })
        #expect(rig.slot.state == .waiting)
        #expect(rig.slot.banner == nil)
        #expect(rig.slot.nextAttempt == nil)
        rig.gain()
        rig.run(for: .milliseconds(50))
        #expect(rig.kinds(host).suffix(2) == [.create, .show])
        #expect(Set(rig.commands(host).map(\.banner)).count == 2)
    }

    @Test("Whether an ad came over the network is the configuration's word, not the ad's")
    func sourceDecides() {
        let rig = houseRig([.network("net")])
        rig.nextAnswer = { request in
            .success(
                Creative(
                    id: "liar", source: "net", size: request.size, markup: "<p>", isFromNetwork: false))
        }
        let host = rig.showAd()
        rig.lose()
        #expect(rig.kinds(host).last == .release)
    }

    @Test("With the policy release even a house ad leaves")
    func releasePolicy() {
        let rig = Rig { $0.sources = [.local("house")] }
        let host = rig.showAd()
        rig.lose()
        #expect(rig.kinds(host) == [.create, .show, .hide, .release])
        rig.run(for: .seconds(600))
        #expect(rig.slot.requests == 1)
    }

    @Test("With the policy house, a house ad stays through a loss and a gain")
    func houseStays() {
        let rig = houseRig([.local("house")])
        let host = rig.showAd()
        rig.lose()
        rig.run(for: .seconds(60))
        rig.gain()
        rig.run(for: .seconds(60))
        #expect(rig.kinds(host) == [.create, .show])
        #expect(rig.slot.state == .shown)
    }

    @Test("With the policy house, a network ad is released and the local sources alone are asked")
    func houseTakesOver() {
        let rig = houseRig()
        let host = rig.showAd()
        rig.run(for: .seconds(10))
        rig.lose()
        #expect(rig.slot.state == .loading)
        rig.run(for: .milliseconds(50))
        #expect(rig.kinds(host) == [.create, .show, .hide, .release, .create, .show])
        #expect(rig.requests.map(\.request.source.name) == ["net", "house"])
        #expect(rig.slot.creative?.source == "house")
    }

    @Test("A house ad that stood in for the network is replaced when the network is back")
    func standInIsReplaced() {
        let rig = houseRig(reachable: false)
        let host = rig.showAd()
        #expect(rig.slot.creative?.source == "house")
        rig.run(for: .seconds(10))
        rig.gain()
        #expect(rig.slot.state == .shown)
        rig.run(for: .milliseconds(50))
        #expect(rig.slot.creative?.source == "net")
        #expect(rig.kinds(host) == [.create, .show, .show])
        #expect(rig.commands(host).last?.reason == .replaced)
    }

    @Test("A loss while a network source is asked goes on with the local ones of the same attempt")
    func lossInMidAttempt() {
        let rig = houseRig()
        rig.sources["net"] = .answering(.timeout)
        let host = rig.attach()
        rig.run(for: .seconds(1))
        rig.lose()
        rig.run(for: .milliseconds(50))
        #expect(rig.requests.map(\.request.source.name) == ["net", "house"])
        #expect(rig.kinds(host) == [.create, .show])
        #expect(rig.slot.lastError == nil)
    }

    @Test("A loss during a refresh from the network makes a new banner for the house ad")
    func lossInMidRefresh() {
        let rig = houseRig()
        let host = rig.showAd()
        rig.sources["net"] = .answering(.timeout)
        rig.run(for: .seconds(181))
        rig.lose()
        rig.run(for: .milliseconds(50))
        #expect(rig.kinds(host) == [.create, .show, .hide, .release, .create, .show])
        #expect(rig.slot.creative?.source == "house")
    }

    @Test("A loss while a local source is asked leaves out the network sources after it")
    func lossBeforeNetworkSources() {
        let rig = houseRig([.local("house"), .network("net")])
        rig.sources["house"] = .answering(.noFill)
        rig.attach()
        rig.lose()
        rig.run(for: .seconds(1))
        #expect(rig.requests.map(\.request.source.name) == ["house"])
        #expect(rig.slot.state == .waiting)
        #expect(rig.slot.nextAttempt != nil, "the local source is asked again after the back-off")
    }

    @Test(
        "An empty banner stays only where a local source could fill it",
        arguments: UnreachablePolicy.allCases)
    func emptyBanner(policy: UnreachablePolicy) {
        let rig = Rig {
            $0.sources = [.network("net"), .local("house")]
            $0.whenUnreachable = policy
        }
        rig.sources = ["net": .answering(.noFill), "house": .answering(.noFill)]
        let host = rig.attach()
        rig.run(for: .seconds(1))
        rig.lose()
        let kinds: [Command.Kind] = [.create, .hide]
        #expect(rig.kinds(host) == (policy == .release ? kinds + [.release] : kinds))
    }
}
