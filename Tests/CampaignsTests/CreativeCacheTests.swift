import Simulation
import Testing

@testable import Campaigns

/// A cache with a clock that the test moves.
private struct CacheRig {
    var cache: CreativeCache
    var seconds: Int64 = 0
    var trust = ClockTrust.trusted
    var generator = Fixed()

    /// Jitter of nothing.
    struct Fixed: RandomNumberGenerator {
        func next() -> UInt64 { UInt64.max / 2 }
    }

    init(
        size: Int64 = 1_000, budget: Int64 = 0, keeping kept: [(address: String, sizeBytes: Int64)] = [],
        use: MeteredUse = MeteredUse(), path: CreativeCache.Path = .local
    ) {
        cache = CreativeCache(
            CreativeCache.Settings(sizeMaxBytes: size, meteredBudgetBytes: budget), keeping: kept, use: use)
        _ = cache.setPath(path)
    }

    var now: Moment {
        Moment(steadyMilliseconds: seconds * 1_000, wall: .monday + 36_000 + seconds, trust: trust)
    }

    mutating func want(_ now: [String], ahead: [(String, Int64)] = []) {
        cache.want(
            now.map { WantedFile(address: $0, need: .now) }
                + ahead.map { WantedFile(address: $0.0, need: .ahead(.monday + 36_000 + $0.1)) })
    }

    mutating func next() -> CreativeCache.Fetch? { cache.nextFetch(at: now) }

    mutating func arrive(_ address: String, _ size: Int64) -> CreativeCache.Verdict {
        cache.ended(address, received: size, at: now)
        let verdict = cache.verdict(on: address, sizeBytes: size)
        switch verdict {
        case .keep(let evicted): cache.kept(address, sizeBytes: size, evicting: evicted)
        case .noRoom: cache.refused(address, sizeBytes: size)
        case .unwanted: break
        }
        return verdict
    }

    /// Another path, with an end to what must not go on.
    @discardableResult
    mutating func setPath(_ path: CreativeCache.Path, received: Int64 = 0) -> [String] {
        let ended = cache.setPath(path)
        for address in ended { cache.ended(address, received: received, at: now) }
        return ended
    }

    mutating func fail(_ address: String, _ failure: CreativeCache.Failure, received: Int64 = 0) -> Int64 {
        cache.ended(address, received: received, at: now)
        return cache.failed(address, failure, received: received, at: now, using: &generator)
    }
}

@Suite("Cache of creatives: what is fetched, over what, and what goes")
struct CreativeCacheTests {
    @Test("Two at a time, the most urgent first; nothing without a path")
    func order() {
        var rig = CacheRig(path: .none)
        rig.want(["a", "b"], ahead: [("c", 60)])
        #expect(rig.next() == nil)
        #expect(rig.setPath(.local) == [])
        #expect(rig.next() == CreativeCache.Fetch(address: "a", bytesMax: 1_000, bound: .room))
        #expect(rig.next()?.address == "b")
        #expect(rig.next() == nil)
        #expect(rig.arrive("a", 100) == .keep(evicting: []))
        #expect(rig.next() == CreativeCache.Fetch(address: "c", bytesMax: 900, bound: .room))
        #expect(rig.arrive("b", 100) == .keep(evicting: []))
        #expect(rig.arrive("c", 100) == .keep(evicting: []))
        #expect(rig.next() == nil)
        #expect(rig.cache.nextChange(at: rig.now) == nil)
    }

    @Test(
        "What is wanted later is fetched over Wi-Fi and Ethernet alone, what runs over any path",
        arguments: [
            (CreativeCache.Path.local, ["a", "b"]), (.other, ["a"]), (.metered, ["a"]), (.none, []),
        ])
    func prefetch(path: CreativeCache.Path, fetched: [String]) {
        var rig = CacheRig(budget: 1_000, path: path)
        rig.want(["a"], ahead: [("b", 60)])
        var found: [String] = []
        while let fetch = rig.next() {
            found.append(fetch.address)
            _ = rig.arrive(fetch.address, 10)
        }
        #expect(found == fetched)
    }

