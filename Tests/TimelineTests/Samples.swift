import Testing
import Timeline

/// Days as they may be, for tests that draw them.
struct Sample: Sendable, CustomTestStringConvertible {
    static let minute: Int64 = 60_000_000
    static let hour = 60 * minute
    static let day = 24 * hour
    /// Monday, 2026-11-30, 00:00 in Berlin.
    static let midnight: Int64 = 1_795_993_200_000_000

    let name: String
    var marks: [Mark] = []
    var counts: [SlotCount] = []
    var extent = Extent(since: midnight, until: midnight + day, now: midnight + day)

    var testDescription: String { name }

    init(_ name: String, slots: [String] = []) {
        self.name = name
        counts = slots.map { SlotCount($0) }
    }

    static let berlin = LocalZone { time in
        // The rule since 1996, for the year of the tests.
        let isSummer = time >= 1_774_746_000_000_000 && time < 1_792_890_000_000_000
        return isSummer ? (7_200, "CEST") : (3_600, "CET")
    }

    mutating func network(
        _ path: String, at time: Int64, _ kind: Mark.Kind = .changed, reachable: Bool? = nil
    ) {
        marks.append(Mark(kind, at: time, state: path, isReachable: reachable ?? (path != "none")))
    }

    mutating func slot(_ name: String, _ state: String?, at time: Int64) {
        marks.append(Mark(.slot, at: time, name, state: state))
    }

    mutating func work(_ name: String, _ state: String?, at time: Int64) {
        marks.append(Mark(.work, at: time, name, state: state))
    }

