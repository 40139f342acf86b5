import Reachability
import Testing

@Suite("Hosts as people write them")
struct HostTests {
    static let label63 = String(repeating: "a", count: 63)
    static let name253 = [label63, label63, label63, String(repeating: "b", count: 61)].joined(separator: ".")

    @Test(
        "Names are taken in small letters, addresses as what they are",
        arguments: [
            ("example.com", .name("example.com")), ("Example.COM.", .name("example.com.")), ("a", .name("a")),
            ("xn--bcher-kva.example", .name("xn--bcher-kva.example")), ("_sip.a-b.c3", .name("_sip.a-b.c3")),
            ("3com.example", .name("3com.example")), ("1.2.3.4.example", .name("1.2.3.4.example")),
            (label63, .name(label63)), (name253, .name(name253)), (name253 + ".", .name(name253 + ".")),
            ("192.0.2.1", .address(ip("192.0.2.1"))), ("2001:DB8::1", .address(ip("2001:db8::1"))),
            ("0xab.beef.cafe", .name("0xab.beef.cafe")),
        ] as [(String, Host)])
    func taken(text: String, host: Host) throws {
        #expect(try Host(text) == host)
    }

    @Test(
        "Everything else is refused with the reason",
        arguments: [
            ("", .empty), (".", .empty), (name253 + "c", .tooLong), (label63 + "a.example", .labelLength),
            ("a..b", .labelLength), (".a", .labelLength), ("a..", .labelLength),
            ("bücher.example", .notASCII),
            ("\u{212A}.example", .notASCII), ("a b", .character), ("a\0b", .character), ("a\n", .character),
            ("-a.example", .character), ("a-.example", .character), ("http", nil), ("a/b", .character),
            ("*.example", .character), ("a%eth0", .character), ("[2001", .character), ("a@b", .character),
            ("192.0.2.300", .noAddress), ("192.0.2", .noAddress), ("010.0.0.1", .noAddress),
            ("127.1", .noAddress), ("1", .noAddress), ("0x7f000001", .noAddress), ("a.0x", .noAddress),
            ("192.0.2.1.", .noAddress), ("fe80::1%eth0", .noAddress), ("[::1]", .noAddress),
            ("example.com:80", .noAddress), ("2001:db8::g", .noAddress),
        ] as [(String, HostFault?)])
    func refused(text: String, fault: HostFault?) {
        guard let fault else {
            #expect(throws: Never.self) { try Host(text) }
            return
        }
        #expect(throws: fault) { try Host(text) }
    }
}
