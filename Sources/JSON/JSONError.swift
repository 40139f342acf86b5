/// Why bytes are not a JSON text, and where.
public struct JSONError: Error, Equatable, Sendable, CustomStringConvertible {
    /// What is wrong.
    public enum Reason: String, Sendable {
        /// The text ends where more must follow.
        case unexpectedEnd = "the text ends too early"
        /// A byte that nothing can begin or go on with here.
        case unexpectedByte = "unexpected byte"
        /// Something follows the value.
        case trailingBytes = "something follows the value"
        /// A string holds bytes that are not UTF-8 (RFC 8259, section 8.1).
        case invalidUTF8 = "not UTF-8"
        /// A control character in a string that is not escaped (RFC 8259, section 7).
        case controlCharacter = "a control character in a string"
        /// An escape that JSON does not have.
        case invalidEscape = "invalid escape"
        /// Half of a surrogate pair without the other half.
        case loneSurrogate = "half of a surrogate pair"
        /// A number that JSON does not write like this (RFC 8259, section 6).
        case invalidNumber = "invalid number"
        /// A number that no finite double comes near to.
        case numberOutOfRange = "number out of range"
        /// A key that comes twice in one object (RFC 7493, section 2.3).
        case duplicateKey = "a key comes twice"
        /// Objects and arrays nest deeper than `JSONLimits.nestingMax`.
        case nestedTooDeep = "nested too deep"
    }

    /// What is wrong.
    public let reason: Reason
    /// How many bytes stand before the place.
    public let position: Int

    /// Creates an error at a place.
    public init(_ reason: Reason, at position: Int) {
        self.reason = reason
        self.position = position
    }

    /// The reason and the place, for people.
    public var description: String { "\(reason.rawValue) at byte \(position)" }
}
