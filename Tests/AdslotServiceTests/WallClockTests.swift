import Reachability
import Testing

@testable import AdslotService

@Suite("Times of day are made of the boot clock's when they are shown")
struct WallClockTests {
    /// A wall clock that is so far ahead of the boot clock.
    private final class Ahead {
        var microseconds: Int64 = 1_700_000_000_000_000
    }

    private let ahead = Ahead()
    private let moment = Instant(microseconds: 5_000_000)

    @Test(
        "A clock that is set moves all times that are shown, past ones too",
        arguments: [86_400, -86_400, 1, -1])
    func step(seconds: Int64) {
        var clock = WallClock { [ahead] in ahead.microseconds }
        #expect(clock.microseconds(at: moment) == 1_700_000_005_000_000)
        var moves = clock.refresh()
        #expect(!moves)
        ahead.microseconds += seconds * 1_000_000
        #expect(clock.microseconds(at: moment) == 1_700_000_005_000_000, "one reply, one clock")
        moves = clock.refresh()
        #expect(moves)
        #expect(clock.microseconds(at: moment) == 1_700_000_005_000_000 + seconds * 1_000_000)
        moves = clock.refresh()
        #expect(!moves)
    }

    @Test("That the clocks cannot be read at once moves nothing; a slow correction does in the end")
    func noise() {
        var clock = WallClock { [ahead] in ahead.microseconds }
        for noise in [1, -1, 900, -900] as [Int64] {
            ahead.microseconds += noise
            let moves = clock.refresh()
            #expect(!moves)
            #expect(clock.microseconds(at: moment) == 1_700_000_005_000_000)
            ahead.microseconds -= noise
        }
        for _ in 0..<10 {
            ahead.microseconds += 300
            clock.refresh()
        }
        #expect(abs(clock.microseconds(at: moment) - 1_700_000_005_003_000) <= 1_000)
    }

    private struct Nowhere: RouteLookup {
        mutating func answer(_ query: RouteQuery) -> RouteAnswer { .unroutable }
    }

    @Test("A posted state began when the wall clock now says that it did")
    func since() {
        var model = ReachabilityModel(settings: ReachabilitySettings())
        var nowhere = Nowhere()
        guard case .posted(let state)? = model.judge(at: moment, lookup: &nowhere).first else {
            Issue.record("no first state")
            return
        }
        var clock = WallClock { [ahead] in ahead.microseconds }
        #expect(PublishedReachability(state: state, wallClock: clock).since == 1_700_000_005_000_000)
        ahead.microseconds -= 1_600_000_000_000_000
        clock.refresh()
        #expect(PublishedReachability(state: state, wallClock: clock).since == 100_000_005_000_000)
    }
}
