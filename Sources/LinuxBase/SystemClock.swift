internal import CLinux
internal import Glibc

/// The system's clocks, in microseconds.
public enum SystemClock {
    /// CLOCK_BOOTTIME: monotonic since boot, going on over suspend.
    public static func boottime() -> Int64 {
        read(CLOCK_BOOTTIME)
    }

    /// CLOCK_REALTIME: since the Unix epoch; may step.
    public static func realtime() -> Int64 {
        read(CLOCK_REALTIME)
    }

    /// Whether ``realtime()`` is synchronised with a better clock, by adjtimex(2).
    public static var isSynchronised: Bool { adslot_clock_is_synchronised() == 1 }

    /// A moment of ``realtime()`` on the wall clock of the local zone: `14:03:07`, with milliseconds where
    /// asked for, with the date where it is another day than `now`.
    public static func localText(
        _ microseconds: Int64, milliseconds: Bool = false, now: Int64 = realtime()
    ) -> String {
        let moment = CalendarTime(microseconds)
        let today = CalendarTime(now)
        var text = ""
        if (moment.year, moment.month, moment.day) != (today.year, today.month, today.day) {
            text = "\(moment.year)-\(padded(moment.month))-\(padded(moment.day)) "
        }
        text += "\(padded(moment.hour)):\(padded(moment.minute)):\(padded(moment.second))"
        guard milliseconds else { return text }
        let fraction = String(microseconds / 1_000 % 1_000)
        return text + "." + String(repeating: "0", count: max(0, 3 - fraction.count)) + fraction
    }

    /// What the local zone's clocks are ahead of UTC at a moment of ``realtime()``, in seconds, and the short
    /// name of their time then: `CET`.
    public static func localZone(at microseconds: Int64) -> (offset: Int, name: String) {
        var seconds = time_t(microseconds / 1_000_000)
        var parts = unsafe tm()
        guard unsafe localtime_r(&seconds, &parts) != nil, let zone = unsafe parts.tm_zone else {
            return (0, "UTC")
        }
        return unsafe (parts.tm_gmtoff, String(cString: zone))
    }

    /// The parts of localtime_r(3) that are shown.
    private struct CalendarTime {
        let year, month, day, hour, minute, second: Int32

        init(_ microseconds: Int64) {
            var seconds = time_t(microseconds / 1_000_000)
            var parts = unsafe tm()
            _ = unsafe localtime_r(&seconds, &parts)
            year = unsafe 1900 + parts.tm_year
            month = unsafe parts.tm_mon + 1
            day = unsafe parts.tm_mday
            hour = unsafe parts.tm_hour
            minute = unsafe parts.tm_min
            second = unsafe parts.tm_sec
        }
    }

    /// The moment at which the wall clock of the local zone says this, in microseconds since the Unix epoch
    /// (mktime(3)). Of a time that comes twice it is one of the two, of one that is left out one beside it.
    public static func realtime(
        localYear year: Int32, month: Int32, day: Int32, hour: Int32, minute: Int32, second: Int32
    ) -> Int64 {
        var parts = unsafe tm()
        unsafe parts.tm_year = year - 1900
        unsafe parts.tm_mon = month - 1
        unsafe parts.tm_mday = day
        unsafe parts.tm_hour = hour
        unsafe parts.tm_min = minute
        unsafe parts.tm_sec = second
        // Whether summer time is in force is for the zone to say.
        unsafe parts.tm_isdst = -1
        return unsafe Int64(mktime(&parts)) * 1_000_000
    }

    private static func padded(_ number: Int32) -> String {
        number < 10 ? "0\(number)" : "\(number)"
    }

    /// CLOCK_MONOTONIC: since boot, standing still over suspend; the clock of systemd's protocol.
    package static func monotonic() -> Int64 {
        read(CLOCK_MONOTONIC)
    }

    private static func read(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        // Both clocks always exist, and the pointer is valid: there is no way to fail.
        _ = unsafe clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
    }
}
