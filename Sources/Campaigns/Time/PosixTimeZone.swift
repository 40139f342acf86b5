/// A rule for local time without end: the TZ variable of POSIX, as time zone files end with it.
struct PosixTimeZone: Hashable, Sendable {
    /// A moment of every year, by the clock that is about to change.
    struct YearlyMoment: Hashable {
        enum Day: Hashable {
            /// `J60` is 1 March in every year.
            case julian(Int)
            /// `59` is 1 March, or 29 February.
            case zeroBased(Int)
            /// `M3.5.0`: the fifth (or last) Sunday of March.
            case weekday(month: Int, week: Int, day: Int)
        }

        var day: Day
        /// Seconds after midnight: -167 to 167 hours.
        var time: Int
    }

    struct DaylightTime: Hashable {
        var offset: Int
        var begins: YearlyMoment
        var ends: YearlyMoment
    }

    /// Seconds to add to UTC, outside daylight time.
    var standardOffset: Int
    var daylight: DaylightTime?

    /// Reads a rule such as `CET-1CEST,M3.5.0,M10.5.0/3`; nil when it is none.
    init?(parsing text: ArraySlice<UInt8>) {
        var scanner = PosixScanner(rest: text)
        guard scanner.name(), let standard = scanner.time(hoursMax: 24) else { return nil }
        standardOffset = -standard
        guard !scanner.isAtEnd else { return }
        guard scanner.name() else { return nil }
        var offset = standardOffset + 3_600
        if !scanner.skip(",") {
            guard let own = scanner.time(hoursMax: 24), scanner.skip(",") else { return nil }
            offset = -own
        }
        guard let begins = scanner.yearlyMoment(), scanner.skip(","), let ends = scanner.yearlyMoment(),
            scanner.isAtEnd
        else { return nil }
        daylight = DaylightTime(offset: offset, begins: begins, ends: ends)
    }

    /// The offset at a moment, in seconds since the epoch.
    func offset(at time: Int64) -> Int {
        guard let daylight else { return standardOffset }
        return changes(daylight, around: time).last { $0.time <= time }?.offset ?? standardOffset
    }

    /// The next moment at which the offset becomes another.
    func nextTransition(after time: Int64) -> Int64? {
        guard let daylight else { return nil }
        let present = offset(at: time)
        return changes(daylight, around: time)
            .first { $0.time > time && offset(at: $0.time) != present }?.time
    }

    /// The changes of the years around a moment, in order. Where daylight time ends at the very moment at
    /// which it begins anew, all year is daylight time, so the end comes first.
    private func changes(_ daylight: DaylightTime, around time: Int64) -> [(time: Int64, offset: Int)] {
        let year = CivilDate(daysSinceEpoch: time.floored(by: 86_400)).year
        var changes: [(time: Int64, offset: Int)] = []
        for year in (year - 1)...(year + 2) {
            let end = daylight.ends.localSeconds(in: year) - Int64(daylight.offset)
            let begin = daylight.begins.localSeconds(in: year) - Int64(standardOffset)
            changes.append((end, standardOffset))
            changes.append((begin, daylight.offset))
        }
        return changes.enumerated().sorted { left, right in
            let isDaylight = (left.offset % 2, right.offset % 2)
            return (left.element.time, isDaylight.0) < (right.element.time, isDaylight.1)
        }.map(\.element)
    }
}

extension PosixTimeZone.YearlyMoment {
    /// Seconds since 1970-01-01T00:00:00 of the clock that is about to change.
    func localSeconds(in year: Int) -> Int64 {
        let newYear = CivilDate.days(year: year, month: 1, day: 1)
        let days: Int64
        switch day {
        case .julian(let day):
            days = newYear + Int64(day - 1) + (CivilDate.isLeap(year) && day > 59 ? 1 : 0)
        case .zeroBased(let day):
            days = newYear + Int64(day)
        case .weekday(let month, let week, let day):
            let first = CivilDate.days(year: year, month: month, day: 1)
            // 1970-01-01 was a Thursday, and here Sunday is 0.
            let earliest = (Int64(day) - (first + 4)).modulo(7)
            let length = Int64(CivilDate.days(inMonth: month, of: year))
            var inMonth = earliest + Int64(week - 1) * 7
            if inMonth >= length { inMonth -= 7 }
            days = first + inMonth
        }
        return days * 86_400 + Int64(time)
    }
}

/// Reads the pieces of a TZ rule.
private struct PosixScanner {
    var rest: ArraySlice<UInt8>

    var isAtEnd: Bool { rest.isEmpty }

    mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard rest.first == UInt8(ascii: character) else { return false }
        rest = rest.dropFirst()
        return true
    }

    /// An abbreviation: letters, or anything that has a place there between `<` and `>`.
    mutating func name() -> Bool {
        let isQuoted = skip("<")
        let name = rest.prefix { byte in
            let isLetter = (0x41...0x5A).contains(byte & 0xDF)
            return isLetter || isQuoted && ((0x30...0x39).contains(byte) || byte == 0x2B || byte == 0x2D)
        }
        rest = rest.dropFirst(name.count)
        return name.count >= 3 && (!isQuoted || skip(">"))
    }

    mutating func number(_ range: ClosedRange<Int>) -> Int? {
        let digits = rest.prefix { (0x30...0x39).contains($0) }
        guard (1...3).contains(digits.count) else { return nil }
        rest = rest.dropFirst(digits.count)
        let value = digits.reduce(0) { $0 * 10 + Int($1) - 0x30 }
        return range.contains(value) ? value : nil
    }

    /// `[+-]hh[:mm[:ss]]`, in seconds.
    mutating func time(hoursMax: Int) -> Int? {
        let isNegative = skip("-")
        if !isNegative { _ = skip("+") }
        guard let hours = number(0...hoursMax) else { return nil }
        var seconds = hours * 3_600
        for unit in [60, 1] {
            guard skip(":") else { break }
            guard let part = number(0...59) else { return nil }
            seconds += part * unit
        }
        return isNegative ? -seconds : seconds
    }

    mutating func yearlyMoment() -> PosixTimeZone.YearlyMoment? {
        guard let day = day() else { return nil }
        guard skip("/") else { return PosixTimeZone.YearlyMoment(day: day, time: 7_200) }
        return time(hoursMax: 167).map { PosixTimeZone.YearlyMoment(day: day, time: $0) }
    }

    private mutating func day() -> PosixTimeZone.YearlyMoment.Day? {
        if skip("J") { return number(1...365).map { .julian($0) } }
        guard skip("M") else { return number(0...365).map { .zeroBased($0) } }
        guard let month = number(1...12), skip("."), let week = number(1...5), skip("."),
            let day = number(0...6)
        else { return nil }
        return .weekday(month: month, week: week, day: day)
    }
}
