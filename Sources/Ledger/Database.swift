internal import CSQLite
internal import LinuxSupport

/// One connection to one SQLite file. It is closed with this object.
@safe
final class Database {
    let path: String
    private let handle: OpaquePointer

    /// How a file is opened.
    enum Mode {
        /// To be read and written, and made where it is missing.
        case readWrite
        /// To be read as it lies there, on a disk that nobody can write; what is only in the log that goes
        /// with the file is not seen.
        case immutable
        /// To be read with the log that goes with it, on a disk that is full or cannot be written. No lock is
        /// taken, which such a file does not allow: nobody may write to it meanwhile.
        case still
    }

    init(_ path: String, _ mode: Mode) throws(LedgerError) {
        self.path = path
        try Self.checkRegular(path)
        var opened: OpaquePointer?
        let immutable = "file:\(path.uriEscaped)?immutable=1"
        let isLogRead = mode == .still && Self.hasLog(path)
        let (name, flags) =
            switch mode {
            case .readWrite: (path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE)
            case .still where isLogRead: (path, SQLITE_OPEN_READONLY)
            case .immutable, .still: (immutable, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI)
            }
        // The log gets the mode of its file. Where none can be made SQLite says why.
        if mode == .readWrite { try? FileMode.make(path) }
        let code = unsafe sqlite3_open_v2(
            name, &opened, flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE,
            // Without locks (https://sqlite.org/vfs.html), which take a file that can be written.
            isLogRead ? "unix-none" : nil)
        guard code == SQLITE_OK, let opened = unsafe opened else {
            let message = unsafe opened.map { unsafe String(cString: sqlite3_errmsg($0)) }
            _ = unsafe sqlite3_close(opened)
            throw LedgerError(code: code, operation: "open", path: path, message: message)
        }
        unsafe handle = opened
        _ = unsafe adslot_disable_lookaside(opened)
        if mode == .readWrite, unsafe sqlite3_db_readonly(opened, "main") == 1 {
            // SQLite makes do with that, and then fails at the first lock with an error of the disk.
            throw LedgerError(.readOnly, operation: "open", path: path, message: "it cannot be written")
        }
        if isLogRead {
            _ = unsafe adslot_leave_log(opened)
            // The index of the log is then kept in memory and not in a file beside it.
            try execute("PRAGMA locking_mode = EXCLUSIVE")
        }
    }

    /// Whether there is a log, and a file that it can belong to.
    private static func hasLog(_ path: String) -> Bool {
        [path, "\(path)-wal"].allSatisfy { FileStamp(path: $0)?.sizeBytes ?? 0 > 0 }
    }

    /// SQLite opens whatever has the name: on a pipe it would then wait for ever.
    private static func checkRegular(_ path: String) throws(LedgerError) {
        for name in [path, "\(path)-wal", "\(path)-journal"] {
            guard let stamp = FileStamp(path: name), !stamp.isRegular else { continue }
            throw LedgerError(.notRegular, operation: "open", path: name, message: "it is no regular file")
        }
    }

    deinit {
        // Statements are finalized before: each holds its database.
        _ = unsafe sqlite3_close(handle)
    }

    /// Runs statements that give no rows and take no values.
    func execute(_ sql: String) throws(LedgerError) {
        let code = unsafe sqlite3_exec(handle, sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw error(code, sql) }
    }

    /// How many rows the last statement changed.
    var changes: Int64 { unsafe sqlite3_changes64(handle) }

    /// The number that the last inserted row was given.
    var insertedID: Int64 { unsafe sqlite3_last_insert_rowid(handle) }

    /// Frees what is kept of the file in memory; it is read again when it is needed.
    func releaseMemory() {
        _ = unsafe sqlite3_db_release_memory(handle)
    }

    /// Prepares a statement, to be used more than once.
    func prepare(_ sql: String) throws(LedgerError) -> Statement {
        var prepared: OpaquePointer?
        let code = unsafe sqlite3_prepare_v3(
            handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
        guard code == SQLITE_OK, let prepared = unsafe prepared else { throw error(code, sql) }
        return unsafe Statement(prepared, of: self, sql: sql)
    }

    /// Runs `body` as a whole or not at all.
    func transaction<Value>(_ body: () throws(LedgerError) -> Value) throws(LedgerError) -> Value {
        try execute("BEGIN IMMEDIATE")
        do {
            let value = try body()
            try execute("COMMIT")
            return value
        } catch {
            // Some errors (a full disk) have rolled it back already, and then this one says so.
            try? execute("ROLLBACK")
            throw error
        }
    }

    /// The one value of a query that gives one integer: a pragma.
    func integer(_ sql: String) throws(LedgerError) -> Int64 {
        let statement = try prepare(sql)
        return try statement.step() ? statement.integer(0) ?? 0 : 0
    }

    /// The one value of a query that gives one text: a check.
    func text(_ sql: String) throws(LedgerError) -> String {
        let statement = try prepare(sql)
        return try statement.step() ? statement.text(0) ?? "" : ""
    }

    /// The error for a result code, with the first words of what was tried.
    func error(_ code: Int32, _ sql: String) -> LedgerError {
        let message = unsafe String(cString: sqlite3_errmsg(handle))
        let words = sql.split(maxSplits: 2, whereSeparator: \.isWhitespace).prefix(2).joined(separator: " ")
        return LedgerError(code: code, operation: words, path: path, message: message)
    }
}

extension String {
    /// The path with what has a meaning in a URI replaced (https://sqlite.org/uri.html).
    fileprivate var uriEscaped: String {
        var escaped = ""
        for character in self {
            switch character {
            case "%": escaped += "%25"
            case "?": escaped += "%3f"
            case "#": escaped += "%23"
            default: escaped.append(character)
            }
        }
        return escaped
    }
}
