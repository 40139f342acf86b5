import LinuxSupport
import Testing

@testable import AdslotService

@Suite("Access")
struct AccessTests {
    private static let own = ProcessContext.userID
    /// A user who is neither root nor this one.
    private static let stranger: UInt32 = own == 65_533 ? 65_532 : 65_533

    private func peer(_ user: UInt32, group: UInt32 = 65_533, groups: [UInt32] = []) -> PeerCredentials {
        PeerCredentials(pid: 1, uid: user, gid: group, groups: groups)
    }

    @Test("Root and the daemon's own user may do everything")
    func owner() {
        for access in [Access(hostGroup: "root"), Access(hostGroup: "no-such-group-here")] {
            for user in [0, Self.own] {
                #expect(access.mayOperate(peer(user)))
                #expect(access.mayHost(peer(user)))
            }
        }
    }

    @Test("A member of the host group may host, by its own group or a further one, and no more")
    func members() {
        // Group 0 exists everywhere by the name of root.
        let access = Access(hostGroup: "root")
        #expect(access.missingGroups.isEmpty)
        for member in [peer(Self.stranger, group: 0), peer(Self.stranger, groups: [7, 0])] {
            #expect(access.mayHost(member))
            #expect(!access.mayOperate(member))
        }
        #expect(!access.mayHost(peer(Self.stranger, groups: [7, 8])))
    }

    @Test("Where the group does not exist nobody is a member")
    func missingGroup() {
        let access = Access(hostGroup: "no-such-group-here")
        #expect(access.missingGroups == ["no-such-group-here"])
        #expect(!access.mayHost(peer(Self.stranger, group: 0, groups: [0])))
    }
}
