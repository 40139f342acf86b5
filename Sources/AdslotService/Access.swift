internal import LinuxSupport

/// Who may do what, by the credentials of the peer. Reading is for everyone who can open the socket.
struct Access {
    private let hostGroup: UInt32?
    /// Whether the configured group is missing, so that its members are none.
    var isGroupMissing: Bool { hostGroup == nil }

    init(hostGroup name: String) {
        hostGroup = ProcessContext.groupID(named: name)
    }

    /// Hosting slots, beginning actions, registering own work.
    func mayHost(_ peer: PeerCredentials) -> Bool {
        if mayOperate(peer) { return true }
        guard let hostGroup else { return false }
        return peer.gid == hostGroup || peer.groups.contains(hostGroup)
    }

    /// Changing how the daemon works.
    func mayOperate(_ peer: PeerCredentials) -> Bool {
        peer.uid == 0 || peer.uid == ProcessContext.userID
    }
}
