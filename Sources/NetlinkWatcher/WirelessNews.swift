internal import CNetlink

/// What nl80211 says of a link: that it has one, or no longer has.
enum WirelessNews: Hashable {
    /// The link of this index is a wireless one.
    case present(index: Int)
    /// The link of this index is none any more: gone, or in another network namespace.
    case gone(index: Int)

    /// Decodes an NL80211_CMD_NEW_INTERFACE, _SET_INTERFACE or _DEL_INTERFACE (linux/nl80211.h).
    ///
    /// Returns nil for other commands, and for devices without a link (peer-to-peer devices have none).
    init?(_ message: RawMessage, family: UInt16) {
        guard message.type == family, let command = message.genericCommand else { return nil }
        var index: Int?
        message.forEachGenericAttribute { attribute in
            if attribute.type == Int(NL80211_ATTR_IFINDEX.rawValue) { index = attribute.linkIndex }
        }
        guard let index else { return nil }
        switch command {
        case Int(NL80211_CMD_NEW_INTERFACE.rawValue), Int(NL80211_CMD_SET_INTERFACE.rawValue):
            self = .present(index: index)
        case Int(NL80211_CMD_DEL_INTERFACE.rawValue): self = .gone(index: index)
        default: return nil
        }
    }
}
