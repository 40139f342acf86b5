import AdSlots
import Testing

@testable import AdslotService

@Suite("Leases")
struct LeasesTests {
    private let host = LeaseHolder.host(HostID(1))
    private let work = LeaseHolder.work(WorkID(1))

    @Test("A lease is good for the user who got it, and for nobody else, root included")
    func users() {
        var leases = Leases()
        let word = leases.issue(to: host, user: 1000)
        #expect(leases.holder(of: word, user: 1000) == host)
        #expect(leases.holder(of: word, user: 0) == nil)
        #expect(leases.holder(of: word, user: 1001) == nil)
        let own = leases.issue(to: work, user: 0)
        #expect(leases.holder(of: own, user: 0) == work)
        #expect(leases.holder(of: own, user: 1000) == nil)
    }

    @Test("A withdrawn lease is good for nobody, and no other goes with it")
    func withdrawn() {
        var leases = Leases()
        let (first, second) = (leases.issue(to: host, user: 1000), leases.issue(to: work, user: 1000))
        leases.withdraw(host)
        leases.withdraw(host)
        #expect(leases.holder(of: first, user: 1000) == nil)
        #expect(leases.holder(of: first, user: 0) == nil)
        #expect(leases.holder(of: second, user: 1000) == work)
    }

    @Test("No two leases are alike, and none is short")
    func words() {
        var leases = Leases()
        let words = (0..<1_000).map { leases.issue(to: .host(HostID($0)), user: 1000) }
        #expect(Set(words).count == 1_000)
        #expect(words.allSatisfy { $0.count == 32 && $0.allSatisfy(\.isHexDigit) })
        #expect(leases.holder(of: "", user: 0) == nil)
        #expect(
            leases.holder(of: words[0].uppercased(), user: 1000) == nil || words[0] == words[0].uppercased())
        #expect(leases.holder(of: String(words[0].dropLast()), user: 1000) == nil)
    }
}
