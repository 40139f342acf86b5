/// The bounds of this target, each with its reason.
enum Limits {
    /// Receive buffer asked for on the event socket: room for about 20,000 messages.
    static let receiveBufferBytes: Int32 = 8 << 20
    /// The longest datagram that is read; the kernel fills dumps up to 32 KiB, and a longer one counts as
    /// lost and is repaired by a dump.
    static let datagramBytesMax = 64 << 10
    /// The longest request: a header, a fixed part and two attributes. libnl would clear a page for each.
    static let requestBytesMax = 256
    /// Datagrams read in one turn of the loop before the state is judged and others get their turn.
    static let datagramsPerTurnMax = 512
    /// Attempts at one dump in a row, each thrown away because the kernel's lists changed meanwhile.
    static let dumpAttemptsMax = 4
    /// Pause before a dump is tried again, doubled after each failure up to ``resyncPauseMicrosecondsMax``.
    static let resyncPauseMicroseconds: Int64 = 20_000
    /// The longest pause between two dumps.
    static let resyncPauseMicrosecondsMax: Int64 = 1_000_000
    /// The longest wait for an answer of the kernel, in seconds; it answers at once or something is broken.
    static let answerSeconds = 2
    /// The longest uevent file that is read for a link's DEVTYPE.
    static let ueventBytesMax = 4096
    /// Links that nl80211 lists and that are remembered as wireless; a card has a handful at the most.
    static let wirelessLinksMax = 4096
    /// Multicast groups that are read of one family of generic netlink; nl80211 has seven.
    static let familyGroupsMax = 64
    /// What the flight recorder keeps, in bytes: both halves together.
    static let recorderBytesMax = 1 << 20
    /// And in records: both halves together.
    static let recorderRecordsMax = 16_384
    /// The longest record of the flight recorder but for messages, snapshots and settings.
    static let smallRecordBytesMax = 512
    /// What the flight recorder keeps free at the end of a half, to say there that it is cut off.
    static let recordReserveBytes = 64
    /// What should be free in the flight recorder when a list begins; its messages belong together.
    static let dumpRoomBytes = 128 << 10
    /// What should be free in the flight recorder when a judgement begins: room for some 300 lookups.
    static let judgementRoomBytes = 16 << 10
    /// The longest file that is taken for a flight record.
    static let recordFileBytesMax = 8 << 20
}
