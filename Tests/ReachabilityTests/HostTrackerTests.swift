import Reachability
import Testing

@Suite("The addresses of a named host are kept")
struct HostTrackerTests {
    static let first = [ip("192.0.2.1"), ip("2001:db8::1")]
    static let second = [ip("192.0.2.2")]

    /// A tracker that has learnt the first addresses at the moment zero, for a minute.
    static func known() -> HostTracker {
        var tracker = HostTracker(startingAt: .zero)
        _ = tracker.handle(.timer, at: .zero)
        _ = tracker.handle(.resolved(first, lifetime: .seconds(60)), at: .zero)
        return tracker
    }

    @Test("The name is asked for at once, and its first answer is aimed at")
    func start() {
        var tracker = HostTracker(startingAt: .at(100))
        #expect(tracker.deadline == .at(100))
        #expect(tracker.handle(.timer, at: .at(100)) == [.resolve])
        #expect(tracker.deadline == .at(2100))
        let effects = tracker.handle(.resolved(Self.first.reversed(), lifetime: .seconds(60)), at: .at(150))
        #expect(effects == [.aim(.resolved(Self.first))])
        #expect(tracker.deadline == .at(60_150))
    }

    @Test("Without an answer for two seconds it counts as unresolved, and a late answer still counts")
    func lateAnswer() {
        var tracker = HostTracker(startingAt: .zero)
        _ = tracker.handle(.timer, at: .zero)
        #expect(tracker.handle(.timer, at: .at(1999)) == [])
        #expect(tracker.handle(.timer, at: .at(2000)) == [.aim(.unresolved)])
        #expect(tracker.deadline == nil)
        let effects = tracker.handle(.resolved(Self.second, lifetime: .zero), at: .at(5000))
        #expect(effects == [.aim(.resolved(Self.second))])
    }

    @Test("A first failure counts at once")
    func firstFailure() {
        var tracker = HostTracker(startingAt: .zero)
        _ = tracker.handle(.timer, at: .zero)
        let effects = tracker.handle(.failed(isFinal: false, isPathUsable: false), at: .at(10))
        #expect(effects == [.aim(.unresolved)])
        #expect(tracker.deadline == .at(1010))
    }

    @Test(
        "An answer is good for its time to live, within thirty seconds and ten minutes",
        arguments: [(0, 30), (29, 30), (31, 31), (599, 599), (86_400, 600)])
    func lifetimes(seconds: Int, expected: Int64) {
        var tracker = HostTracker(startingAt: .zero)
        _ = tracker.handle(.timer, at: .zero)
        _ = tracker.handle(.resolved(Self.first, lifetime: .seconds(seconds)), at: .zero)
        #expect(tracker.deadline == .at(expected * 1000))
        #expect(tracker.handle(.timer, at: .at(expected * 1000)) == [.resolve])
        #expect(tracker.deadline == nil)
    }

    @Test("The same addresses in another order are no news; others are")
    func news() {
        var tracker = Self.known()
        let minute = Duration.seconds(60)
        #expect(tracker.handle(.resolved(Self.first.reversed(), lifetime: minute), at: .at(1)) == [])
        #expect(
            tracker.handle(.resolved(Self.second, lifetime: minute), at: .at(2))
                == [.aim(.resolved(Self.second))])
    }

    @Test("Failures are tried again after one second, doubling up to a minute; an answer begins anew")
    func backoff() {
        var tracker = Self.known()
        var now: Int64 = 60_000
        for seconds: Int64 in [1, 2, 4, 8, 16, 32, 60, 60, 60] {
            #expect(tracker.handle(.timer, at: .at(now)) == [.resolve])
            #expect(tracker.handle(.failed(isFinal: false, isPathUsable: true), at: .at(now)) == [])
            #expect(tracker.deadline == .at(now + seconds * 1000))
            now += seconds * 1000
        }
        _ = tracker.handle(.timer, at: .at(now))
        _ = tracker.handle(.resolved(Self.first, lifetime: .seconds(30)), at: .at(now))
        _ = tracker.handle(.timer, at: .at(now + 30_000))
        _ = tracker.handle(.failed(isFinal: true, isPathUsable: true), at: .at(now + 30_000))
        #expect(tracker.deadline == .at(now + 31_000))
    }

    @Test(
        "Which failure ends the last good addresses",
        arguments: [
            // The servers say that the name has none: at once.
            (true, true, 60, true), (true, false, 60, true),
            // They cannot be asked: never over a usable path, else ten minutes after the last answer.
            (false, true, 60, false), (false, true, 86_400, false), (false, false, 60, false),
            (false, false, 599, false), (false, false, 600, true),
        ])
    func ends(isFinal: Bool, isPathUsable: Bool, seconds: Int64, ends: Bool) {
        var tracker = Self.known()
        _ = tracker.handle(.timer, at: .at(60_000))
        let effects = tracker.handle(
            .failed(isFinal: isFinal, isPathUsable: isPathUsable), at: .at(seconds * 1000))
        #expect(effects == (ends ? [.aim(.unresolved)] : []))
        // What has ended is aimed at again, the same addresses too.
        let again = tracker.handle(.resolved(Self.first, lifetime: .zero), at: .at(90_000_000))
        #expect(again == (ends ? [.aim(.resolved(Self.first))] : []))
    }

    @Test("A change asks at once, also in the place of a question under way")
    func change() {
        var tracker = Self.known()
        #expect(tracker.handle(.changed, at: .at(5000)) == [.resolve])
        #expect(tracker.handle(.changed, at: .at(5100)) == [])
        #expect(tracker.deadline == .at(5250))
        #expect(tracker.handle(.changed, at: .at(5200)) == [])
        #expect(tracker.handle(.timer, at: .at(5250)) == [.resolve])
        #expect(tracker.deadline == nil)
    }

    @Test(
        "A storm of changes asks at growing intervals, and the last change is always followed by a question")
    func storm() {
        var tracker = Self.known()
        var asked: [Int64] = []
        var now: Int64 = 1000
        while now < 200_000 {
            if tracker.handle(.changed, at: .at(now)).contains(.resolve) { asked.append(now) }
            if tracker.handle(.timer, at: .at(now)).contains(.resolve) { asked.append(now) }
            now += 10
        }
        #expect(Array(asked.prefix(6)) == [1000, 1250, 1750, 2750, 4750, 8750])
        #expect(asked.count <= 14)
        _ = tracker.handle(.changed, at: .at(now))
        guard let last = tracker.deadline else { return #expect(Bool(false), "no question is due") }
        #expect(last <= .at(now + 30_000))
        #expect(tracker.handle(.timer, at: last) == [.resolve])
        // After a quiet time the next change is answered at once again.
        let later = last + .seconds(31)
        #expect(tracker.handle(.changed, at: later) == [.resolve])
    }

    @Test("A change after a quiet time begins the row of retries anew")
    func changeResetsBackoff() {
        var tracker = Self.known()
        for second: Int64 in 60...66 {
            _ = tracker.handle(.failed(isFinal: false, isPathUsable: true), at: .at(second * 1000))
        }
        #expect(tracker.handle(.changed, at: .at(70_000)) == [.resolve])
        _ = tracker.handle(.failed(isFinal: false, isPathUsable: true), at: .at(70_010))
        #expect(tracker.deadline == .at(71_010))
    }
}
