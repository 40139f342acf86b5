internal import CNetlink

/// What is asked of a family of generic netlink.
struct GenericRequest {
    /// The number that the family has now.
    var family: UInt16
    /// The command, from the family's header.
    var command: UInt8
    /// The version of the family's messages that the request is written in.
    var version: UInt8
    /// Flags of netlink(7).
    var flags: Int32
    /// The one thing that a command wants to know, as an attribute.
    var word: (attribute: Int32, value: UInt32)?
}

extension RawMessage {
    /// The command of a message of a generic family (struct genlmsghdr).
    var genericCommand: Int? { fixedPart(as: genlmsghdr.self).map { Int($0.cmd) } }

    /// Calls `visit` with each attribute of a message of a generic family, in order.
    func forEachGenericAttribute(_ visit: (Attribute) -> Void) {
        forEachAttribute(after: genlmsghdr.self, visit)
    }
}
