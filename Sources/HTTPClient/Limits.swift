/// The bounds of this target.
enum Limits {
    /// Exchanges that may be under way at once.
    static let exchangesMax = 256
    /// Connections that are kept open for a later exchange.
    static let idleConnectionsMax = 8
    /// All headers of an exchange together, those of redirects and trailers included.
    static let headerBytesMax = 65_536
    /// An exchange that is slower than this for ``slowSeconds`` ends like one whose time is over.
    static let slowBytesPerSecond = 16
    /// See ``slowBytesPerSecond``.
    static let slowSeconds = 30
    /// The longest `Retry-After` that is reported; whoever reads it has a bound of its own.
    static let retryAfterSecondsMax: Int64 = 86_400
}
