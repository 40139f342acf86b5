internal import Glibc

/// Who may read files.
public enum FileMode {
    /// Makes an empty file for its owner alone where nothing has the name (open(2), O_EXCL). One that is
    /// there is not opened, see ``restrict(_:)``.
    public static func make(_ path: String) throws(SystemError) {
        do throws(SystemError) {
            let raw = try check("create", on: path) {
                unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
            }
            _ = OwnedDescriptor(takingOver: raw)
        } catch {
            guard error.code == EEXIST else { throw error }
        }
    }

    /// Leaves a regular file to its owner alone (chmod(2)). What is none, or is not there, stays as it is.
    ///
    /// The file is not opened: to close it would give up the locks that this process has on it (fcntl(2)).
    public static func restrict(_ path: String) throws(SystemError) {
        guard FileStamp(path: path)?.isRegular == true else { return }
        _ = try check("chmod", on: path) { unsafe chmod(path, 0o600) }
    }
}
