import Reachability
import Testing

@Suite("Addresses and their text")
struct IPAddressTests {
    @Test(
        "Canonical text is read and written unchanged (RFC 5952)",
        arguments: [
            "0.0.0.0", "1.1.1.1", "10.0.0.2", "255.255.255.255", "::", "::1", "1::", "fe80::1",
            "2606:4700:4700::1111",
            "2001:db8:0:1:1:1:1:1", "2001:0:0:1::1", "2001:db8::1:0:0:1", "::ffff:192.0.2.1",
            "1:2:3:4:5:6:7:8",
            "64:ff9b::c000:221",
        ])
    func roundTrip(text: String) {
        #expect(ip(text).description == text)
        #expect(IPAddress(ip(text).bytes) == ip(text))
    }

    @Test(
        "Other spellings are read, and written canonically",
        arguments: [
            ("2001:DB8::0001", "2001:db8::1"),
            ("0:0:0:0:0:0:0:0", "::"),
            ("2001:db8:0:0:1:0:0:1", "2001:db8::1:0:0:1"),
            ("1:0:0:2:0:0:0:3", "1:0:0:2::3"),
            ("1:2:3:4:5:6:7::", "1:2:3:4:5:6:7:0"),
            ("::2:3:4:5:6:7:8", "0:2:3:4:5:6:7:8"),
            ("64:ff9b::192.0.2.33", "64:ff9b::c000:221"),
            ("1:2:3:4:5:6:192.0.2.33", "1:2:3:4:5:6:c000:221"),
            ("::192.0.2.33", "::c000:221"),
            ("::FFFF:c000:0201", "::ffff:192.0.2.1"),
        ])
    func canonical(text: String, canonical: String) {
        #expect(ip(text).description == canonical)
    }

    @Test(
        "What is no address is refused",
        arguments: [
            "", ".", ":", ":::", "1", "1.2.3", "1.2.3.4.5", "1.2.3.", ".1.2.3", "1..2.3", "01.2.3.4",
            "1.2.3.00",
            "256.1.1.1", "1.2.3.4 ", " 1.2.3.4", "+1.2.3.4", "1.2.3.a", "1.2.3.4/24", "0x1.2.3.4",
            "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "1:2:3:4:5:6:7:8::", "::1:2:3:4:5:6:7:8", "1::2::3", ":1::",
            "1::2:",
            "12345::", "g::", "fe80::1%eth0", "::1.2.3", "1.2.3.4::", "::1.2.3.4:5", "1:2:3:4:5:6:7:1.2.3.4",
            "::ffff:1.2.3.4.5", "::ffff:01.2.3.4", "1:::2", "٣.1.1.1",
        ])
    func refused(text: String) {
        #expect(IPAddress(text) == nil)
    }

    @Test("Only 4 or 16 bytes make an address", arguments: [0, 1, 3, 5, 8, 15, 17])
    func byteCounts(count: Int) {
        #expect(IPAddress([UInt8](repeating: 1, count: count)) == nil)
    }

    @Test("Bytes are in network order")
    func bytes() {
        #expect(IPAddress([192, 0, 2, 33]) == ip("192.0.2.33"))
        #expect(ip("2001:db8::1").bytes == [0x20, 1, 0xD, 0xB8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1])
    }

    /// A scope that the rule asks for.
    enum Scope: Sendable {
        case linkLocal, loopback, multicast, unspecified

        func contains(_ address: IPAddress) -> Bool {
            switch self {
            case .linkLocal: return address.isLinkLocal
            case .loopback: return address.isLoopback
            case .multicast: return address.isMulticast
            case .unspecified: return address.isUnspecified
            }
        }
    }

    @Test(
        "Scopes end where the RFCs say",
        arguments: [
            (.linkLocal, ["169.254.0.0", "169.254.255.255", "fe80::", "febf:ffff::1"]),
            (.loopback, ["127.0.0.1", "127.255.255.255", "::1"]),
            (.multicast, ["224.0.0.0", "239.255.255.255", "ff00::", "ff02::1"]),
            (.unspecified, ["0.0.0.0", "::"]),
        ] as [(Scope, [String])])
    func scopes(scope: Scope, inside: [String]) {
        let all = [
            "169.254.0.0", "169.254.255.255", "fe80::", "febf:ffff::1", "127.0.0.1", "127.255.255.255", "::1",
            "224.0.0.0", "239.255.255.255", "ff00::", "ff02::1", "0.0.0.0", "::", "169.253.255.255",
            "169.255.0.0",
            "fe7f::1", "fec0::", "126.255.255.255", "128.0.0.0", "::2", "223.255.255.255", "240.0.0.0",
            "feff::",
            "0.0.0.1", "10.0.0.1", "2001:db8::1",
        ]
        #expect(all.filter { scope.contains(ip($0)) } == inside)
    }

    @Test("IPv4 sorts before IPv6, then by number")
    func order() {
        let sorted = ["1.1.1.1", "9.0.0.0", "10.0.0.0", "255.0.0.0", "::", "::1", "2::", "10::"]
        #expect(sorted.reversed().map(ip).sorted().map(\.description) == sorted)
    }
}

@Suite("Prefixes")
struct AddressPrefixTests {
    @Test(
        "A prefix contains what shares its first bits",
        arguments: [
            ("10.0.0.0/8", "10.255.0.1", true), ("10.0.0.0/8", "11.0.0.0", false),
            ("0.0.0.0/0", "1.1.1.1", true),
            ("0.0.0.0/0", "::", false), ("::/0", "1.1.1.1", false), ("::/0", "ffff::", true),
            ("128.0.0.0/1", "127.0.0.1", false), ("2001:db8::/33", "2001:db8:8000::", false),
            ("1.1.1.1", "1.1.1.1", true), ("1.1.1.1/32", "1.1.1.0", false), ("::1/128", "::1", true),
        ])
    func contains(range: String, address: String, contained: Bool) {
        #expect(prefix(range).contains(ip(address)) == contained)
    }

    @Test("Host bits are dropped, and text is canonical")
    func canonical() {
        #expect(prefix("10.1.2.3/8").description == "10.0.0.0/8")
        #expect(prefix("2001:db8::1/32").description == "2001:db8::/32")
        #expect(prefix("1.1.1.1").description == "1.1.1.1/32")
    }

    @Test(
        "What is no prefix is refused",
        arguments: [
            "", "/", "10.0.0.0/", "10.0.0.0/33", "::/129", "::/-1", "::/+1", "::/08", "::/8/8", "default",
        ])
    func refused(text: String) {
        #expect(AddressPrefix(text) == nil)
    }
}
