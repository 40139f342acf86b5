/// The bounds of this target.
public enum Limits {
    /// After a failure the next attempt to write is no sooner than this.
    public static let retryInterval = Duration.seconds(1)
    /// How long the start waits for another process to let go of the file.
    static let otherProcessMilliseconds = 1_000
    /// Pages of the file that are kept in memory.
    static let cacheKibibytes = 128
    /// Pages of 4 KiB that the log beside the file holds before they are carried over into it.
    static let journalPages = 256
}
