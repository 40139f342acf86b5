import Campaigns

#if canImport(Glibc)
    import Glibc
#endif

/// Measures the scheduler alone, in virtual time: `scheduler-bench DECISIONS` prints one JSON line for each
/// number of campaigns. A decision is confirmed before the next is made, as on a device.
@main
struct SchedulerBench {
    static func main() {
        guard CommandLine.arguments.count == 2, let decisions = Int(CommandLine.arguments[1]), decisions > 0
        else {
            print("usage: scheduler-bench DECISIONS")
            exit(2)
        }
        for count in [10, 1_000, 10_000, 100_000] { measure(campaigns: count, decisions: decisions) }
    }

    private static func measure(campaigns count: Int, decisions: Int) {
        let before = residentBytes()
        let clock = ContinuousClock()
        var world = World()
        let load = clock.measure {
            world.fill(count)
            // The first look at all of them.
            _ = world.step()
        }
        let bytes = max(0, residentBytes() - before) / count
        var served = 0
        var slowest = Duration.zero
        let spent = clock.measure {
            for _ in 0..<decisions {
                let began = clock.now
                if world.step() { served += 1 }
                slowest = max(slowest, clock.now - began)
            }
        }
        let explain = clock.measure { world.explain() }
        let rate = Int(Double(decisions) / (spent / .seconds(1)))
        print(
            #"{"campaigns": \#(count), "decisionsPerSecond": \#(rate), "#
                + #""slowestMicroseconds": \#(microseconds(slowest)), "#
                + #""served": \#(served), "loadMicroseconds": \#(microseconds(load)), "#
                + #""explainMicroseconds": \#(microseconds(explain)), "bytesPerCampaign": \#(bytes)}"#)
    }

    private static func microseconds(_ duration: Duration) -> Int {
        Int(duration / .microseconds(1))
    }

    /// Resident memory of this process, in bytes (proc(5), statm).
    private static func residentBytes() -> Int {
        guard let file = fopen("/proc/self/statm", "r") else { return 0 }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 128)
        guard fgets(&line, 128, file) != nil else { return 0 }
        let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        return pages * Int(getpagesize())
    }
}

/// Four slots that ask in turn, every seven and a half seconds one of them.
private struct World {
    /// A Monday, midnight UTC.
    private static let start: Int64 = 1_798_416_000
    private static let sizes = [
        CreativeSize(width: 320, height: 50), CreativeSize(width: 728, height: 90),
        CreativeSize(width: 300, height: 250), CreativeSize(width: 970, height: 90),
    ]

    private var scheduler: Scheduler
    private var milliseconds: Int64 = 0
    private var requests = 0

    init() {
        let wall = WallTime(seconds: World.start)
        scheduler = Scheduler(at: Moment(steadyMilliseconds: 0, wall: wall))
    }

    private var now: Moment {
        Moment(
            steadyMilliseconds: milliseconds,
            wall: WallTime(milliseconds: World.start * 1_000 + milliseconds))
    }

    mutating func fill(_ count: Int) {
        for number in 0..<count {
            let campaign = World.campaign(number, of: count)
            do {
                try scheduler.upsert(campaign)
            } catch {
                print("campaign \(number): \(error)")
                exit(1)
            }
        }
    }

    /// One in five is guaranteed, one in four capped, one in three has hours; all in three tiers.
    private static func campaign(_ number: Int, of count: Int) -> Campaign {
        let creatives = sizes.enumerated().flatMap { place, size in
            (0..<2).map { Creative(id: CreativeID(Int64(number * 8 + place * 2 + $0)), size: size) }
        }
        var campaign = Campaign(
            id: CampaignID(Int64(number)), name: "Campaign \(number)",
            advertiser: "Advertiser \(number % 500)",
            price: Money(micros: 2_500_000, currency: .euro), creatives: creatives)
        campaign.domain = "advertiser\(number % 500).example"
        campaign.categories = ["IAB\(1 + number % 24)-\(1 + number % 5)"]
        campaign.tier = 1 + number % 3
        campaign.delivery = .share(weight: 1 + number % 10)
        if number % 5 == 0 {
            let start = WallTime(seconds: World.start - Int64(number % 7) * 86_400)
            campaign.flight = Flight(start: start, end: WallTime(seconds: start.seconds + 28 * 86_400))
            campaign.delivery = .guaranteed(impressions: 100 + 100_000 / count)
        }
        if number % 4 == 0 {
            campaign.caps = [
                FrequencyCap(count: 3, windowSeconds: 86_400, scope: number % 8 == 0 ? .slot : .device)
            ]
        }
        if number % 3 == 0, let daypart = try? Daypart("mon-fri \(CivilHour.text(number % 12))-23:30") {
            campaign.dayparts = [daypart]
        }
        return campaign
    }

    /// One request, shown at once; whether there was something to show.
    mutating func step() -> Bool {
        milliseconds += 7_500
        requests += 1
        let slot = requests % 4
        let request = AdRequest(
            id: DecisionID("\(requests)"), slot: "slot\(slot)", size: World.sizes[slot])
        guard let placement = scheduler.decide(request, at: now).placement else { return false }
        return scheduler.confirm(placement.decision, at: now) == .done
    }

    mutating func explain() {
        precondition(!scheduler.explain(slot: "slot0", size: World.sizes[0], at: now).verdicts.isEmpty)
    }
}

private enum CivilHour {
    static func text(_ hour: Int) -> String {
        hour < 10 ? "0\(hour):00" : "\(hour):00"
    }
}
