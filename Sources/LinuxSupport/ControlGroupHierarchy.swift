internal import Glibc

/// Where control groups of version 2 are, as proc_pid_mountinfo(5) tells.
public struct ControlGroupHierarchy: Hashable, Sendable {
    /// Why a path names no control group.
    public struct PathFault: Error, Hashable, Sendable, CustomStringConvertible {
        /// The sentence for whoever gave the path.
        public let description: String
    }

    /// The directory of the group that is mounted.
    public let mountPoint: String
    /// That group's own path in its hierarchy, `/` for the root.
    let root: String

    /// Finds the hierarchy, nil where none is mounted.
    public static func find() throws(SystemError) -> ControlGroupHierarchy? {
        let table = try TextFile.read("/proc/self/mountinfo", maximum: Limits.mountTableBytesMax)
        // One may lie hidden under another mount.
        return all(in: table).first { ControlGroup.isOne($0.mountPoint) }
    }

    /// The mounts of type cgroup2 in a table of mounts.
    static func all(in table: [UInt8]) -> [ControlGroupHierarchy] {
        table.split(separator: UInt8(ascii: "\n")).compactMap { line in
            let fields = line.split(separator: UInt8(ascii: " "))
            // A varying number of optional fields ends with a dash; the type comes next.
            guard fields.count > 6, let dash = fields[6...].firstIndex(of: [UInt8(ascii: "-")]),
                dash + 1 < fields.count, fields[dash + 1].elementsEqual("cgroup2".utf8)
            else { return nil }
            return ControlGroupHierarchy(mountPoint: unescaped(fields[4]), root: unescaped(fields[3]))
        }
    }

    /// White space and backslashes are written as three octal digits after a backslash.
    private static func unescaped(_ field: ArraySlice<UInt8>) -> String {
        var bytes: [UInt8] = []
        var rest = field
        while let byte = rest.popFirst() {
            let digits = rest.prefix(3)
            guard byte == UInt8(ascii: "\\"), digits.count == 3,
                let code = UInt8(String(decoding: digits, as: UTF8.self), radix: 8)
            else {
                bytes.append(byte)
                continue
            }
            bytes.append(code)
            rest = rest.dropFirst(3)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The path beneath the mount of a group that is given by it, or by its whole path in the file system.
    public func relativePath(of path: String) throws(PathFault) -> String {
        guard path.utf8.count <= Limits.controlGroupPathBytesMax else {
            throw PathFault(description: "the path is longer than \(Limits.controlGroupPathBytesMax) bytes")
        }
        var relative = Substring(path)
        if path.hasPrefix("/") {
            let prefix = mountPoint == "/" ? "/" : mountPoint + "/"
            guard path == mountPoint || path.hasPrefix(prefix) else {
                throw PathFault(description: "\(path.printable) is not beneath \(mountPoint)")
            }
            relative = path.dropFirst(prefix.count)
        }
        if relative.hasSuffix("/") { relative.removeLast() }
        guard !relative.isEmpty else {
            throw PathFault(description: "the root of all control groups cannot be frozen")
        }
        let parts = relative.split(separator: "/", omittingEmptySubsequences: false)
        guard !parts.contains(where: { ["", ".", ".."].contains($0) }), path == path.printable else {
            throw PathFault(description: "\(path.printable) is not a plain path")
        }
        return String(relative)
    }

    /// The path beneath the mount of the group that this process is in; empty for the mounted group itself,
    /// nil where it is elsewhere.
    public func ownPath() throws(SystemError) -> String? { try path(of: "self") }

    /// Whether a process stands still since its group, or one around it, is frozen. Signals wait until it
    /// thaws then, SIGSTOP as well.
    public func isFrozen(process pid: Int32) throws(SystemError) -> Bool {
        // The root has no freezer.
        guard let path = try path(of: "\(pid)"), !path.isEmpty else { return false }
        return try ControlGroup(path: path, in: self).isFrozen()
    }

    private func path(of process: String) throws(SystemError) -> String? {
        let text = try TextFile.read("/proc/\(process)/cgroup", maximum: Limits.processStatusBytesMax)
        let line = String(decoding: text, as: UTF8.self).split(separator: "\n").first { $0.hasPrefix("0::") }
        guard let path = line?.dropFirst(3) else { return nil }
        let prefix = root == "/" ? "/" : root + "/"
        if path + "/" == prefix || path == "/" && prefix == "/" { return "" }
        return path.hasPrefix(prefix) ? String(path.dropFirst(prefix.count)) : nil
    }

    /// Whether freezing a group would freeze this process.
    public func holdsThisProcess(_ path: String) throws(SystemError) -> Bool {
        guard let own = try ownPath() else { return false }
        return own == path || own.hasPrefix(path + "/")
    }
}
