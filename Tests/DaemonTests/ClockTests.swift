import Foundation
import Testing
import Varlink

/// What needs a clock that is set, or a machine that sleeps, is in Tests/System.
@Suite("Whatever is decided is decided by the boot clock", .ownThread, .needsNamespaces)
struct ClockTests {
    /// A timer of the daemon as proc(5) shows it.
    private struct Timer: Hashable {
        var clock: Int
        var flags: Int

        /// nil for a descriptor of something else.
        init?(descriptor: String, of pid: pid_t) {
            guard let text = try? String(contentsOfFile: "/proc/\(pid)/fdinfo/\(descriptor)", encoding: .utf8)
            else { return nil }
            func number(_ name: String, radix: Int) -> Int? {
                let line = text.split(separator: "\n").first { $0.hasPrefix("\(name): ") }
                return line.flatMap { Int($0.dropFirst(name.count + 2), radix: radix) }
            }
            guard let clock = number("clockid", radix: 10), let flags = number("settime flags", radix: 8)
            else { return nil }
            (self.clock, self.flags) = (clock, flags)
        }
    }

    /// What CLOCK_REALTIME is watched with: TFD_TIMER_ABSTIME and TFD_TIMER_CANCEL_ON_SET.
    private static let watchFlags = 3

    @Test("Every timer is on it, whatever waits; the wall clock is only watched for jumps")
    func timers() throws {
        let network = try Network()
        try network.wired()
        // Nobody answers at these addresses: a name, a check and an ad are all waited for. (A bus is not: by
        // what clock sd-bus gives up a call is its own affair, and decides nothing.)
        let daemon = try DaemonProcess(
            in: network,
            """
            [Reachability]
            Target=host.example
            ConnectivityCheck=http://10.0.0.1/
            [Source test]
            Kind=test
            Delay=30s
            """, holds: .standard)
        let host = try daemon.connect().open(
            "org.adslotd.Slots.Attach",
            ["slot": "banner", "viewport": ["width": 1280, "height": 720]])
        _ = try host.next()
        let watcher = try daemon.watch()
        try network.ip("link set p0 down")
        try daemon.waitUntil("a hold") { $0.held || $0.status == "none" }

        let names = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(daemon.child.pid)/fd")
        let timers = names.compactMap { Timer(descriptor: $0, of: daemon.child.pid) }
        #expect(timers.count >= 2, "\(timers)")
        for timer in timers where timer.clock != Int(CLOCK_BOOTTIME) {
            #expect(timer.clock == Int(CLOCK_REALTIME) && timer.flags == Self.watchFlags, "\(timer)")
        }
        #expect(timers.count { $0.clock == Int(CLOCK_REALTIME) } == 1)
        withExtendedLifetime((watcher, host)) {}
    }

    @Test("Times of day that are told are those of the wall clock")
    func shown() throws {
        let before = Int64(Date().timeIntervalSince1970 * 1_000_000) - 1_000_000
        let network = try Network()
        let daemon = try DaemonProcess(in: network)
        let status = try daemon.call("org.adslotd.Manager.GetStatus")
        let after = Int64(Date().timeIntervalSince1970 * 1_000_000) + 1_000_000
        let since = try status.object("reachability").number("since")
        for time in [try status.number("started"), since, try daemon.get().since] {
            #expect((before...after).contains(time))
        }
        #expect(try status.number("started") <= since)
        #expect(try daemon.get().since == since)
    }
}
