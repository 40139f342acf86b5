/// Why bytes are no flight record, and where.
public struct RecordError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The number of the byte at which it shows.
    public let offset: Int
    /// What is wrong.
    public let reason: Reason

    /// What can be wrong with a record.
    public enum Reason: Equatable, Sendable, CustomStringConvertible {
        /// It does not begin as a record does.
        case foreign
        /// It is longer than any record.
        case tooLong
        /// It ends where more must follow.
        case truncated
        /// The check of a part does not agree with it.
        case damaged
        /// Something comes after its end.
        case trailingBytes
        /// It is of another major version.
        case version(Int)
        /// It comes from a machine of another byte order.
        case byteOrder
        /// A kind of record that this version does not know.
        case unknownKind(Int)
        /// A payload that says something impossible.
        case impossible(String)
        /// A snapshot is missing where the replay would have to begin from one.
        case overgrown

        /// The reason in a sentence.
        public var description: String {
            switch self {
            case .foreign: "this is no flight record"
            case .tooLong: "this is longer than a flight record can be"
            case .truncated: "the record ends too early"
            case .damaged: "the record is damaged: a check does not agree"
            case .trailingBytes: "something comes after the end of the record"
            case .version(let version): "the record has format \(version), which this version does not read"
            case .byteOrder: "the record comes from a machine of another byte order"
            case .unknownKind(let kind):
                "the record holds something (\(kind)) that only a newer version reads"
            case .impossible(let what): "the record says something impossible: \(what)"
            case .overgrown:
                "the replay has nothing to begin from: the network was too large for the recorder"
            }
        }
    }

    /// Creates an error at a place.
    public init(_ reason: Reason, at offset: Int) {
        self.reason = reason
        self.offset = offset
    }

    /// The place and the reason: `byte 40: the record ends too early`.
    public var description: String { "byte \(offset): \(reason)" }
}
