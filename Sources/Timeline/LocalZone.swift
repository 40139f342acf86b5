internal import Campaigns

/// What clocks on the wall show where the device stands.
public struct LocalZone: Sendable {
    /// What they are ahead of UTC, in seconds, and the short name of their time, at a moment in microseconds
    /// since the Unix epoch.
    let zone: @Sendable (Int64) -> (offset: Int, name: String)

    /// Takes the rules of a zone.
    public init(_ zone: @escaping @Sendable (Int64) -> (offset: Int, name: String)) {
        self.zone = zone
    }

    /// The time that clocks show.
    func local(_ time: Int64) -> LocalTime {
        LocalTime(seconds: time.flooredSeconds + Int64(zone(time).offset))
    }

    /// `14:02`
    func clock(_ time: Int64) -> String { String(local(time).description.dropFirst(11).prefix(5)) }

    /// `14:02:07`
    func clockWithSeconds(_ time: Int64) -> String { String(local(time).description.dropFirst(11)) }

    /// `Mon 30 Nov`
    func day(_ time: Int64) -> String {
        let date = local(time).date
        return "\(date.weekday.word.capitalized) \(date.day) \(Self.months[date.month - 1])"
    }

    /// `CET, UTC+1`; where it changes in between, both and when.
    func name(_ extent: Extent) -> String {
        var text = Self.name(zone(extent.since))
        if let change = change(in: extent) {
            let old = LocalTime(seconds: change.flooredSeconds + Int64(zone(extent.since).offset))
            text += " until \(old.date) \(old.description.dropFirst(11).prefix(5))"
            text += ", then \(Self.name(zone(change)))"
        }
        return text
    }

    /// The first moment in an extent at which the offset is another than before.
    private func change(in extent: Extent) -> Int64? {
        let offset = zone(extent.since).offset
        let quarter: Int64 = 900_000_000
        var time = (extent.since / quarter + 1) * quarter
        let step = Axis.sample(extent.length)
        while time < extent.until {
            if zone(time).offset != offset { return exact(time - step, time) }
            time += step
        }
        return nil
    }

    /// Between two moments of different offsets, to the second.
    private func exact(_ before: Int64, _ after: Int64) -> Int64 {
        var (low, high) = (before, after)
        let offset = zone(high).offset
        while high - low > 1_000_000 {
            let middle = low + (high - low) / 2
            if zone(middle).offset == offset { high = middle } else { low = middle }
        }
        return high / 1_000_000 * 1_000_000
    }

    private static func name(_ zone: (offset: Int, name: String)) -> String {
        let minutes = abs(zone.offset) / 60
        let fraction = minutes % 60 == 0 ? "" : ":\(minutes % 60 < 10 ? "0" : "")\(minutes % 60)"
        let offset = zone.offset == 0 ? "UTC" : "UTC\(zone.offset < 0 ? "−" : "+")\(minutes / 60)\(fraction)"
        return zone.name == offset || zone.name.isEmpty ? offset : "\(zone.name), \(offset)"
    }

    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
}

extension Int64 {
    /// Whole seconds of microseconds, rounded down.
    var flooredSeconds: Int64 {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: 1_000_000)
        return remainder < 0 ? quotient - 1 : quotient
    }

    /// Microseconds as a person says them: `6 h 12 min`, `12 min 5 s`, `3.2 s`, `40 ms`.
    var durationText: String {
        let seconds = self / 1_000_000
        switch seconds {
        case 172_800...: return Self.text(seconds / 86_400, "d", seconds / 3_600 % 24, "h")
        case 3_600...: return Self.text(seconds / 3_600, "h", seconds / 60 % 60, "min")
        case 60...: return Self.text(seconds / 60, "min", seconds % 60, "s")
        case 10...: return "\(seconds) s"
        case 1...: return "\(seconds).\(self / 100_000 % 10) s"
        default: return self == 0 ? "0 s" : "\(Swift.max(1, self / 1_000)) ms"
        }
    }

    private static func text(_ whole: Int64, _ unit: String, _ rest: Int64, _ smaller: String) -> String {
        rest == 0 ? "\(whole) \(unit)" : "\(whole) \(unit) \(rest) \(smaller)"
    }
}

extension String {
    fileprivate var capitalized: String { prefix(1).uppercased() + dropFirst() }
}
