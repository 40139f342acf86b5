/// One reply as it stands on the wire, read by a client (varlink.org, "Reply").
public struct ReplyMessage: Equatable, Sendable {
    /// The error with its interface, `nil` when the call succeeded.
    public var error: String?
    /// What the method returned, or what the error carries.
    public var parameters: JSONObject
    /// More replies to the same call follow.
    public var continues: Bool

    /// Reads a reply from a message without its NUL. Unknown keys are ignored.
    ///
    /// - Returns: `nil` when the message is no reply.
    public init?(reading message: ArraySlice<UInt8>) {
        guard let object = (try? JSONValue(reading: message))?.object else { return nil }
        error = nil
        parameters = [:]
        continues = false
        for member in object.members where !member.value.isNull {
            switch (member.key, member.value) {
            case ("error", .string(let value)): error = value
            case ("parameters", .object(let value)): parameters = value
            case ("continues", .bool(let value)): continues = value
            case ("error", _), ("parameters", _), ("continues", _): return nil
            default: break
            }
        }
        if error != nil { continues = false }
    }
}
