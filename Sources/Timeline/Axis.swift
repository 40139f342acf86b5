internal import Campaigns

/// Where the axis has its lines: at round times of the local clock, also on the day on which that changes.
struct Axis {
    struct Line: Hashable, Sendable {
        let time: Int64
        let label: String
        /// The day that begins here, where one does.
        let day: String?
    }

    let lines: [Line]

    /// The distances that lines may have, in seconds.
    private static let steps: [Int64] = [
        1, 2, 5, 10, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 10_800, 21_600, 43_200, 86_400,
        172_800, 604_800, 1_209_600, 2_592_000,
    ]

    /// - Parameter linesMax: how many there is room for.
    init(_ extent: Extent, _ zone: LocalZone, linesMax: Int64) {
        let step =
            Self.steps.first { extent.length / ($0 * 1_000_000) <= linesMax }
            ?? Self.steps[Self.steps.count - 1]
        // Zones change at quarters of an hour, and lines lie there or nearer to each other.
        let sample = step <= 900 ? step * 1_000_000 : Self.sample(extent.length)
        var lines: [Line] = []
        var time = (extent.since / sample - 1) * sample
        var last: Int64?
        while time <= extent.until {
            let local = zone.local(time).seconds
            let index = local.flooredQuotient(step)
            // A round time, or the first after one that was skipped. What comes twice has two lines.
            let isRound = local == index * step
            if time >= extent.since, let last, isRound || index > last {
                lines.append(Self.line(at: time, step, zone))
            }
            last = index
            time += sample
        }
        self.lines = lines
    }

    private static func line(at time: Int64, _ step: Int64, _ zone: LocalZone) -> Line {
        let isMidnight =
            step >= 86_400 || zone.local(time).date != zone.local(time - 1_000_000).date
        let label: String
        switch step {
        case 86_400...: label = ""
        case 60...: label = zone.clock(time)
        default: label = zone.clockWithSeconds(time)
        }
        return Line(time: time, label: label, day: isMidnight ? zone.day(time) : nil)
    }

    /// How near to each other moments are looked at over so long a time.
    static func sample(_ length: Int64) -> Int64 {
        let quarter: Int64 = 900_000_000
        return length / quarter > Limits.axisSamplesMax ? 4 * quarter : quarter
    }
}

extension Int64 {
    fileprivate func flooredQuotient(_ divisor: Int64) -> Int64 {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }
}
