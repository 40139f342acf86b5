/// The bounds of this target.
enum Limits {
    /// Descriptors that may be open: one a client, and some for everything else.
    static let descriptorsMax: UInt = 4_096
    /// Flight records on their way to clients at one time; each is a copy of a megabyte and more.
    static let flightRecordsMax = 4
    /// Bytes of a flight record in one reply; in base64 they are a third more, and half of a client's queue.
    static let flightRecordPieceBytes = 96 << 10
    /// Lines of log in one window of time.
    static let logLinesMax = 1_000
    /// The window that ``logLinesMax`` counts in.
    static let logWindowMicroseconds: Int64 = 10_000_000
    /// From the last message of the kernel to the second look at its routes.
    static let secondLookMicroseconds: Int64 = 50_000
    /// Lines of log that wait for the turn's end, at the most.
    static let logLinesWaitingMax = 64
    /// The longest line of a configuration file.
    static let configurationLineBytesMax = 4_096
    /// The longest configuration file.
    static let configurationFileBytesMax = 1 << 20
    /// The longest section header, with white space between its words counted once.
    static let sectionBytesMax = 49
    /// The longest key that libinih keeps whole.
    static let keyBytesMax = 49
    /// Probes of names under way at one time, and those of one user: each holds sockets and timers. The
    /// resolver takes more, so that the target's own name always finds room.
    static let probesMax = 48
    /// See ``probesMax``.
    static let probesPerUserMax = 16
    /// How much of a text that is no host is repeated in the error.
    static let shownHostCharactersMax = 256
    /// The longest record of paused work.
    static let pausedRecordBytesMax = 4 << 20
    /// The longest name of a unit (systemd.unit(5)).
    static let unitNameBytesMax = 255
    /// Processes of a group that are stopped with it; each is held by a descriptor for as long.
    static let groupMembersMax = 512
    /// From the signal to the second look at whether a process has stopped; doubled after each further look.
    static let stillnessPauseMicrosecondsMin: Int64 = 200
    /// The longest time between two such looks.
    static let stillnessPauseMicrosecondsMax: Int64 = 5_000
    /// How long a process is looked at for that at the most; one that hangs in the kernel never stops.
    static let stillnessMicrosecondsMax: Int64 = 60_000_000
    /// How often it is looked at whether somebody else continued a paused process, for the log.
    static let disturbancePauseMicroseconds: Int64 = 500_000
    /// The first pause before a thaw that failed is tried again.
    static let thawPauseMicrosecondsMin: Int64 = 50_000
    /// The longest such pause.
    static let thawPauseMicrosecondsMax: Int64 = 5_000_000
    /// How long the end of the daemon waits for units to thaw.
    static let farewellMicrosecondsMax: Int64 = 5_000_000
    /// Events of one turn of the loop that go to disk in one transaction; what comes after them waits for it.
    static let groupEventsMax = 256
    /// Exports of the ledger on their way to clients at one time.
    static let exportsMax = 4
    /// Files that arrive from clients at one time; each may be as long as a file can be.
    static let uploadsArrivingMax = 4
    /// Files that clients hold, arriving or not.
    static let uploadsMax = 100_000
    /// Imports of campaigns under way at one time.
    static let importsMax = 4
    /// Bytes of campaigns or creatives in one reply, with those that the last of them is longer.
    static let inventoryPageBytes = 64 << 10
    /// Bytes of a creative's file in one reply, before they are in base64.
    static let inventoryPieceBytes = 48 << 10
    /// How long the clearing up of the inventory rests where the disk does not let it.
    static let tendingRetryMicroseconds: Int64 = 60_000_000
    /// From one step of the ledger's retention to the next while rows are too many, and when they are not.
    static let sweepMicroseconds: (busy: Int64, idle: Int64) = (100_000, 600_000_000)
    /// From one mark of all states in the ledger to the next, at the least.
    static let aliveMicroseconds: Int64 = 3_600_000_000
    /// Changes of the network that were not posted are marked once in this time.
    static let flapMicroseconds: Int64 = 1_000_000
    /// How long a notice to a bidder may take.
    static let noticeTimeout = Duration.seconds(10)
    /// Redirects of a notice that are followed.
    static let noticeRedirectsMax = 3
    /// Bytes of the answer to a notice that are read.
    static let noticeAnswerBytesMax = 4_096
}
