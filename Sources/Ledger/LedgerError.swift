internal import CSQLite

/// Why something could not be kept or read: what was tried, on which file, and SQLite's word for it.
public struct LedgerError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What kind of trouble it is, as far as it matters to what is done about it.
    public enum Kind: Hashable, Sendable {
        /// The file is no database, or a broken one.
        case damaged
        /// The file was made by a newer version of this program.
        case newer
        /// Something else than a regular file has the file's name, or that of the log beside it.
        case notRegular
        /// Another process has the file open.
        case inUse
        /// The disk is full.
        case full
        /// The file, its directory or its file system cannot be written.
        case readOnly
        /// Anything else: an error of the disk, no memory.
        case other
    }

    /// What kind of trouble it is.
    public let kind: Kind
    /// What was tried.
    public let operation: String
    /// The file.
    public let path: String
    /// The cause in words.
    public let message: String

    /// `operation path: message`.
    public var description: String { "\(operation) \(path): \(message)" }

    init(_ kind: Kind, operation: String, path: String, message: String) {
        (self.kind, self.operation, self.path, self.message) = (kind, operation, path, message)
    }

    /// The error for a result code of SQLite (https://sqlite.org/rescode.html).
    init(code: Int32, operation: String, path: String, message: String? = nil) {
        let text = unsafe message ?? String(cString: sqlite3_errstr(code))
        self.init(Kind(code: code), operation: operation, path: path, message: text)
    }
}

extension LedgerError.Kind {
    /// Sorts a result code, extended or not; the low byte is the primary code.
    init(code: Int32) {
        switch code & 0xFF {
        // An error in a statement: all of them are tested, so the tables are not those that they should be.
        case SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_ERROR: self = .damaged
        case SQLITE_BUSY, SQLITE_LOCKED: self = .inUse
        case SQLITE_FULL: self = .full
        case SQLITE_READONLY, SQLITE_CANTOPEN, SQLITE_PERM: self = .readOnly
        default: self = .other
        }
    }
}
