/// The bounds of this target.
enum Limits {
    /// Exchanges that may be under way at once.
    static let exchangesMax = 256
    /// Connections that are kept open for a later exchange.
    static let idleConnectionsMax = 8
    /// All headers of an exchange together, those of redirects and trailers included.
    static let headerBytesMax = 65_536
}
