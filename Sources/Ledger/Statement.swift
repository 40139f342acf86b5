internal import CSQLite

/// A prepared statement. Values are bound, never written into the text.
@safe
final class Statement {
    private let handle: OpaquePointer
    private let database: Database
    private let sql: String

    init(_ handle: OpaquePointer, of database: Database, sql: String) {
        unsafe self.handle = handle
        self.database = database
        self.sql = sql
    }

    deinit {
        _ = unsafe sqlite3_finalize(handle)
    }

    /// What a column can hold.
    enum Value {
        case integer(Int64?)
        case text(String?)
        case blob([UInt8])
    }

    /// Runs the statement once with these values; it must give no row.
    func run(_ values: [Value]) throws(LedgerError) {
        try bind(values)
        defer { reset() }
        _ = try step()
    }

    /// Runs the statement with these values and hands each row to `body`.
    func rows(_ values: [Value] = [], _ body: (Statement) -> Void) throws(LedgerError) {
        try bind(values)
        defer { reset() }
        while try step() { body(self) }
    }

    private func bind(_ values: [Value]) throws(LedgerError) {
        for (position, value) in values.enumerated() {
            let index = Int32(position + 1)
            let code =
                switch value {
                case .integer(nil), .text(nil): unsafe sqlite3_bind_null(handle, index)
                case .integer(let number?): unsafe sqlite3_bind_int64(handle, index, number)
                case .text(let text?):
                    unsafe adslot_bind_text(handle, index, text, Int32(text.utf8.count))
                case .blob(let bytes):
                    unsafe adslot_bind_blob(handle, index, bytes, Int32(bytes.count))
                }
            guard code == SQLITE_OK else { throw database.error(code, sql) }
        }
    }

    /// Goes to the next row.
    /// - Returns: false after the last one.
    func step() throws(LedgerError) -> Bool {
        switch unsafe sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let code: throw database.error(code, sql)
        }
    }

    /// An integer of the present row, `nil` where there is none.
    func integer(_ column: Int32) -> Int64? {
        guard unsafe sqlite3_column_type(handle, column) == SQLITE_INTEGER else { return nil }
        return unsafe sqlite3_column_int64(handle, column)
    }

    /// A text of the present row, `nil` where there is none.
    func text(_ column: Int32) -> String? {
        guard unsafe sqlite3_column_type(handle, column) == SQLITE_TEXT,
            let text = unsafe sqlite3_column_text(handle, column)
        else { return nil }
        return unsafe String(cString: text)
    }

    /// The bytes of the present row's column, none where there are none.
    func blob(_ column: Int32) -> [UInt8] {
        guard let bytes = unsafe sqlite3_column_blob(handle, column) else { return [] }
        let count = unsafe Int(sqlite3_column_bytes(handle, column))
        return unsafe [UInt8](UnsafeRawBufferPointer(start: bytes, count: count))
    }

    private func reset() {
        // It repeats the error of the last step, which has been thrown.
        _ = unsafe sqlite3_reset(handle)
    }
}
