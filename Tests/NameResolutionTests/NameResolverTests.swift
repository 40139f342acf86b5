import Foundation
import LinuxSupport
import Reachability
import Testing

@testable import NameResolution

@Suite("Names are resolved by a real server")
struct NameResolverTests {
    @Test("An answer becomes addresses, IPv4 first, and the shortest time to live")
    func found() throws {
        let bench = try Bench(
            zone: """
                both.test addresses 60 2001:db8::1 192.0.2.1
                v4.test addresses 5 192.0.2.2
                v6.test addresses 7 2001:db8::2
                alias.test alias both.test
                big.test truncated 60 192.0.2.9
                slow.test delayed 0.2 60 192.0.2.4
                _under-score.test addresses 60 192.0.2.5
                """)
        let expected: [String: ([String], Int)] = [
            "both.test": (["192.0.2.1", "2001:db8::1"], 60),
            "BOTH.test.": (["192.0.2.1", "2001:db8::1"], 60),
            "v4.test": (["192.0.2.2"], 5),
            "v6.test": (["2001:db8::2"], 7),
            "alias.test": (["192.0.2.1", "2001:db8::1"], 60),
            "big.test": (["192.0.2.9"], 60),
            "slow.test": (["192.0.2.4"], 60),
            "_under-score.test": (["192.0.2.5"], 60),
        ]
        for (name, result) in try bench.resolve(Array(expected.keys)) {
            let found = try result.get()
            #expect(found.addresses.map(\.description) == expected[name]?.0, "\(name)")
            #expect(found.lifetime == expected[name].map { .seconds($0.1) }, "\(name)")
        }
        #expect(bench.resolver.resolutions == 0)
    }

    @Test("What is no answer is a failure with a reason")
    func failed() throws {
        let bench = try Bench(
            zone: """
                empty.test addresses 60
                dangling.test alias nowhere.test
                servfail.test servfail
                refused.test refused
                garbage.test garbage
                silent.test silent
                """, seconds: 3)
        let expected: [String: Set<ResolutionFailure>] = [
            "missing.test": [.noSuchName], "empty.test": [.noAddress], "dangling.test": [.noAddress],
            // Before 1.20 c-ares does not tell a server that refuses from one that is not there.
            "servfail.test": [.refused, .unreachable], "refused.test": [.refused, .unreachable],
            // Garbage may pass for an answer to another question, which is then waited for in vain.
            "garbage.test": [.malformedAnswer, .noAddress, .timedOut, .refused, .unreachable],
            "silent.test": [.timedOut],
        ]
        for (name, result) in try bench.resolve(Array(expected.keys)) {
            switch result {
            case .success(let found): Issue.record("\(name) has \(found)")
            case .failure(let failure):
                #expect(expected[name]?.contains(failure) == true, "\(name): \(failure)")
            }
        }
    }

    @Test("A server that swallows the questions for one family costs a second, not the whole time")
    func halfSilent() throws {
        let bench = try Bench(zone: "half.test silent-aaaa 60 192.0.2.1")
        let start = bench.loop.now
        #expect(try bench.addresses("half.test") == ["192.0.2.1"])
        #expect((900_000...3_000_000).contains(bench.loop.now - start))
    }

    @Test("Of many addresses sixteen are kept, half of them for each family that needs them")
    func many() throws {
        let ipv4 = (1...40).map { "192.0.2.\($0)" }
        let ipv6 = (1...40).map { "2001:db8::\(String($0, radix: 16))" }
        let bench = try Bench(
            zone: """
                many.test truncated 60 \((ipv4 + ipv6).joined(separator: " "))
                many4.test truncated 60 \((ipv4 + ipv6[..<2]).joined(separator: " "))
                """)
        #expect(try bench.addresses("many.test") == Array(ipv4[..<8] + ipv6[..<8]))
        #expect(try bench.addresses("many4.test") == Array(ipv4[..<14] + ipv6[..<2]))
    }

    @Test("Addresses, the hosts file and localhost ask nobody")
    func withoutServer() throws {
        let bench = try Bench(
            zone: "listed.test addresses 60 192.0.2.1",
            hosts: """
                # 198.51.100.9 listed.test
                198.51.100.1\tother.test Listed.TEST  # 198.51.100.2
                2001:db8::5 listed.test
                nonsense listed.test
                198.51.100.1 listed.test
                """)
        #expect(try bench.addresses("198.51.100.7") == ["198.51.100.7"])
        #expect(try bench.addresses("listed.test") == ["198.51.100.1", "2001:db8::5"])
        #expect(try bench.addresses("LISTED.test.") == ["198.51.100.1", "2001:db8::5"])
        #expect(try bench.addresses("localhost") == ["127.0.0.1", "::1"])
        #expect(try bench.addresses("a.localhost.") == ["127.0.0.1", "::1"])
        #expect(bench.questions == [])
    }

