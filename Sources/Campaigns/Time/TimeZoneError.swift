/// What is wrong with a time zone file.
public enum TimeZoneError: Error, Hashable, Sendable, CustomStringConvertible {
    /// More bytes than a time zone has.
    case tooLarge(bytesMax: Int)
    /// It does not begin with `TZif`.
    case notTZif
    /// It ends where more is due.
    case truncated(offset: Int)
    /// It counts leap seconds, as the files under `right/` do; the wall clock does not.
    case leapSeconds
    /// A field holds what it cannot hold.
    case malformed(field: String, offset: Int)

    /// In words, for an error message.
    public var description: String {
        switch self {
        case .tooLarge(let bytes): "the time zone file has more than \(bytes) bytes"
        case .notTZif: "not a time zone file (TZif)"
        case .truncated(let offset): "the time zone file ends at byte \(offset), where more is due"
        case .leapSeconds: "the time zone file counts leap seconds; take the one without (not under right/)"
        case .malformed(let field, let offset): "byte \(offset) of the time zone file: \(field)"
        }
    }
}
