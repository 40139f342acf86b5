/// The bounds of this target.
public enum Limits {
    /// After a failure the next attempt to write is no sooner than this.
    public static let retryInterval = Duration.seconds(1)
    /// Changes that wait in memory while nothing can be written; what is more is lost, and counted.
    public static let waitingChangesMax = 10_000
    /// How long the start waits for another process to let go of the file.
    static let otherProcessMilliseconds = 1_000
    /// Pages of the file that are kept in memory.
    static let cacheKibibytes = 128
    /// Pages of 4 KiB that the log beside the file holds before they are carried over into it.
    static let journalPages = 256
    /// Bytes of a creative's or campaign's name in a row; what is longer is cut.
    static let entryTextBytesMax = 128
    /// Advertisements of one slot that are remembered to complete their rows: one on screen, one that has
    /// come under an action, and some that were dropped unseen.
    static let advertisementsPerSlotMax = 4
    /// Rows that one step of the retention takes out: a few milliseconds.
    static let sweepRowsMax = 500
    /// Pages of 4 KiB that one step of the retention gives back to the file system.
    static let sweepPagesMax = 256
    /// Rows that are looked at for one page of an export.
    static let exportRowsMax = 200
    /// Marks that are kept; above it the oldest go.
    static let marksMax: Int64 = 500_000
    /// Marks that are read for one page of a timeline.
    static let timelineMarksMax = 200
    /// Marks to begin at that are looked through for the beginning of a timeline: one an hour, and one a
    /// start.
    static let timelineBeginningsMax = 10_000
    /// Sums that one step of a report takes in, but for those of a single hour: a few milliseconds.
    static let reportSumsMax = 2_000
    /// Groups of a report; the rest is summed up in one.
    public static let reportGroupsMax = 1_000
    /// Campaigns that are read at a time.
    static let inventoryPageRows = 200
    /// The greatest number of a row that is taken out of a damaged file, where numbers may be anything: what
    /// JSON tells exactly.
    static let salvagedNumberMax: Int64 = 1 << 53
    /// Rows that a page of 4 KiB may hold, of those that are taken out of a damaged file: the shortest have
    /// 16 bytes.
    static let salvagedPageRows = 256
    /// Impressions of house campaigns that are kept for frequency caps.
    static let schedulerImpressionsMax = 100_000
    /// For how long those of campaigns without caps are kept, should they get some: a day.
    static let schedulerWindowMilliseconds: Int64 = 86_400_000
    /// Bytes of all files of creatives together.
    static let filesBytesMax: Int64 = 4 << 30
    /// Campaigns of an import that one step of clearing away takes out, and files that one looks at.
    static let clearedRowsMax = 500
    /// Notices that wait to be sent; the oldest is given up for one more.
    public static let noticesMax = 5_000
    /// Length of a notice's URL.
    public static let noticeURLBytesMax = 4_096
    /// Notices that are being sent at one time, to one server never more than one.
    public static let noticesUnderWayMax = 8
    /// How often a notice is tried.
    static let noticeAttemptsMax = 50
    /// How old a notice may get, where the clock can be believed.
    static let noticeAgeMax = Duration.seconds(7 * 86_400)
    /// After the first failure a server is left alone for this long, doubling with each.
    static let noticeRetryMin = Duration.seconds(5)
    /// It is never left alone for longer.
    static let noticeRetryMax = Duration.seconds(3_600)
    /// How long a server is left alone that says for how long: at least, and at most.
    static let noticePause = (least: Duration.seconds(1), most: Duration.seconds(3_600))
    /// After a gain of the network the first notice waits up to this long, so that not all devices behind one
    /// uplink send at once.
    static let noticeGainJitterMax = Duration.seconds(1)
}
