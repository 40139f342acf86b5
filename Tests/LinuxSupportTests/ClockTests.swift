import Glibc
import Testing

@testable import LinuxSupport

extension LinuxSupportTests {
    @Suite("Clocks")
    struct ClockTests {
        /// 2023-11-14 22:13:20 UTC.
        private static let moment: Int64 = 1_700_000_000_000_000
        private static let day: Int64 = 86_400_000_000

        /// The local zone's hours and minutes at the moment, by its offset alone.
        private func expected() -> String {
            var seconds = time_t(Self.moment / 1_000_000)
            var parts = unsafe tm()
            _ = unsafe localtime_r(&seconds, &parts)
            let minutes = unsafe (seconds + parts.tm_gmtoff) / 60 % 1440
            let digits = [minutes / 60, minutes % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }
            return digits.joined(separator: ":") + ":20"
        }

        @Test("A moment of today is told by its time alone")
        func today() {
            #expect(SystemClock.localText(Self.moment, now: Self.moment) == expected())
            #expect(SystemClock.localText(Self.moment + 999_999, now: Self.moment) == expected())
        }

        @Test(
            "Milliseconds have three digits",
            arguments: [(0, ".000"), (999, ".000"), (1_000, ".001"), (45_678, ".045"), (999_999, ".999")]
                as [(Int64, String)])
        func milliseconds(microseconds: Int64, fraction: String) {
            let text = SystemClock.localText(Self.moment + microseconds, milliseconds: true, now: Self.moment)
            #expect(text == expected() + fraction)
        }

        @Test("A moment of another day is told with its date, before and after")
        func anotherDay() {
            for now in [Self.moment + 2 * Self.day, Self.moment - 2 * Self.day, Self.moment + 365 * Self.day]
            {
                let text = SystemClock.localText(Self.moment, now: now)
                #expect(text.hasPrefix("2023-11-1"), "\(text)")
                #expect(text.hasSuffix(" " + expected()), "\(text)")
                #expect(text.count == "2023-11-14 22:13:20".count)
            }
        }

        @Test(
            "The boot clock's lead over the monotonic one tells a sleep from a clock that was set",
            arguments: [
                (before: 0, now: 0, .set), (0, 999, .set), (0, 1_000, .set), (500, 0, .set),
                (0, 1_001, .slept(1_001)), (7_000_000, 3_607_000_000, .slept(3_600_000_000)),
            ] as [(before: Int64, now: Int64, jump: ClockJump)])
        func jumps(before: Int64, now: Int64, jump: ClockJump) {
            #expect(ClockJump(before: before, now: now) == jump)
        }

        @Test("While neither happens, the watch of the clocks wakes nobody")
        func quiet() throws {
            let loop = try EventLoop()
            var jumps: [ClockJump] = []
            let watch = try loop.watchClocks { jumps.append($0) }
            #expect(try !loop.runOnce(timeout: 50_000))
            #expect(jumps.isEmpty)
            withExtendedLifetime(watch) {}
        }

        @Test("The monotonic clock does not go back, and the wall clock is in this century")
        func clocks() {
            var last = SystemClock.boottime()
            for _ in 0..<1_000 {
                let now = SystemClock.boottime()
                #expect(now >= last)
                last = now
            }
            #expect(SystemClock.realtime() > Self.moment)
        }
    }
}