    @Test("Over a path that costs money the day's budget holds to the byte, and begins anew at midnight")
    func budget() {
        var rig = CacheRig(budget: 250, path: .metered)
        rig.want(["a", "b", "c"])
        #expect(rig.next() == CreativeCache.Fetch(address: "a", bytesMax: 250, bound: .budget))
        #expect(rig.next() == nil, "one at a time")
        #expect(rig.arrive("a", 100) == .keep(evicting: []))
        #expect(rig.next() == CreativeCache.Fetch(address: "b", bytesMax: 150, bound: .budget))
        // It turned out too long: what came is spent.
        _ = rig.fail("b", .tooLong(.budget), received: 150)
        #expect(rig.cache.meteredUse.bytes == 250)
        #expect(rig.next() == nil)
        #expect(rig.cache.nextChange(at: rig.now) == 50_400_000, "midnight")
        rig.seconds = 7_200
        #expect(rig.next() == nil)
        #expect(rig.cache.nextChange(at: rig.now) == 50_400_000, "midnight")
        rig.seconds = 14 * 3_600
        #expect(
            rig.next() == CreativeCache.Fetch(address: "b", bytesMax: 250, bound: .budget),
            "as far as is known it fits")
        _ = rig.fail("b", .tooLong(.budget), received: 250)
        rig.seconds = 40 * 3_600
        #expect(rig.next()?.address == "c", "what is longer than a whole day's budget waits for a free path")
        #expect(rig.setPath(.local) == [])
        #expect(rig.next()?.address == "b")
    }

    @Test("Without a budget nothing is fetched over a path that costs money")
    func noBudget() {
        var rig = CacheRig(path: .metered)
        rig.want(["a"])
        #expect(rig.next() == nil)
    }

    @Test("No second budget by a clock that is put back, nor by a restart; a wrong day is corrected")
    func clockSteps() {
        var rig = CacheRig(budget: 100, path: .metered)
        rig.want(["a", "b"])
        _ = rig.next()
        _ = rig.arrive("a", 100)
        rig.seconds = -86_400
        #expect(rig.next() == nil)
        rig.seconds = 60
        #expect(rig.next() == nil)

        var restarted = CacheRig(budget: 100, use: rig.cache.meteredUse, path: .metered)
        restarted.want(["b"])
        #expect(restarted.next() == nil)
        restarted.seconds = 86_400
        #expect(restarted.next()?.address == "b")

        // Bytes of a day that will not come for years.
        var wrong = CacheRig(budget: 100, use: MeteredUse(day: 100_000, bytes: 100), path: .metered)
        wrong.want(["a"])
        #expect(wrong.next() == nil)
        wrong.seconds = 86_400
        #expect(wrong.next()?.address == "a")
    }

    @Test("While nobody knows the day, 24 hours count as one")
    func untrustedClock() {
        var rig = CacheRig(budget: 100, use: MeteredUse(bytes: 100), path: .metered)
        rig.trust = .untrusted(.notSynchronised)
        rig.want(["a"])
        #expect(rig.next() == nil)
        #expect(rig.cache.nextChange(at: rig.now) == 86_400_000)
        rig.seconds = 86_399
        #expect(rig.next() == nil)
        rig.seconds = 86_400
        #expect(rig.next()?.address == "a")
    }

    @Test("A path that begins to cost money, or goes, ends what is under way; it begins again where it may")
    func pathChanges() {
        var rig = CacheRig(budget: 50)
        rig.want(["a"], ahead: [("b", 60)])
        _ = rig.next()
        _ = rig.next()
        #expect(rig.setPath(.other) == ["b"])
        #expect(rig.setPath(.metered) == ["a"])
        #expect(rig.next() == CreativeCache.Fetch(address: "a", bytesMax: 50, bound: .budget))
        #expect(rig.setPath(.none, received: 20) == ["a"])
        #expect(rig.cache.meteredUse.bytes == 20, "what had come is paid for")
        #expect(rig.setPath(.local) == [])
        #expect(rig.next()?.address == "a")
        #expect(rig.next()?.address == "b")
    }

    @Test("What was begun on a path that costs money is paid for, wherever it ends")
    func paidWhereBegun() {
        var rig = CacheRig(budget: 100, path: .metered)
        rig.want(["a"])
        _ = rig.next()
        #expect(rig.setPath(.local) == [])
        _ = rig.arrive("a", 60)
        #expect(rig.cache.meteredUse.bytes == 60)
    }

    @Test("Least recently used goes first, of what nobody wants; then what is wanted last")
    func eviction() {
        var rig = CacheRig(keeping: [("old", 300), ("used", 300), ("later", 200), ("soon", 200)])
        rig.cache.used("old")
        rig.want(["new", "big", "huge"], ahead: [("soon", 60), ("later", 3_600)])
        _ = rig.next()
        #expect(rig.arrive("new", 250) == .keep(evicting: ["used"]))
        _ = rig.next()
        #expect(rig.arrive("big", 500) == .keep(evicting: ["old", "later"]))
        _ = rig.next()
        #expect(rig.arrive("huge", 260) == .noRoom, "what runs is never driven out")
        #expect(rig.next() == nil)
        // Room comes: it is fetched again.
        rig.want(["new", "huge"])
        #expect(rig.next()?.address == "huge")
        #expect(rig.arrive("huge", 260) == .keep(evicting: ["soon", "big"]))
    }

    @Test("What is wanted later drives out what is wanted later still, never the other way round")
    func aheadAgainstAhead() {
        var rig = CacheRig(size: 100, keeping: [("tomorrow", 100)])
        rig.want([], ahead: [("today", 60), ("tomorrow", 86_400)])
        _ = rig.next()
        #expect(rig.arrive("today", 100) == .keep(evicting: ["tomorrow"]))
        #expect(rig.next() == nil, "no more than it has room for")
    }

    @Test(
        "Of failures: soon again, doubling to an hour; of what is useless: after an hour, doubling to a day")
    func retries() {
        var rig = CacheRig()
        rig.want(["a"])
        var waits: [Int64] = []
        for _ in 0..<9 {
            #expect(rig.next() != nil)
            #expect(rig.next() == nil)
            waits.append(rig.fail("a", .passing) / 1_000)
            #expect(rig.next() == nil)
            #expect(rig.cache.nextChange(at: rig.now) == (rig.seconds + waits[waits.count - 1]) * 1_000)
            rig.seconds += waits[waits.count - 1]
        }
        #expect(waits == [30, 60, 120, 240, 480, 960, 1_920, 3_600, 3_600])
        var other = CacheRig()
        other.want(["a"])
        _ = other.next()
        #expect(other.fail("a", .useless) == 3_600_000)
        // Only what may be the network's fault is tried at once when it comes back.
        other.setPath(.none)
        other.setPath(.local)
        #expect(other.next() == nil)
        _ = rig.next()
        _ = rig.fail("a", .passing)
        rig.setPath(.none)
        rig.setPath(.local)
        #expect(rig.next()?.address == "a")
    }

    @Test("A server that asks to be left alone for longer gets it, up to the bound")
    func leftAlone() {
        var rig = CacheRig()
        rig.want(["a"])
        for (asked, given) in [(5_000, 30_000), (600_000, 600_000), (9_000_000, 3_600_000)]
            as [(Int64, Int64)]
        {
            _ = rig.next()
            rig.cache.ended("a", received: 0, at: rig.now)
            rig.cache.failed(
                "a", .passing, received: 0, atLeast: asked, at: rig.now, using: &rig.generator)
            let due = rig.cache.nextChange(at: rig.now) ?? 0
            #expect(due - rig.now.steadyMilliseconds == given)
            rig.seconds = due / 1_000
        }
    }

    @Test("A file that comes when nobody wants it any more is not kept")
    func unwanted() {
        var rig = CacheRig()
        rig.want(["a"])
        _ = rig.next()
        rig.want([])
        #expect(rig.arrive("a", 10) == .unwanted)
    }

    @Test("A smaller bound takes what is worth least")
    func surplus() {
        var rig = CacheRig(keeping: [("old", 300), ("used", 300), ("runs", 300)])
        rig.want(["runs"])
        rig.cache.settings.sizeMaxBytes = 500
        #expect(rig.cache.takeSurplus() == ["old", "used"])
        rig.cache.settings.sizeMaxBytes = 100
        #expect(rig.cache.takeSurplus() == ["runs"])
    }

    @Test("Random lives keep the bounds, spend no more than the budget, and come to rest", arguments: 1...40)
    func lives(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var rig = CacheRig(size: 1_000, budget: 700)
        let sizes = (0..<30).map { _ in Int64.random(in: 1...600, using: &random) }
        var kept: [String: Int64] = [:]
        var running: [CreativeCache.Fetch] = []
        for _ in 0..<400 {
            rig.seconds += Int64.random(in: 0...2_000, using: &random)
            switch Int.random(in: 0..<10, using: &random) {
            case 0:
                let names = (0..<30).shuffled(using: &random).map { "\($0)" }
                rig.want(
                    Array(names.prefix(6)),
                    ahead: names.dropFirst(6).prefix(6).map {
                        ($0, Int64.random(in: 60...6_000, using: &random))
                    })
            case 1:
                let path = [CreativeCache.Path.none, .metered, .other, .local].randomElement(using: &random)
                let ended = rig.setPath(path ?? .none, received: 10)
                running.removeAll { ended.contains($0.address) }
            case 2: kept.keys.sorted().randomElement(using: &random).map { rig.cache.used($0) }
            case 3...5:
                guard !running.isEmpty else { continue }
                let fetch = running.removeFirst()
                let size = sizes[Int(fetch.address) ?? 0]
                if size > fetch.bytesMax {
                    _ = rig.fail(fetch.address, .tooLong(fetch.bound), received: fetch.bytesMax)
                } else if Bool.random(using: &random) {
                    _ = rig.fail(fetch.address, .passing, received: size / 2)
                } else if case .keep(let evicted) = rig.arrive(fetch.address, size) {
                    for address in evicted { #expect(kept.removeValue(forKey: address) != nil) }
                    kept[fetch.address] = size
                }
            default: if let fetch = rig.next() { running.append(fetch) }
            }
            #expect(kept.values.reduce(0, +) <= 1_000)
            #expect(rig.cache.meteredUse.bytes <= 700)
        }
        // With a free path and servers that answer it fetches each file once at the most, and rests.
        rig.setPath(.local)
        rig.seconds += 100_000
        for fetch in running {
            _ = rig.arrive(fetch.address, min(fetch.bytesMax, sizes[Int(fetch.address) ?? 0]))
        }
        var fetches = 0
        while let fetch = rig.next() {
            fetches += 1
            guard fetches <= 24 else { break }
            let size = sizes[Int(fetch.address) ?? 0]
            if size > fetch.bytesMax {
                _ = rig.fail(fetch.address, .tooLong(fetch.bound), received: fetch.bytesMax)
            } else {
                _ = rig.arrive(fetch.address, size)
            }
        }
        #expect(fetches <= 24)
    }
}
