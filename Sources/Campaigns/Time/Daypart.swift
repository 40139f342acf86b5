/// Hours of some weekdays, by the local clock. `fri 16:00-01:00` ends on Saturday: the day is the one on
/// which it begins.
public struct Daypart: Hashable, Sendable, CustomStringConvertible {
    /// The days on which it begins.
    public let weekdays: Set<Weekday>
    /// Minutes after midnight at which it begins, 0 to 1,439.
    public let startMinute: Int
    /// Minutes after midnight at which it ends, 1 to 1,440; on the next day when not after the start.
    public let endMinute: Int

    /// Creates a daypart, or says what is wrong with it. An end at midnight is 1,440 or 0.
    public init(weekdays: Set<Weekday>, startMinute: Int, endMinute: Int) throws(DaypartError) {
        guard !weekdays.isEmpty else { throw .noWeekday }
        guard (0..<1_440).contains(startMinute), (0...1_440).contains(endMinute) else { throw .noSuchTime }
        guard startMinute != endMinute else { throw .empty }
        self.weekdays = weekdays
        self.startMinute = startMinute
        self.endMinute = endMinute == 0 ? 1_440 : endMinute
    }

    /// Reads `mon-fri 16:00-01:00`, `sat,sun 08:00-24:00` or, for every day, `06:30-09:00`.
    public init(_ text: some StringProtocol) throws(DaypartError) {
        let words = text.split(separator: " ")
        guard let times = words.last?.split(separator: "-", omittingEmptySubsequences: false),
            (1...2).contains(words.count), times.count == 2
        else { throw .malformed }
        let days = words.count == 2 ? try Daypart.weekdays(Substring(words[0])) : Set(Weekday.allCases)
        try self.init(
            weekdays: days, startMinute: try Daypart.minute(Substring(times[0])),
            endMinute: try Daypart.minute(Substring(times[1])))
    }

    private static func weekdays(_ text: Substring) throws(DaypartError) -> Set<Weekday> {
        var days: Set<Weekday> = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let ends = part.split(separator: "-", omittingEmptySubsequences: false)
            guard ends.count <= 2, let first = weekday(ends[0]), let last = weekday(ends[ends.count - 1])
            else {
                throw .malformed
            }
            // sat-mon goes over the end of the week.
            for step in 0...(last.rawValue - first.rawValue).modulo(7) {
                days.insert(Weekday.allCases[(first.rawValue + step) % 7])
            }
        }
        return days
    }

    private static func weekday(_ text: Substring) -> Weekday? {
        let word = text.lowercased()
        return Weekday.allCases.first { $0.word == word }
    }

    private static func minute(_ text: Substring) throws(DaypartError) -> Int {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ $0.utf8.count == 2 && $0.utf8.allSatisfy(isDigit) }),
            let hour = Int(parts[0]), let minute = Int(parts[1])
        else { throw .malformed }
        guard minute < 60, hour * 60 + minute <= 1_440 else { throw .noSuchTime }
        return hour * 60 + minute
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte)
    }

    /// As text that can be read again: `mon,tue 16:00-01:00`.
    public var description: String {
        let times = "\(Daypart.text(startMinute))-\(Daypart.text(endMinute))"
        guard weekdays.count < 7 else { return times }
        return weekdays.sorted().map(\.word).joined(separator: ",") + " " + times
    }

    private static func text(_ minute: Int) -> String {
        "\(CivilDate.padded(minute / 60, 2)):\(CivilDate.padded(minute % 60, 2))"
    }
}

/// What is wrong with a daypart.
public enum DaypartError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Not weekdays and two times of day.
    case malformed
    /// No day on which it could begin.
    case noWeekday
    /// A time of day that no clock shows.
    case noSuchTime
    /// It ends when it begins.
    case empty

    /// In words, for an error message.
    public var description: String {
        switch self {
        case .malformed: "is not weekdays and hours such as mon-fri 16:00-01:00"
        case .noWeekday: "names no weekday"
        case .noSuchTime: "has a time of day out of range (00:00 to 24:00)"
        case .empty: "ends when it begins; the whole day is 00:00-24:00"
        }
    }
}
