/// A reply as it goes over the wire, its NUL included (varlink.org, "Reply").
///
/// It is built once and may be sent to any number of callers; they share its bytes.
///
///     let event = EncodedReply(continues: true) { writer in
///         writer.member("sequence", 7)
///     }
public struct EncodedReply: Equatable, Sendable {
    /// The whole message.
    public let bytes: [UInt8]
    /// Whether more replies to the same call follow.
    public let continues: Bool

    /// Encodes a reply.
    ///
    /// - Parameters:
    ///   - parameters: what the method returns.
    ///   - continues: more replies follow, which a caller must have asked for with `more`.
    public init(_ parameters: JSONObject = [:], continues: Bool = false) {
        self.init(continues: continues) { writer in
            for member in parameters.members { writer.member(member.key, member.value) }
        }
    }

    /// Encodes a reply whose members `members` writes.
    public init(continues: Bool = false, members: (inout JSONWriter) -> Void) {
        var writer = JSONWriter()
        writer.object { writer in
            writer.key("parameters")
            writer.object(members)
            if continues { writer.member("continues", true) }
        }
        writer.endMessage()
        self.init(message: writer.bytes, continues: continues)
    }

    /// Encodes an error, which always ends its call.
    ///
    /// - Parameters:
    ///   - error: the error with its interface, `org.varlink.service.MethodNotFound`.
    ///   - parameters: what the error carries.
    public init(error: String, parameters: JSONObject = [:]) {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("error", error)
            writer.member("parameters", .object(parameters))
        }
        writer.endMessage()
        self.init(message: writer.bytes, continues: false)
    }

    private init(message: [UInt8], continues: Bool) {
        bytes = message
        self.continues = continues
    }
}
