internal import CNetlink
internal import LinuxSupport

/// A family of generic netlink, as the kernel's controller lists it. It has its numbers for as long as the
/// module behind it is loaded.
struct GenericFamily: Hashable {
    /// The type of the family's messages.
    var id: UInt16
    /// The numbers of its multicast groups by their names.
    var groups: [String: UInt32] = [:]

    /// The controller itself, which is always there (GENL_ID_CTRL).
    static let controllerID = UInt16(GENL_ID_CTRL)
    /// The controller's one group, whose number is fixed too: families that come and go.
    static let controllerGroup = UInt32(GENL_ID_CTRL)
    /// Wireless links (NL80211_GENL_NAME).
    static let wirelessName = "nl80211"
    /// WireGuard (WG_GENL_NAME).
    static let wireGuardName = "wireguard"

    /// Looks a family up by its name.
    ///
    /// The whole list is read: asked for one name, the kernel would load the module that has it, and a
    /// daemon that watches has no business to.
    /// - Returns: nil when the kernel has no such family, which is normal.
    static func find(_ name: String, on socket: QuerySocket) throws(SystemError) -> GenericFamily? {
        var found: GenericFamily?
        let request = GenericRequest(
            family: controllerID, command: UInt8(CTRL_CMD_GETFAMILY), version: 1, flags: Int32(NLM_F_DUMP))
        // A list that changed meanwhile is not read again: the change is announced to those who follow, and
        // the others ask again when they need it.
        _ = try socket.dump(request) { message in
            guard case .present(name, let family) = FamilyNews(message) else { return }
            found = family
        }
        return found
    }
}

/// What the controller says of a family.
enum FamilyNews: Hashable {
    /// It is there, with these numbers.
    case present(name: String, GenericFamily)
    /// It is no longer there.
    case gone(name: String)

    /// Decodes a CTRL_CMD_NEWFAMILY or CTRL_CMD_DELFAMILY (linux/genetlink.h); nil for any other message.
    init?(_ message: RawMessage) {
        guard message.type == GenericFamily.controllerID, let command = message.genericCommand else {
            return nil
        }
        var name: String?
        var id: UInt16?
        var groups: [String: UInt32] = [:]
        message.forEachGenericAttribute { attribute in
            switch attribute.type {
            case Int(CTRL_ATTR_FAMILY_NAME): name = attribute.text
            case Int(CTRL_ATTR_FAMILY_ID): id = attribute.halfWord
            case Int(CTRL_ATTR_MCAST_GROUPS):
                attribute.forEachNested { entry in
                    guard let group = Self.group(entry), groups.count < Limits.familyGroupsMax else { return }
                    groups[group.name] = group.number
                }
            default: break
            }
        }
        guard let name else { return nil }
        switch command {
        case Int(CTRL_CMD_NEWFAMILY):
            guard let id else { return nil }
            self = .present(name: name, GenericFamily(id: id, groups: groups))
        case Int(CTRL_CMD_DELFAMILY): self = .gone(name: name)
        default: return nil
        }
    }

    private static func group(_ entry: Attribute) -> (name: String, number: UInt32)? {
        var name: String?
        var number: UInt32?
        entry.forEachNested { attribute in
            switch attribute.type {
            case Int(CTRL_ATTR_MCAST_GRP_NAME): name = attribute.text
            case Int(CTRL_ATTR_MCAST_GRP_ID): number = attribute.word
            default: break
            }
        }
        guard let name, let number else { return nil }
        return (name, number)
    }
}