    /// Puts the marks into their order.
    mutating func sort() {
        marks = marks.enumerated().sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }
            .map(\.element)
    }

    /// A slot that shows ads from one time to another, is touched now and then, and is hidden at times.
    mutating func show(_ slot: String, from start: Int64, to end: Int64, every: Int64, work: String? = nil) {
        self.slot(slot, "loading", at: start)
        self.slot(slot, "shown", at: start + 800_000)
        var time = start + every
        var count = 0
        while time < end {
            count += 1
            if count.isMultiple(of: 3) {
                self.slot(slot, "hidden", at: time)
                self.slot(slot, "shown", at: time + every / 4)
            } else {
                self.slot(slot, "acting", at: time)
                if let work {
                    self.work(work, "pausing", at: time)
                    self.work(work, "paused", at: time + 200_000)
                    self.work(work, "running", at: time + 4 * Sample.minute)
                }
                self.slot(slot, "shown", at: time + 4 * Sample.minute)
            }
            time += every
        }
        self.slot(slot, "detached", at: end)
        counts = counts.map {
            $0.slot == slot ? SlotCount(slot, impressions: Int64(count) * 17, actions: Int64(count)) : $0
        }
    }

    static let all = [
        quiet, flapping, twelve, many, month, empty, killed, running, dst, hostile,
    ]

    static var quiet: Sample {
        var sample = Sample("quiet", slots: ["lobby"])
        sample.network("ethernet", at: midnight - hour, .started)
        sample.work("signage", "running", at: midnight - hour)
        sample.show(
            "lobby", from: midnight + 7 * hour, to: midnight + 21 * hour, every: 100 * minute, work: "signage"
        )
        sample.sort()
        return sample
    }

    static var flapping: Sample {
        var sample = Sample("flapping", slots: ["lobby", "lift"])
        sample.network("wifi", at: midnight - hour, .alive)
        for slot in ["lobby", "lift"] {
            sample.show(slot, from: midnight - 30 * minute, to: midnight + 8 * hour, every: 45 * minute)
        }
        var generator = Generator(seed: 7)
        var time = midnight + 8 * hour
        while time < midnight + 11 * hour {
            for slot in ["lobby", "lift"] { sample.slot(slot, "waiting", at: time + 1_000) }
            sample.network("none", at: time)
            time += Int64.random(in: 2_000_000...20_000_000, using: &generator)
            sample.network("wifi", at: time)
            for slot in ["lobby", "lift"] {
                sample.slot(slot, "loading", at: time + 1_000)
                sample.slot(slot, "shown", at: time + 400_000)
            }
            time += Int64.random(in: 1_000_000...40_000_000, using: &generator)
            if Bool.random(using: &generator) { sample.marks.append(Mark(.flap, at: time)) }
            time += 1_000_000
        }
        sample.network("none", at: time)
        for slot in ["lobby", "lift"] { sample.slot(slot, "waiting", at: time) }
        sample.network("cellular", at: time + 50 * minute)
        for slot in ["lobby", "lift"] { sample.slot(slot, "shown", at: time + 51 * minute) }
        for step in 1...9 {
            sample.marks.append(Mark(.flap, at: midnight + 15 * hour + Int64(step * step) * minute))
        }
        sample.marks.append(Mark(.resync, at: midnight + 9 * hour))
        sample.marks.append(Mark(.resync, at: midnight + 9 * hour + minute))
        sample.marks.append(Mark(.resync, at: midnight + 18 * hour))
        sample.network("wifi", at: midnight + 17 * hour, reachable: false)
        sample.network("wifi", at: midnight + 18 * hour)
        sample.network("other", at: midnight + 20 * hour)
        sample.network("ethernet", at: midnight + 22 * hour)
        sample.slot("lift", "hidden", at: midnight + 20 * hour)
        sample.sort()
        return sample
    }

    static var twelve: Sample {
        let names = (1...12).map { "platform-\($0)" }
        var sample = Sample("twelve", slots: names)
        sample.network("ethernet", at: midnight - hour, .started)
        for (index, name) in names.enumerated() {
            let start = midnight + Int64(index) * 25 * minute
            sample.show(
                name, from: start, to: midnight + day - start + midnight,
                every: Int64(30 + 13 * index) * minute,
                work: index < 4 ? "game-\(index)" : nil)
        }
        sample.network("cellular", at: midnight + 13 * hour)
        sample.network("ethernet", at: midnight + 15 * hour)
        sample.sort()
        return sample
    }

    static var many: Sample {
        let names = (1...230).map { "slot \($0) of a very long name that has no room" }
        var sample = Sample("many", slots: names)
        sample.network("wifi", at: midnight - hour, .started)
        for (index, name) in names.enumerated() {
            sample.show(
                name, from: midnight + Int64(index) * 3 * minute, to: midnight + 23 * hour,
                every: Int64(5 + index % 40) * minute)
        }
        sample.sort()
        return sample
    }

    static var month: Sample {
        var sample = Sample("month", slots: ["lobby", "lift", "roof"])
        sample.extent = Extent(since: midnight - 30 * day, until: midnight, now: midnight)
        for number in 0..<30 {
            let start = midnight - Int64(30 - number) * day
            sample.network("wifi", at: start + 5 * hour, .started)
            sample.show(
                "lobby", from: start + 6 * hour, to: start + 21 * hour, every: 20 * minute, work: "game")
            sample.show("lift", from: start + 8 * hour, to: start + 19 * hour, every: 55 * minute)
            if number % 4 == 1 {
                sample.network("none", at: start + 12 * hour)
                sample.network("cellular", at: start + 13 * hour)
                sample.network("wifi", at: start + 16 * hour)
            }
            sample.marks.append(Mark(number == 17 ? .killed : .stopped, at: start + 22 * hour))
        }
        sample.sort()
        return sample
    }

    static var empty: Sample { Sample("empty") }

    static var killed: Sample {
        var sample = quiet.renamed("killed")
        sample.marks.append(Mark(.killed, at: midnight + 10 * hour))
        sample.network("ethernet", at: midnight + 12 * hour, .started)
        sample.sort()
        sample.slot("lobby", "shown", at: midnight + 21 * hour + 1)
        sample.marks.append(Mark(.clock, at: midnight + 22 * hour, state: "set"))
        return sample
    }

    /// A day of which half is to come.
    static var running: Sample {
        var sample = quiet.renamed("running")
        sample.extent = Extent(since: midnight, until: midnight + day, now: midnight + 13 * hour)
        sample.marks.removeAll { $0.time > midnight + 13 * hour }
        return sample
    }

    /// The day on which the clocks go back.
    static var dst: Sample {
        var sample = Sample("dst", slots: ["lobby"])
        let start: Int64 = 1_792_879_200_000_000
        sample.extent = Extent(since: start, until: start + 25 * hour, now: start + 25 * hour)
        sample.network("wifi", at: start - hour, .started)
        sample.show("lobby", from: start + hour, to: start + 20 * hour, every: hour)
        sample.sort()
        return sample
    }

    /// Names that would like to be more than names.
    static var hostile: Sample {
        let names = [
            "</title><script>alert(1)</script>", "\"quoted\" & 'so'", "a\u{0}b\u{1B}[31mc\u{202E}d\u{FFFE}",
            "]]>", "広告枠・エレベーターホールの大きな画面・とても長い名前", "", "&amp;",
        ]
        var sample = Sample("hostile", slots: names)
        sample.network("wifi", at: midnight, .started)
        for name in names {
            sample.show(name, from: midnight + hour, to: midnight + 20 * hour, every: hour)
            sample.work("work " + name, "paused", at: midnight + 2 * hour)
        }
        sample.sort()
        return sample
    }

    private func renamed(_ name: String) -> Sample {
        var sample = Sample(name)
        (sample.marks, sample.counts, sample.extent) = (marks, counts, extent)
        return sample
    }

    var chronicle: Chronicle { Chronicle(marks, counts: counts, in: extent) }

    var svg: String { Picture(of: chronicle, device: "kiosk-7", zone: Self.berlin).svg() }
}

/// A small generator with a seed (xorshift64*).
struct Generator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state ^= state >> 12
        state ^= state << 25
        state ^= state >> 27
        return state &* 0x2545_F491_4F6C_DD1D
    }
}