    @Test("A changed hosts file is read again, and its change is told")
    func hostsChange() throws {
        let bench = try Bench(zone: "", hosts: "198.51.100.1 listed.test")
        var changes = 0
        bench.resolver.onConfigurationChange = { changes += 1 }
        #expect(try bench.addresses("listed.test") == ["198.51.100.1"])
        try bench.write("198.51.100.22 listed.test", to: "hosts")
        try bench.run { changes > 0 }
        #expect(try bench.addresses("listed.test") == ["198.51.100.22"])
        try bench.write("", to: "hosts")
        #expect(try bench.resolve("listed.test") == .failure(.noSuchName))
    }

    @Test("Servers and search domains come from resolv.conf, and from the new one after a change")
    func resolverFile() throws {
        let bench = try Bench(
            zone: """
                host.inner.test addresses 60 192.0.2.1
                host.outer.test addresses 60 192.0.2.2
                """, resolverFile: "search inner.test\n")
        #expect(try bench.addresses("host") == ["192.0.2.1"])
        #expect(try bench.resolve("host.") == .failure(.noSuchName))
        try bench.write("search outer.test\nnameserver 127.0.0.1\n", to: "resolv.conf")
        #expect(try bench.addresses("host") == ["192.0.2.2"])
    }

    @Test("A resolution that is cancelled or let go of never answers, and no longer counts")
    func cancelled() throws {
        let bench = try Bench(zone: "silent.test silent\na.test addresses 60 192.0.2.1")
        var answers = 0
        let first = try bench.resolver.resolve(Host("silent.test")) { _ in answers += 1 }
        var second: Resolution? = try bench.resolver.resolve(Host("a.test")) { _ in answers += 1 }
        let third = try bench.resolver.resolve(Host("192.0.2.7")) { _ in answers += 1 }
        #expect(bench.resolver.resolutions == 3)
        first.cancel()
        first.cancel()
        second = nil
        third.cancel()
        #expect(bench.resolver.resolutions == 0)
        #expect(second == nil)
        #expect(try bench.addresses("a.test") == ["192.0.2.1"])
        #expect(answers == 0)
    }

    @Test("Several names are asked for at once, and too many are refused")
    func several() throws {
        let zone = (0..<64).map { "h\($0).test addresses 60 192.0.2.\($0)" }.joined(separator: "\n")
        let bench = try Bench(zone: zone)
        var results: [Int: Result<ResolvedHost, ResolutionFailure>] = [:]
        var kept: [Resolution] = []
        for number in 0..<65 {
            kept.append(try bench.resolver.resolve(Host("h\(number).test")) { results[number] = $0 })
        }
        try bench.run { results.count == 65 }
        for number in 0..<64 {
            #expect(try results[number]?.get().addresses == [ip("192.0.2.\(number)")])
        }
        #expect(results[64] == .failure(.busy))
        #expect(bench.resolver.resolutions == 0)
    }

    @Test("Where no server listens, that is said at once")
    func noServer() throws {
        // No server of a test listens on this address.
        let bench = try Bench(zone: "", resolverFile: "nameserver 127.99.99.99\n", isServed: false)
        let start = bench.loop.now
        #expect(try bench.resolve("a.test") == .failure(.unreachable))
        #expect(bench.loop.now - start < 2_000_000)
    }
}

@Suite("What two answers come to")
struct AnswersTests {
    static let found = TimedAddress(address: ip("192.0.2.1"), lifetime: .seconds(60))

    @Test(
        "A family without addresses spoils nothing; without any, the reason is the one that says most",
        arguments: [
            (.noAddress, .noAddress, .noAddress), (.noSuchName, .noAddress, .noSuchName),
            (.timedOut, .noSuchName, .noSuchName), (.noAddress, .timedOut, .timedOut),
            (.refused, .timedOut, .refused), (.malformedAnswer, .noAddress, .malformedAnswer),
        ] as [(ResolutionFailure, ResolutionFailure, ResolutionFailure)])
    func failures(ipv4: ResolutionFailure, ipv6: ResolutionFailure, expected: ResolutionFailure) throws {
        var answers = Answers()
        answers.add(.failure(ipv4), of: .ipv4)
        answers.add(.failure(ipv6), of: .ipv6)
        #expect(answers.progress == .complete)
        #expect(answers.outcome == .failure(expected))
        for failure in [ipv4, ipv6] {
            var answers = Answers()
            answers.add(.failure(failure), of: .ipv4)
            answers.add(.success([Self.found]), of: .ipv6)
            #expect(try answers.outcome.get().addresses == [ip("192.0.2.1")])
        }
    }

    @Test("The first family settles it when the name exists, or does not")
    func progress() {
        for (answer, progress) in [
            (.success([Self.found]), .sufficient), (.failure(.noSuchName), .sufficient),
            (.failure(.noAddress), .open), (.failure(.timedOut), .open),
        ] as [(Answers.Answer, Answers.Progress)] {
            var answers = Answers()
            #expect(answers.progress == .open)
            answers.add(answer, of: .ipv6)
            #expect(answers.progress == progress)
        }
        #expect(Answers().outcome == .failure(.timedOut))
    }
}
