internal import CLinux
internal import Glibc

/// A control group of version 2, held by its directory: another of the same name made later is not it.
public final class ControlGroup {
    /// Its path beneath the mount of the hierarchy.
    public let path: String
    /// Its identifier, which the kernel gives to no other until it boots again.
    public let identifier: UInt64
    /// The user that its directory belongs to: the one that it is delegated to.
    public let owner: UInt32
    private let directory: OwnedDescriptor
    private let directoryPath: String

    /// Opens a group.
    /// - Parameter path: as ``ControlGroupHierarchy/relativePath(of:)`` gives it, empty for the mounted one.
    /// - Throws: ENOENT where there is none, ENOTDIR or ELOOP where something else has the name.
    public init(path: String, in hierarchy: ControlGroupHierarchy) throws(SystemError) {
        var place = hierarchy.mountPoint
        var current = try check("open", on: place) { unsafe adslot_open_beneath(AT_FDCWD, place) }
        // Part by part, so that none of them is a symbolic link.
        for part in path.split(separator: "/") {
            let outer = OwnedDescriptor(takingOver: current)
            place += (place.hasSuffix("/") ? "" : "/") + part
            current = try check("open", on: place) { unsafe adslot_open_beneath(outer.raw, String(part)) }
        }
        directory = OwnedDescriptor(takingOver: current)
        directoryPath = place
        self.path = path
        let raw = directory.raw
        guard try check("fstatfs", on: place, { adslot_is_cgroup2(raw) }) == 1 else {
            throw SystemError(operation: "open control group", subject: place, code: ENOTDIR)
        }
        var status = stat()
        _ = try check("fstat", on: place) { unsafe fstat(raw, &status) }
        identifier = UInt64(status.st_ino)
        owner = status.st_uid
    }

    /// Whether a directory is that of a control group.
    static func isOne(_ path: String) -> Bool {
        let raw = unsafe adslot_open_beneath(AT_FDCWD, path)
        guard raw >= 0 else { return false }
        let directory = OwnedDescriptor(takingOver: raw)
        return adslot_is_cgroup2(directory.raw) == 1
    }

    /// Makes a group inside of another.
    public static func make(_ path: String, in hierarchy: ControlGroupHierarchy) throws(SystemError) {
        let place = "\(hierarchy.mountPoint)/\(path)"
        _ = try check("mkdir", on: place) { unsafe mkdir(place, 0o755) }
    }

    /// Removes a group that is empty; EBUSY where it is not.
    public static func remove(_ path: String, in hierarchy: ControlGroupHierarchy) throws(SystemError) {
        let place = "\(hierarchy.mountPoint)/\(path)"
        _ = try check("rmdir", on: place) { unsafe rmdir(place) }
    }

    /// Moves a process into the group.
    public func add(pid: Int32) throws(SystemError) { try write("\(pid)", to: "cgroup.procs") }

    /// Whether the group itself has been told to freeze, by whomever.
    /// - Throws: ENODEV or ENOENT once it has been removed.
    public func isToldToFreeze() throws(SystemError) -> Bool { try read("cgroup.freeze").first == "1" }

    /// Freezes the group or thaws it. ``isFrozen()`` says when all of it stands still.
    public func setFrozen(_ isFrozen: Bool) throws(SystemError) {
        try write(isFrozen ? "1" : "0", to: "cgroup.freeze")
    }

    /// Whether this process may freeze the group, without doing so.
    public func checkWritable() throws(SystemError) {
        _ = OwnedDescriptor(takingOver: try open("cgroup.freeze", writes: true))
    }

    /// Whether every process in it stands still.
    public func isFrozen() throws(SystemError) -> Bool {
        try read("cgroup.events").split(separator: "\n").contains("frozen 1")
    }

    /// Calls `handler` when cgroup.events says something new, and when the group may have been removed.
    public func watch(on loop: EventLoop, handler: @escaping () -> Void) throws(SystemError) -> Watch {
        let events = OwnedDescriptor(takingOver: try open("cgroup.events", writes: false))
        let parent = Directory.parent(of: directoryPath)
        return try Watch(events, at: directoryPath, parent: parent, loop: loop, handler: handler)
    }

    private func open(_ name: String, writes: Bool) throws(SystemError) -> Int32 {
        let raw = directory.raw
        return try check("open", on: "\(directoryPath)/\(name)") {
            unsafe adslot_open_in(raw, name, writes ? 1 : 0)
        }
    }

    private func read(_ name: String) throws(SystemError) -> String {
        let file = OwnedDescriptor(takingOver: try open(name, writes: false))
        return try Self.read(file.raw, "\(directoryPath)/\(name)")
    }

    fileprivate static func read(_ raw: Int32, _ path: String) throws(SystemError) -> String {
        try unsafe withUnsafeTemporaryAllocation(byteCount: Limits.controlGroupFileBytesMax, alignment: 1) {
            space throws(SystemError) -> String in
            // From the start each time: reading is also what takes a notification back.
            let count = try check("read", on: path) { unsafe pread(raw, space.baseAddress, space.count, 0) }
            return unsafe String(decoding: space[..<count], as: UTF8.self)
        }
    }

    private func write(_ text: String, to name: String) throws(SystemError) {
        let file = OwnedDescriptor(takingOver: try open(name, writes: true))
        let bytes = Array(text.utf8)
        _ = try check("write", on: "\(directoryPath)/\(name)") {
            unsafe Glibc.write(file.raw, bytes, bytes.count)
        }
    }

    /// Notices that a group froze, thawed, or was removed, as long as it lives.
    public final class Watch {
        private let events: OwnedDescriptor
        private var notification: IOWatch?
        /// The removal of a group notifies nobody but who watches the directory it was in.
        private var removal: DirectoryWatch?

        init(
            _ events: consuming OwnedDescriptor, at path: String, parent: String, loop: EventLoop,
            handler: @escaping () -> Void
        ) throws(SystemError) {
            self.events = events
            let raw = self.events.raw
            let name = "\(path)/cgroup.events"
            _ = try ControlGroup.read(raw, name)
            removal = try DirectoryWatch(loop: loop, path: parent, handler: handler)
            notification = try loop.watch(raw, for: .exceptional) { [unowned self] _ in
                // A removed group's file is ready for ever.
                if (try? ControlGroup.read(raw, name)) == nil { notification?.cancel() }
                handler()
            }
        }
    }
}
