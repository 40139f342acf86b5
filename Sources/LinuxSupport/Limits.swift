/// The bounds of this target.
enum Limits {
    /// The first pause before a connection to the message bus is tried again.
    static let reconnectPauseMicroseconds: Int64 = 500_000
    /// The longest such pause.
    static let reconnectPauseMicrosecondsMax: Int64 = 60_000_000
    /// The longest file of a process in /proc; the group list of proc_pid_status(5) is what can be long.
    static let processStatusBytesMax = 1 << 20
    /// The longest table of mounts.
    static let mountTableBytesMax = 8 << 20
    /// The longest file of a control group that is read.
    static let controlGroupFileBytesMax = 4_096
    /// The longest path of a control group (PATH_MAX of linux/limits.h).
    static let controlGroupPathBytesMax = 4_095
    /// How long an answer on the message bus may take; a unit that will not freeze is given up by then.
    static let busCallMicrosecondsMax: UInt64 = 20_000_000
}
