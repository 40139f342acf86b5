internal import CLinux
internal import Glibc

/// Directories of the file system.
public enum Directory {
    /// The names in a directory in byte order, without `.` and `..`.
    public static func names(in path: String) throws(SystemError) -> [String] {
        guard let stream = unsafe opendir(path) else {
            throw SystemError(operation: "opendir", subject: path, code: errno)
        }
        defer { _ = unsafe closedir(stream) }
        var names: [String] = []
        while true {
            errno = 0
            guard let entry = unsafe readdir(stream) else { break }
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { field in
                unsafe field.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        if errno != 0 { throw SystemError(operation: "readdir", subject: path, code: errno) }
        return names.sorted()
    }

    /// Makes a directory and those above it where they are missing.
    /// - Throws: ENOTDIR where something else has the name.
    public static func make(_ path: String, mode: UInt32) throws(SystemError) {
        do {
            try makeOne(path, mode: mode)
        } catch  where error.isMissing && path.utf8.contains(UInt8(ascii: "/")) {
            try make(parent(of: path), mode: mode)
            try makeOne(path, mode: mode)
        }
    }

    private static func makeOne(_ path: String, mode: UInt32) throws(SystemError) {
        do {
            _ = try check("mkdir", on: path) { unsafe mkdir(path, mode) }
        } catch  where error.code == EEXIST {
            var status = stat()
            _ = try check("stat", on: path) { unsafe stat(path, &status) }
            guard status.st_mode & S_IFMT == S_IFDIR else {
                throw SystemError(operation: "mkdir", subject: path, code: ENOTDIR)
            }
        }
    }

    /// Whether this process may make files in a directory.
    public static func checkWritable(_ path: String) throws(SystemError) {
        _ = try check("access", on: path) { unsafe access(path, W_OK | X_OK) }
    }

    /// Takes a directory for this process alone, among those that ask: until the descriptor is closed, which
    /// the end of the process does too (flock(2)).
    /// - Throws: EWOULDBLOCK where another process has it.
    public static func lock(_ path: String) throws(SystemError) -> OwnedDescriptor {
        let raw = try check("open", on: path) { unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
        let directory = OwnedDescriptor(takingOver: raw)
        _ = try check("flock", on: path) { adslot_lock(directory.raw) }
        return directory
    }

    /// The directory that `path` is in.
    public static func parent(of path: String) -> String {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// Gives a file another name in the same file system, in the place of one that has it already.
    public static func rename(_ path: String, to name: String) throws(SystemError) {
        _ = try check("rename", on: path) { unsafe Glibc.rename(path, name) }
    }

    /// Removes a file; one that is gone already is no error.
    public static func remove(file path: String) throws(SystemError) {
        do {
            _ = try check("unlink", on: path) { unsafe unlink(path) }
        } catch  where error.isMissing {
            return
        }
    }
}
