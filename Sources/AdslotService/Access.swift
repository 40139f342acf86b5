internal import LinuxSupport

/// Who may do what, by the credentials of the peer. Reading is for everyone who can open the socket.
struct Access {
    private let hostGroup: UInt32?
    private let pauseGroup: UInt32?
    /// The configured groups that do not exist, so that their members are none.
    let missingGroups: [String]

    /// - Parameters:
    ///   - hostGroup: the name of the group that may host.
    ///   - pauseGroup: that of the group that may have anything paused, nil for none.
    init(hostGroup: String, pauseGroup: String? = nil) {
        let names = [hostGroup] + (pauseGroup.map { [$0] } ?? [])
        self.hostGroup = ProcessContext.groupID(named: hostGroup)
        self.pauseGroup = pauseGroup.flatMap { ProcessContext.groupID(named: $0) }
        missingGroups = names.filter { ProcessContext.groupID(named: $0) == nil }
    }

    /// Hosting slots, beginning actions, registering own work.
    func mayHost(_ peer: PeerCredentials) -> Bool {
        mayOperate(peer) || isMember(peer, of: hostGroup)
    }

    /// Having other users' processes, control groups and units paused: whoever may do that could as well stop
    /// them.
    func mayPauseAnything(_ peer: PeerCredentials) -> Bool {
        peer.uid == 0 || isMember(peer, of: pauseGroup)
    }

    /// Registering work at all.
    func mayRegister(_ peer: PeerCredentials) -> Bool { mayHost(peer) || mayPauseAnything(peer) }

    private func isMember(_ peer: PeerCredentials, of group: UInt32?) -> Bool {
        guard let group else { return false }
        return peer.gid == group || peer.groups.contains(group)
    }

    /// Changing how the daemon works.
    func mayOperate(_ peer: PeerCredentials) -> Bool {
        peer.uid == 0 || peer.uid == ProcessContext.userID
    }
}
