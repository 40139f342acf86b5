internal import LinuxSupport

/// Where state is kept over restarts: the command line's directory, the service manager's, or the usual one.
struct StateDirectory {
    let path: String

    init(path: String?) {
        let home = ProcessContext.environment("HOME") ?? "/"
        let usual =
            ProcessContext.userID == 0
            ? "/var/lib/adslotd"
            : (ProcessContext.environment("XDG_STATE_HOME") ?? "\(home)/.local/state") + "/adslotd"
        self.path = path ?? ProcessContext.environment("STATE_DIRECTORY") ?? usual
    }

    /// Where files go that need not outlive the machine: the service manager's directory, or the one with the
    /// socket. It can be written when a disk cannot. nil where there is none.
    static var runtimePath: String? {
        if let paths = ProcessContext.environment("RUNTIME_DIRECTORY") {
            return paths.split(separator: ":").first.map(String.init)
        }
        if ProcessContext.userID == 0 { return Directory.parent(of: Product.serviceSocket) }
        return Product.userSocket.map { Directory.parent(of: $0) }
    }

    /// Makes it where it is missing, and makes sure that files can be made in it.
    func prepare() throws(SystemError) {
        try Directory.make(path, mode: 0o750)
        try Directory.checkWritable(path)
    }

    /// Takes it for this process: two daemons would resume what the other has paused.
    /// - Returns: what keeps it, nil where there is no directory to take.
    func lock() throws(SystemError) -> OwnedDescriptor? {
        do throws(SystemError) {
            return try Directory.lock(path)
        } catch {
            if error.isMissing { return nil }
            guard error.isTryAgain else { throw error }
            throw SystemError(
                operation: "lock (another daemon keeps its state there)", subject: path, code: error.code)
        }
    }
}
