@testable import Campaigns

extension WallTime {
    /// Midnight UTC of Monday, 2026-11-30.
    static let monday = utc("2026-11-30")

    /// `2026-11-30` or `2026-11-30T16:00`, in UTC.
    static func utc(_ text: String) -> WallTime {
        WallTime(seconds: LocalTime(text: text).seconds)
    }

    static func + (time: WallTime, seconds: Int64) -> WallTime {
        WallTime(milliseconds: time.milliseconds + seconds * 1_000)
    }
}

extension LocalTime {
    /// `2026-11-30` or `2026-11-30T16:00`.
    init(text: String) {
        let parts = text.split { "-T:".contains($0) }.compactMap { Int($0) }
        guard let date = CivilDate(year: parts[0], month: parts[1], day: parts[2]),
            let time = LocalTime(
                date, hour: parts.count > 3 ? parts[3] : 0, minute: parts.count > 4 ? parts[4] : 0)
        else { preconditionFailure("'\(text)' is no time") }
        self = time
    }
}
