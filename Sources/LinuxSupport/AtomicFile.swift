internal import Glibc

/// Files that are there whole or not at all.
public enum AtomicFile {
    /// Writes a file, for its owner's eyes only unless `mode` says otherwise. It takes the place of one that
    /// is there already, at once and only when all of it is on the disk; until then, and after a failure, all
    /// is as it was.
    /// - Parameter survivesPowerLoss: false spares the disk: then a crash of the whole machine, though not of
    ///   this process, may leave the old file or an empty one.
    /// - Throws: EEXIST where something else than a regular file has the name.
    public static func write(
        _ bytes: [UInt8], to path: String, mode: UInt32 = 0o600, survivesPowerLoss: Bool = true
    ) throws(SystemError) {
        try checkReplaceable(path)
        var template = Array((path + "." + String(repeating: "X", count: 6)).utf8CString)
        let raw = try check("create", on: path) { unsafe mkstemp(&template) }
        let temporary = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        do {
            let file = OwnedDescriptor(takingOver: raw)
            // What mkstemp(3) gives.
            if mode != 0o600 { _ = try check("fchmod", on: temporary) { fchmod(file.raw, mode) } }
            try writeAll(bytes, to: file, on: temporary)
            if survivesPowerLoss { _ = try check("fsync", on: temporary) { fsync(file.raw) } }
            _ = try check("rename", on: path) { unsafe rename(temporary, path) }
        } catch {
            _ = unsafe unlink(temporary)
            throw error
        }
        if survivesPowerLoss { try syncDirectory(Directory.parent(of: path)) }
    }

    private static func checkReplaceable(_ path: String) throws(SystemError) {
        var status = stat()
        do {
            _ = try check("stat", on: path) { unsafe lstat(path, &status) }
        } catch  where error.isMissing {
            return
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw SystemError(operation: "create", subject: path, code: EEXIST)
        }
    }

    private static func writeAll(
        _ bytes: [UInt8], to file: borrowing OwnedDescriptor, on path: String
    ) throws(SystemError) {
        let raw = file.raw
        var offset = 0
        while offset < bytes.count {
            offset += try check("write", on: path) {
                unsafe bytes.withUnsafeBytes { space in
                    guard let base = space.baseAddress else { return 0 }
                    return unsafe Glibc.write(raw, base + offset, space.count - offset)
                }
            }
        }
    }

    /// Without this the new name can be lost in a crash.
    private static func syncDirectory(_ path: String) throws(SystemError) {
        let raw = try check("open", on: path) { unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
        let directory = OwnedDescriptor(takingOver: raw)
        _ = try check("fsync", on: path) { fsync(directory.raw) }
    }
}
