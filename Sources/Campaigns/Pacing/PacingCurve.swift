/// How much of a week's traffic has passed, at each second of it, counting only the open hours of a pattern.
///
/// The curve lives on the local clock's own line, on which all weeks are alike. An hour that the clock skips
/// passes at once, and one that it shows twice counts once, so that a flight is over exactly when its traffic
/// is.
struct PacingCurve: Hashable, Sendable {
    /// Where each piece of even traffic begins and ends, in seconds of the week.
    private let pieces: [Range<Int>]
    /// What a second of each piece weighs.
    private let rates: [Int64]
    /// What has passed at the start of each piece.
    private let passed: [Int64]
    /// What passes in a week.
    let week: Int64

    /// Cuts a pattern's hours by the weights of the 168 hours of the week.
    init(pattern: WeekPattern, weights: [Int]) {
        var pieces: [Range<Int>] = []
        var rates: [Int64] = []
        var passed: [Int64] = []
        var sum: Int64 = 0
        for range in pattern.ranges {
            var start = range.lowerBound
            while start < range.upperBound {
                let end = min((start / 3_600 + 1) * 3_600, range.upperBound)
                let rate = Int64(weights[start / 3_600])
                pieces.append(start..<end)
                rates.append(rate)
                passed.append(sum)
                sum += rate * Int64(end - start)
                start = end
            }
        }
        self.pieces = pieces
        self.rates = rates
        self.passed = passed
        week = sum
    }

    /// What has passed since Monday, 1969-12-29.
    func passed(at local: LocalTime) -> Int64 {
        let weeks = (local.seconds + LocalTime.mondayShift).floored(by: Int64(WeekPattern.length))
        return weeks * week + passed(second: local.secondOfWeek)
    }

    private func passed(second: Int) -> Int64 {
        let after = pieces.partitioningIndex { $0.lowerBound > second }
        guard after > 0 else { return 0 }
        let piece = pieces[after - 1]
        return passed[after - 1] + rates[after - 1] * Int64(min(second, piece.upperBound) - piece.lowerBound)
    }

    /// The first time of the clock at which so much has passed.
    func local(at amount: Int64) -> LocalTime {
        // A week's end is reached when its last piece ends, not when the next week's first begins.
        let weeks = (amount - 1).floored(by: week)
        let rest = amount - weeks * week
        let piece = passed.partitioningIndex { $0 >= rest } - 1
        let (whole, part) = (rest - passed[piece]).quotientAndRemainder(dividingBy: rates[piece])
        let second = Int64(pieces[piece].lowerBound) + whole + (part > 0 ? 1 : 0)
        return LocalTime(seconds: weeks * Int64(WeekPattern.length) - LocalTime.mondayShift + second)
    }
}
