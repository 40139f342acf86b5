import Reachability
import Testing

@testable import NetlinkWatcher

@Suite("Messages about routing")
struct RouteMessageTests {
    @Test(
        "Whatever a lookup hangs on means that lookups may be wrong now",
        arguments: [
            RouteFixtures.route, RouteFixtures.routeGone, RouteFixtures.rule, RouteFixtures.nexthop,
            RouteFixtures.netconf,
        ])
    func news(bytes: [UInt8]) {
        #expect(MessageDecoder.decode(bytes) == [.routesMayHaveChanged])
    }

    @Test(
        "Also when it is taken away",
        arguments: [(RouteFixtures.rule, 33), (RouteFixtures.nexthop, 105), (RouteFixtures.netconf, 81)]
            as [([UInt8], UInt16)])
    func withdrawn(bytes: [UInt8], type: UInt16) {
        #expect(MessageDecoder.decode(bytes.replacing(at: 4, with: type)) == [.routesMayHaveChanged])
    }

    @Test("A route of the cache decides nothing")
    func cloned() {
        #expect(MessageDecoder.decode(RouteFixtures.clonedRoute) == [])
        #expect(MessageDecoder.decode(RouteFixtures.clonedRoute.replacing(at: 4, with: 25)) == [])
    }

    @Test("Messages of other types are no facts")
    func others() {
        #expect(MessageDecoder.decode(RouteFixtures.neighbour) == [])
        let known: Set<UInt16> = [16, 17, 20, 21, 24, 25, 32, 33, 80, 81, 104, 105]
        for type in UInt16(0)...300 where !known.contains(type) {
            #expect(
                MessageDecoder.decode(LinkFixtures.ethernet.replacing(at: 4, with: type)) == [],
                "type \(type)")
        }
    }
}
