public import Reachability

/// The clocks at one moment: which boot it is, and what the boot clock and the wall clock say.
public struct Clocks: Hashable, Sendable {
    /// What names this boot (`/proc/sys/kernel/random/boot_id`).
    public var boot: String
    /// The moment on the boot clock.
    public var now: Instant
    /// The same moment on the wall clock, in microseconds since the Unix epoch.
    public var wall: Int64
    /// Whether the wall clock can be believed: somebody keeps it synchronised.
    public var isTrusted: Bool

    /// Names the clocks at one moment.
    public init(boot: String, now: Instant, wall: Int64, isTrusted: Bool = true) {
        (self.boot, self.now, self.wall, self.isTrusted) = (boot, now, wall, isTrusted)
    }

    /// A moment of the boot clock that was kept at `saved`, on the boot clock of now.
    ///
    /// Over a reboot it is found by the wall clock. That one may have been wrong then, or be wrong now (a
    /// device without a battery for it wakes up in 1970), so a moment never lies further ahead than it did
    /// when it was kept, and one that was past stays past.
    func moment(_ moment: Instant, keptAt saved: Clocks) -> Instant {
        guard saved.boot != boot else { return moment }
        let (difference, overflow) = wall.subtractingReportingOverflow(saved.wall)
        let passed = overflow ? 0 : max(0, difference)
        return now + (moment - saved.now) + .microseconds(-passed)
    }
}
