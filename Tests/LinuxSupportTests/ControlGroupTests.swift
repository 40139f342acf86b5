import Testing

@testable import LinuxSupport

@Suite("Control groups")
struct ControlGroupTests {
    private static let table = """
        24 30 0:22 / /proc rw,relatime - proc proc rw
        35 30 0:29 / /sys/fs/cgroup ro,nosuid - tmpfs tmpfs ro,mode=755
        36 35 0:30 / /sys/fs/cgroup/unified rw,nosuid shared:10 master:3 - cgroup2 cgroup2 rw,nsdelegate
        37 35 0:31 / /sys/fs/cgroup/freezer rw - cgroup cgroup rw,freezer
        40 30 0:30 /user.slice/a\\040b /mnt/with\\011tab rw - cgroup2 none rw
        41 30 0:40 / /mnt/cgroup2 rw - ext4 /dev/sda rw
        broken line
        """

    @Test("The table of mounts is read as the kernel writes it")
    func mounts() {
        #expect(
            ControlGroupHierarchy.all(in: Array(Self.table.utf8)) == [
                ControlGroupHierarchy(mountPoint: "/sys/fs/cgroup/unified", root: "/"),
                ControlGroupHierarchy(mountPoint: "/mnt/with\ttab", root: "/user.slice/a b"),
            ])
    }

    @Test(
        "A path is taken as one beneath the mount, or as one of the file system",
        arguments: [
            ("a", "a"), ("a/b c/", "a/b c"), ("/sys/fs/cgroup/unified/a/b", "a/b"), ("", nil), ("/", nil),
            ("/sys/fs/cgroup/unified", nil), ("/sys/fs/cgroup/unified/", nil), ("/a", nil), ("..", nil),
            ("a/../b", nil), ("./a", nil), ("a//b", nil), ("/sys/fs/cgroup/unifiedly", nil), ("a\u{0}b", nil),
            ("/sys/fs/cgroup/unified/../../x", nil),
        ] as [(String, String?)])
    func paths(path: String, relative: String?) {
        let hierarchy = ControlGroupHierarchy(mountPoint: "/sys/fs/cgroup/unified", root: "/")
        #expect((try? hierarchy.relativePath(of: path)) == relative)
    }

    @Test("A directory elsewhere is no control group")
    func elsewhere() throws {
        let hierarchy = ControlGroupHierarchy(mountPoint: "/usr", root: "/")
        #expect(throws: SystemError.self) { try ControlGroup(path: "lib", in: hierarchy) }
        #expect(!ControlGroup.isOne("/usr"))
    }
}
