/// Every bound of this library, by name. Sizes are in bytes, times in microseconds.
public enum Limits {
    /// The longest call a server takes, without its NUL: 1 MiB. A longer one closes the connection.
    public static let callBytesMax = 1 << 20

    /// The longest reply a client takes, without its NUL: 16 MiB, as much as systemd's clients take.
    public static let replyBytesMax = 16 << 20

    /// How much is read from one connection in one turn of the loop, so that nobody else waits for long.
    public static let receiveBytesMax = 16 << 10

    /// How many calls of one connection are answered in one turn of the loop.
    public static let callsPerTurnMax = 8

    /// How much of a queue is copied together into one write.
    public static let sendBytesMax = 64 << 10

    /// Default bound on what is queued for a client that does not read: 256 KiB.
    public static let queueBytesMax = 256 << 10

    /// Default bound on the clients of a server.
    public static let clientsMax = 2048

    /// Default bound on the clients of one user, so that one user cannot lock the others out.
    public static let clientsPerUserMax = 1536

    /// How many connections are accepted in one turn of the loop.
    public static let acceptsPerTurnMax = 64

    /// How long accepting rests after it failed, for want of descriptors for instance.
    public static let acceptPauseMicroseconds: Int64 = 500_000

    /// How long a connection that is being closed may take to read what was still queued for it.
    public static let lingerMicroseconds: Int64 = 2_000_000

    /// The buffer that a quiet connection keeps between two calls.
    static let keptBufferBytesMax = 4 << 10
}
