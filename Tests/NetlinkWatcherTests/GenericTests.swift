import Reachability
import Testing

import struct Simulation.SeededGenerator

@testable import NetlinkWatcher

@Suite("Messages of generic netlink")
struct GenericTests {
    /// Calls `body` with each message of a datagram.
    private func forEach(_ bytes: [UInt8], _ body: (RawMessage) -> Void) {
        unsafe bytes.withUnsafeBytes { datagram in
            unsafe RawMessage.forEach(in: datagram) { message in
                body(message)
                return true
            }
        }
    }

    private func families(_ bytes: [UInt8]) -> [FamilyNews?] {
        var news: [FamilyNews?] = []
        forEach(bytes) { news.append(FamilyNews($0)) }
        return news
    }

    private func wireless(_ bytes: [UInt8]) -> [WirelessNews?] {
        var news: [WirelessNews?] = []
        forEach(bytes) { news.append(WirelessNews($0, family: 28)) }
        return news
    }

    private func farEnd(for destination: String, _ bytes: [UInt8]...) throws -> TunnelEnd? {
        var search = WireGuardSearch(for: try #require(IPAddress(destination)))
        for message in bytes { forEach(message) { search.read($0) } }
        return search.farEnd
    }

    @Test("A family has a number and groups, which have numbers too")
    func family() {
        let family = GenericFamily(id: 28, groups: ["regulatory": 7, "config": 5])
        #expect(families(GenericFixtures.wirelessFamily) == [.present(name: "nl80211", family)])
        #expect(families(GenericFixtures.wirelessFamilyGone) == [.gone(name: "nl80211")])
        #expect(families(GenericFixtures.wirelessLink) == [nil])
    }

    @Test("nl80211 tells of links that come, change and go, and of nothing else")
    func links() {
        #expect(wireless(GenericFixtures.wirelessLink) == [.present(index: 5)])
        #expect(wireless(GenericFixtures.wirelessLinkChanged) == [.present(index: 5)])
        #expect(wireless(GenericFixtures.wirelessLinkGone) == [.gone(index: 5)])
        #expect(wireless(GenericFixtures.wirelessDevice) == [nil])
        #expect(wireless(GenericFixtures.wirelessConnect) == [nil])
        #expect(wireless(GenericFixtures.wirelessFamily) == [nil], "the controller's own")
    }

    @Test(
        "Of WireGuard's peers the one speaks that is allowed the address by the longest prefix",
        arguments: [
            ("1.1.1.1", "198.51.100.7"), ("10.2.3.4", "2001:db8::9"), ("2606:4700::1", "2001:db8::9"),
        ])
    func peers(destination: String, endpoint: String) throws {
        let expected = TunnelEnd(address: try #require(IPAddress(endpoint)), mark: 51820)
        #expect(try farEnd(for: destination, GenericFixtures.wireGuard) == expected)
    }

    @Test("A peer that goes on in the next message keeps its endpoint")
    func continued() throws {
        let expected = TunnelEnd(address: try #require(IPAddress("2001:db8::9")), mark: 51820)
        #expect(
            try farEnd(for: "192.0.2.7", GenericFixtures.wireGuard, GenericFixtures.wireGuardContinued)
                == expected)
        #expect(try farEnd(for: "192.0.2.7", GenericFixtures.wireGuardContinued) == nil, "not heard of yet")
        #expect(try farEnd(for: "198.18.0.1", GenericFixtures.wireGuardContinued) == nil, "not allowed")
    }

    @Test("The lengths in the fixtures are right")
    func lengths() {
        var count = 0
        forEach(GenericFixtures.all) { _ in count += 1 }
        #expect(count == 6)
    }

    @Test("Whatever is cut off or changed, reading goes no further than the bytes do")
    func mutations() throws {
        let page = try #require(GuardedBytes())
        let destination = try #require(IPAddress("1.1.1.1"))
        var random = SeededGenerator(seed: 7)
        let whole = GenericFixtures.all
        for round in 0..<20_000 {
            var bytes = whole
            for _ in 0..<Int.random(in: 1...8, using: &random) {
                bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(
                    in: 0...255, using: &random)
            }
            if round % 2 == 0 { bytes.removeLast(Int.random(in: 0..<bytes.count, using: &random)) }
            unsafe page.lend(bytes) { datagram in
                var search = WireGuardSearch(for: destination)
                unsafe RawMessage.forEach(in: datagram) { message in
                    _ = FamilyNews(message)
                    _ = WirelessNews(message, family: message.type)
                    search.read(message)
                    return true
                }
            }
        }
    }
}
