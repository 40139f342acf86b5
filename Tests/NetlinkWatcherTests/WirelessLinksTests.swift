import Glibc
import LinuxSupport
import Reachability
import Testing

@testable import NetlinkWatcher

/// A kernel without nl80211 serves as well: what the tests send to its followers is theirs alone.
@Suite(
    "Links that nl80211 knows", .serialized,
    .enabled(if: PrivateNetwork.isAllowed, "this process may not make networks"))
struct WirelessLinksTests {
    /// Sends to the followers of the controller, which takes CAP_NET_ADMIN (netlink(7)).
    private static func tell(_ messages: [UInt8]..., times: Int = 1) throws {
        let descriptor = socket(AF_NETLINK, 3 /* SOCK_RAW */, 16 /* NETLINK_GENERIC */)
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        // struct sockaddr_nl: family, port 0, and the set of groups with the controller's in it.
        let groups = UInt32(1) << (GenericFamily.controllerGroup - 1)
        var address = [UInt8](repeating: 0, count: 12).replacing(at: 0, with: UInt16(AF_NETLINK))
        unsafe withUnsafeBytes(of: groups) { unsafe address.replaceSubrange(8..<12, with: $0) }
        for _ in 0..<times {
            for message in messages {
                let sent = unsafe address.withUnsafeBytes { address in
                    unsafe sendto(
                        descriptor, message, message.count, 0,
                        address.baseAddress?.assumingMemoryBound(to: sockaddr.self), 12)
                }
                try #require(sent == message.count, "errno \(errno)")
            }
        }
    }

    /// A family of that name without groups, so that there are none to join.
    private static let family = Array(GenericFixtures.wirelessFamily.prefix(48)).withRightLength

    @Test("After a loss the kernel's lists count, and not what is left of the older messages")
    func overrun() async {
        await #expect(processExitsWith: .success) {
            let lab = try PrivateNetwork()
            let links = try WirelessLinks(
                loop: lab.loop, queries: try QuerySocket(.generic), datagramsPerTurn: 4)
            var changes: [[Int]] = []
            links.onChange = { changes.append($0) }

            // The kernel has no such family: what is told of it is followed, and its list cannot be read.
            try Self.tell(Self.family, GenericFixtures.wirelessLink)
            try lab.turn { !changes.isEmpty }
            try #require(changes == [[5]] && links.contains(5))

            // Many times what the socket's buffer holds, while nobody reads.
            try Self.tell(
                GenericFixtures.wirelessLinkGone, Self.family, GenericFixtures.wirelessLink, times: 1_000)
            while try lab.loop.runOnce(timeout: 50_000) {}
            try #require(!links.contains(5), "the kernel's list is empty")
        }
    }
}
