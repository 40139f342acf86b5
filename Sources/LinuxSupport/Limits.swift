/// The bounds of this target.
enum Limits {
    /// The first pause before a connection to the message bus is tried again.
    static let reconnectPauseMicroseconds: Int64 = 500_000
    /// The longest such pause.
    static let reconnectPauseMicrosecondsMax: Int64 = 60_000_000
}
