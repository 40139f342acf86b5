import Reachability
import Testing

@testable import NetlinkWatcher

@Suite("Datagrams of messages")
struct DatagramTests {
    private static let messages = LinkFixtures.all + AddressFixtures.all + RouteFixtures.all

    /// What a datagram says, read where not one byte behind it can be.
    private func decode(_ bytes: [UInt8], _ page: GuardedBytes) -> [Fact] {
        unsafe page.lend(bytes) { datagram in
            var facts: [Fact] = []
            unsafe RawMessage.forEach(in: datagram) { message in
                if let fact = MessageDecoder.decode(message) { facts.append(fact) }
                return true
            }
            return facts
        }
    }

    @Test("Several messages in one datagram are read in their order")
    func several() {
        let bytes =
            LinkFixtures.ethernet + AddressFixtures.ipv4Address + RouteFixtures.neighbour
            + RouteFixtures.route
            + LinkFixtures.deleted
        let facts = MessageDecoder.decode(bytes)
        #expect(facts.count == 4)
        #expect(
            facts
                == Self.facts(
                    LinkFixtures.ethernet, AddressFixtures.ipv4Address, RouteFixtures.route,
                    LinkFixtures.deleted))
    }

    private static func facts(_ messages: [UInt8]...) -> [Fact] {
        messages.flatMap { MessageDecoder.decode($0) }
    }

    @Test("A reader may stop at any message")
    func stops() {
        let bytes = LinkFixtures.ethernet + LinkFixtures.tun + LinkFixtures.vlan
        var types: [UInt16] = []
        unsafe bytes.withUnsafeBytes { datagram in
            unsafe RawMessage.forEach(in: datagram) { message in
                types.append(message.type)
                return types.count < 2
            }
        }
        #expect(types.count == 2)
    }

    @Test("The last message may lack its padding, and so may its last attribute")
    func padding() throws {
        let page = try #require(GuardedBytes())
        // The interface name "eth0" and its zero at the end, without the three bytes that fill the word.
        let name: [UInt8] = [9, 0, 3, 0] + Array("eth9".utf8) + [0]
        let bytes = (LinkFixtures.ethernet + name).withRightLength
        #expect(bytes.count % 4 == 1)
        let facts = decode(bytes, page)
        guard case .link(let link)? = facts.first else {
            Issue.record("no link")
            return
        }
        #expect(link.name == "eth9", "the later attribute of a kind counts")
        #expect(decode(LinkFixtures.tun + bytes, page).count == 2)
    }

    @Test("A datagram that is cut off anywhere gives the facts of its whole messages, and no others")
    func truncated() throws {
        let page = try #require(GuardedBytes())
        for message in Self.messages {
            let whole = LinkFixtures.ethernet + message
            let first = decode(LinkFixtures.ethernet, page)
            for length in 0..<whole.count {
                let facts = decode(Array(whole.prefix(length)), page)
                #expect(facts == (length < LinkFixtures.ethernet.count ? [] : first), "cut at \(length)")
            }
            #expect(decode(whole, page) == first + decode(message, page))
        }
    }

    @Test("A message whose header says that it ends earlier is read to there, at every length")
    func shortened() throws {
        let page = try #require(GuardedBytes())
        for message in Self.messages {
            for length in 0...message.count {
                // What is behind the shorter message is not a message, or one of nonsense: neither traps.
                let facts = decode(message.replacing(at: 0, with: UInt16(length)), page)
                if length < 16 { #expect(facts == [], "no message is shorter than its header") }
            }
        }
    }

    @Test("Attributes whose lengths lie end the message's attributes, and none is read past them")
    func lyingLengths() throws {
        let page = try #require(GuardedBytes())
        // The attributes of the fixture begin behind both headers.
        for lie in [0, 1, 3, 0xFFFF, 0x7FFF, 57, 100] as [UInt16] {
            let bytes = LinkFixtures.ethernet.replacing(at: 32, with: lie)
            #expect(decode(bytes, page) == [], "without a name there is no link")
        }
        // The last attribute, the address: one byte more than there is.
        let last = LinkFixtures.ethernet.count - 12
        let tooLong = decode(LinkFixtures.ethernet.replacing(at: last, with: 13), page)
        guard case .link(let link)? = tooLong.first else {
            Issue.record("no link")
            return
        }
        #expect(!link.hasLinkLayerAddress)
        #expect(link.name == "eth0" && link.operationalState == .up)
    }

    @Test("A nest whose attributes lie gives no far end, and the link stays")
    func lyingNests() throws {
        let page = try #require(GuardedBytes())
        for length in UInt16(0)...80 {
            for offset in stride(from: 32, to: LinkFixtures.gre.count - 3, by: 4) {
                let bytes = LinkFixtures.gre.replacing(at: offset, with: length)
                for fact in decode(bytes, page) {
                    guard case .link(let link) = fact else {
                        Issue.record("\(fact)")
                        continue
                    }
                    #expect(link.index == 10)
                }
            }
        }
    }

    @Test("A value of another size than its attribute has is no value")
    func shortValues() throws {
        let page = try #require(GuardedBytes())
        // IFLA_MASTER of the bridge port, cut to two bytes: no master, and the rest as it was.
        let master = try #require(LinkFixtures.bridgePort.firstRange(of: [8, 0, 10, 0])?.lowerBound)
        let bytes = LinkFixtures.bridgePort.replacing(at: master, with: [6])
        guard case .link(let link)? = decode(bytes, page).first else {
            Issue.record("no link")
            return
        }
        #expect(link.controllerIndex == nil)
        #expect(link.lowerIndex == 6)
    }

    @Test("An empty datagram, and one of zeros, say nothing")
    func nothing() throws {
        let page = try #require(GuardedBytes())
        for count in [0, 1, 15, 16, 17, 4096] {
            #expect(decode([UInt8](repeating: 0, count: count), page) == [])
            #expect(decode([UInt8](repeating: 0xFF, count: count), page) == [])
        }
    }
}
