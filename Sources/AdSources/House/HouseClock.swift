internal import Campaigns
public import LinuxSupport
internal import Reachability

/// Reads the clocks for the scheduler, and says whether dates may be judged by them.
public struct HouseClock {
    /// What the system's clocks say at one moment.
    public struct Reading: Hashable, Sendable {
        /// Microseconds of CLOCK_BOOTTIME.
        public var boottime: Int64
        /// Microseconds since the Unix epoch.
        public var realtime: Int64
        /// Whether somebody keeps the latter synchronised.
        public var isSynchronised: Bool

        /// Puts a reading together.
        public init(boottime: Int64, realtime: Int64, isSynchronised: Bool) {
            self.boottime = boottime
            self.realtime = realtime
            self.isSynchronised = isSynchronised
        }

        /// Reads the system's clocks.
        public static func system() -> Reading {
            Reading(
                boottime: SystemClock.boottime(), realtime: SystemClock.realtime(),
                isSynchronised: SystemClock.isSynchronised)
        }
    }

    /// A moment for the scheduler, and on the clock by which slots go.
    struct Now {
        let moment: Moment
        let instant: Instant

        /// The moment at which the wall clock will show a time, as both clocks go now.
        func instant(at wall: WallTime) -> Instant {
            instant + .milliseconds(wall.milliseconds - moment.wall.milliseconds)
        }
    }

    private let read: () -> Reading
    private let madeAt: Int64
    /// Whether dates are judged by a clock too that nobody is known to keep synchronised.
    var trustsAlways = false

    /// - Parameters:
    ///   - madeAt: Seconds since the Unix epoch before which no clock can rightly stand.
    ///   - read: Reads the clocks.
    public init(madeAt: Int64 = Product.madeAt, read: @escaping () -> Reading = Reading.system) {
        self.read = read
        self.madeAt = madeAt
    }

    func now() -> Now {
        let reading = read()
        let trust: ClockTrust =
            if reading.realtime < madeAt * 1_000_000 {
                .untrusted(.beforeBuild)
            } else if !reading.isSynchronised, !trustsAlways {
                .untrusted(.notSynchronised)
            } else {
                .trusted
            }
        return Now(
            moment: Moment(
                steadyMilliseconds: reading.boottime / 1_000,
                wall: WallTime(milliseconds: reading.realtime / 1_000), trust: trust),
            instant: Instant(microseconds: reading.boottime))
    }
}
