import Reachability
import Testing

@testable import NetlinkWatcher

@Suite("Messages about links")
struct LinkDecoderTests {
    /// The link that a message is about, nil when it says nothing of one.
    private func decode(_ bytes: [UInt8]) -> Link? {
        let facts = MessageDecoder.decode(bytes)
        guard facts.count == 1, case .link(let link) = facts[0] else { return nil }
        return link
    }

    @Test("A network card, up and shut down")
    func ethernet() {
        var card = Link(
            index: 2, name: "eth0", hardwareType: HardwareType.ethernet, administrativelyUp: true,
            carrier: true,
            operationalState: .up, hasLinkLayerAddress: true)
        #expect(decode(LinkFixtures.ethernet) == card)
        card.administrativelyUp = false
        card.operationalState = .down
        #expect(decode(LinkFixtures.ethernetDown) == card, "the carrier is told as it stands: stale")
    }

    @Test("A Wi-Fi link without keys is dormant, and no evidence of Wi-Fi is made up")
    func wifi() throws {
        let link = try #require(decode(LinkFixtures.wifiDormant))
        #expect(link.operationalState == .dormant)
        #expect(link.carrier && link.administrativelyUp)
        #expect(!link.isWireless && link.deviceType == nil)
    }

    @Test("A message of wireless extensions tells no news of the link")
    func wirelessEvent() {
        #expect(MessageDecoder.decode(LinkFixtures.wirelessEvent) == [])
    }

    @Test("A tun device has no link-layer address and an unknown state")
    func tun() {
        #expect(
            decode(LinkFixtures.tun)
                == Link(
                    index: 4, name: "tun0", hardwareType: HardwareType.none, administrativelyUp: true,
                    carrier: true,
                    operationalState: .unknown, hasLinkLayerAddress: false, infoKind: "tun"))
    }

    @Test("An address of zeros is none")
    func loopback() throws {
        let link = try #require(decode(LinkFixtures.loopback))
        #expect(link.hardwareType == HardwareType.loopback)
        #expect(!link.hasLinkLayerAddress)
    }

    @Test("A port names its bridge, and the kind is its own, not the bridge's")
    func bridgePort() throws {
        let link = try #require(decode(LinkFixtures.bridgePort))
        #expect(link.controllerIndex == 7)
        #expect(link.lowerIndex == 6)
        #expect(link.infoKind == "veth")
    }

    @Test("A VLAN names the link below, but not where that is in another namespace")
    func lower() throws {
        let vlan = try #require(decode(LinkFixtures.vlan))
        #expect(vlan.lowerIndex == 2)
        #expect(vlan.infoKind == "vlan")
        let elsewhere = try #require(decode(LinkFixtures.otherNamespace))
        #expect(elsewhere.lowerIndex == nil)
        #expect(elsewhere.infoKind == "veth")
    }

    @Test("A link that names itself as the link below has none")
    func ownLower() throws {
        let bytes = LinkFixtures.vlan.replacing(at: 20, with: [2])
        #expect(try #require(decode(bytes)).index == 2)
        #expect(try #require(decode(bytes)).lowerIndex == nil)
    }

    @Test(
        "A tunnel's far end is read where its kind keeps it",
        arguments: [
            (LinkFixtures.gre, "gre", "198.51.100.1"), (LinkFixtures.greOverIPv6, "ip6gre", "2001:db8::1"),
            (LinkFixtures.ipip, "ipip", "198.51.100.3"), (LinkFixtures.vti, "vti", "198.51.100.4"),
        ])
    func remote(bytes: [UInt8], kind: String, remote: String) throws {
        let link = try #require(decode(bytes))
        #expect(link.infoKind == kind)
        #expect(link.remoteEndpoint == IPAddress(remote))
        #expect(link.lowerIndex == nil, "0 stands for none")
    }

    @Test("A tunnel to anybody has no far end")
    func noRemote() throws {
        let link = try #require(decode(LinkFixtures.sitToAnybody))
        #expect(link.infoKind == "sit")
        #expect(link.remoteEndpoint == nil)
    }

    @Test("A link whose name is not UTF-8 is a link all the same")
    func oddName() throws {
        let link = try #require(decode(LinkFixtures.oddName))
        #expect(link.name == "eth\u{FFFD}0")
        #expect(link.index == 15)
    }

    @Test("Each operational state of RFC 2863 is known, and an unknown one is no news")
    func states() {
        // The value of IFLA_OPERSTATE in the fixture.
        let offset = 56
        for state in OperationalState.allCases {
            #expect(
                decode(LinkFixtures.ethernet.replacing(at: offset, with: [state.rawValue]))?.operationalState
                    == state)
        }
        #expect(MessageDecoder.decode(LinkFixtures.ethernet.replacing(at: offset, with: [7])) == [])
    }

    @Test("A deleted link is gone; one that leaves a bridge is not, and what a bridge tells is no news")
    func deletion() {
        #expect(MessageDecoder.decode(LinkFixtures.deleted) == [.linkGone(index: 5)])
        #expect(MessageDecoder.decode(LinkFixtures.leftBridge) == [])
        #expect(MessageDecoder.decode(LinkFixtures.bridgeState) == [])
    }

    @Test("No link has an index below 1")
    func indices() {
        for index in [0, -1, .min] as [Int32] {
            let bytes = stride(from: 0, to: 32, by: 8).map { UInt8(truncatingIfNeeded: index >> $0) }
            #expect(MessageDecoder.decode(LinkFixtures.ethernet.replacing(at: 20, with: bytes)) == [])
            #expect(MessageDecoder.decode(LinkFixtures.deleted.replacing(at: 20, with: bytes)) == [])
        }
    }
}
