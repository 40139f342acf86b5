internal import Glibc

/// Who may read files.
public enum FileMode {
    /// Has files that `body` makes readable by their owner alone (umask(2)). That holds for the whole
    /// process, so `body` must be short.
    public static func ownerOnly<Value, Failure: Error>(
        _ body: () throws(Failure) -> Value
    ) throws(Failure) -> Value {
        let before = umask(0o077)
        defer { _ = umask(before) }
        return try body()
    }

    /// Leaves a regular file to its owner alone (chmod(2)). What is none, or is not there, stays as it is.
    ///
    /// The file is not opened: to close it would give up the locks that this process has on it (fcntl(2)).
    public static func restrict(_ path: String) throws(SystemError) {
        guard FileStamp(path: path)?.isRegular == true else { return }
        _ = try check("chmod", on: path) { unsafe chmod(path, 0o600) }
    }
}
