/// The bounds of this library.
public enum Limits {
    /// The first wait after the connection is lost.
    public static let retryInterval = Duration.milliseconds(250)
    /// The longest wait before the next attempt.
    public static let retryMax = Duration.seconds(30)
    /// How long the daemon may take to grant or refuse.
    public static let grantTimeout = Duration.seconds(10)
    /// Calls that may wait for their answers.
    public static let callsMax = 256
    /// Events that may wait for a reader of an asynchronous sequence; one that leaves more is closed.
    public static let eventsMax = 4_096
    /// How much is read from the daemon at a time.
    static let receiveBytes = 64 << 10
}
