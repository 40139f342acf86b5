import Reachability
import Testing

@testable import NetlinkWatcher

@Suite("Messages about addresses")
struct AddressDecoderTests {
    private let ipv6 = IPAddress("2001:db8::7")

    private func address(_ bytes: [UInt8]) throws -> LinkAddress {
        let facts = MessageDecoder.decode(bytes)
        try #require(facts.count == 1)
        guard case .address(let address) = facts[0] else {
            Issue.record("\(facts[0]) is no address")
            return LinkAddress(linkIndex: 0, address: try #require(ipv6), prefixLength: 0)
        }
        return address
    }

    @Test("An IPv4 address with its link and prefix")
    func ipv4() throws {
        #expect(
            try address(AddressFixtures.ipv4Address)
                == LinkAddress(linkIndex: 2, address: try #require(IPAddress("192.0.2.1")), prefixLength: 24))
    }

    @Test("With a peer, the address is ours and not the peer's")
    func peer() throws {
        #expect(
            try address(AddressFixtures.peerAddress)
                == LinkAddress(linkIndex: 4, address: try #require(IPAddress("192.0.2.9")), prefixLength: 32))
    }

    @Test("The flags of duplicate detection and deprecation come from IFA_FLAGS, which overrules the header")
    func flags() throws {
        let plain = LinkAddress(linkIndex: 2, address: try #require(ipv6), prefixLength: 64)
        var expected = plain
        expected.isTentative = true
        #expect(try address(AddressFixtures.ipv6Tentative) == expected)
        expected.isOptimistic = true
        #expect(try address(AddressFixtures.ipv6Optimistic) == expected)
        expected.isOptimistic = false
        expected.isDuplicate = true
        #expect(try address(AddressFixtures.ipv6Duplicate) == expected)
        expected = plain
        expected.isDeprecated = true
        #expect(try address(AddressFixtures.ipv6Deprecated) == expected)
        #expect(try address(AddressFixtures.ipv6Ready) == plain)
    }

    @Test("Without IFA_FLAGS the header's own flags count")
    func headerFlags() throws {
        let bytes = Array(AddressFixtures.ipv6Tentative.dropLast(8)).withRightLength
        #expect(try address(bytes).isTentative)
    }

    @Test("An address that is gone is told with the prefix that it had")
    func gone() throws {
        #expect(
            MessageDecoder.decode(AddressFixtures.ipv6Gone)
                == [.addressGone(linkIndex: 2, address: try #require(ipv6), prefixLength: 64)])
        #expect(
            MessageDecoder.decode(AddressFixtures.ipv4Gone)
                == [
                    .addressGone(
                        linkIndex: 2, address: try #require(IPAddress("192.0.2.1")), prefixLength: 24)
                ])
    }

    @Test("What does not fit together is no fact")
    func misfits() {
        let ipv4 = AddressFixtures.ipv4Address
        // Another family than the address has, a family that nobody asked for, no link, no address at all.
        #expect(MessageDecoder.decode(ipv4.replacing(at: 16, with: [10])) == [])
        #expect(MessageDecoder.decode(ipv4.replacing(at: 16, with: [5])) == [])
        #expect(MessageDecoder.decode(ipv4.replacing(at: 20, with: [0, 0, 0, 0])) == [])
        #expect(MessageDecoder.decode(Array(ipv4.prefix(24)).withRightLength) == [])
    }
}
