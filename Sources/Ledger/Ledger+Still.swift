/// How the ledger is read while nothing can be written: from the file and its log as they lie there.
extension Ledger {
    /// Reads what can be read where nothing can be written too; of a file of any version.
    func readStill<Value>(
        at clocks: Clocks, _ body: (Database) throws(LedgerError) -> Value
    ) throws(LedgerError) -> Value {
        guard let trouble else {
            return try read(at: clocks) { file throws(LedgerError) in try body(file.database) }
        }
        return try orTrouble(trouble) { () throws(LedgerError) in try body(Database(path, .still)) }
    }

    /// Reads what can be read where nothing can be written too; of a file of this version.
    func readStillFile<Value>(
        at clocks: Clocks, _ body: (LedgerFile) throws(LedgerError) -> Value
    ) throws(LedgerError) -> Value {
        guard let trouble else { return try read(at: clocks, body) }
        return try orTrouble(trouble) { () throws(LedgerError) in try body(LedgerFile(still: path)) }
    }

    /// What keeps anything from being written is also why it cannot be read; whether the file is damaged
    /// shows when it is opened to be written.
    private func orTrouble<Value>(
        _ trouble: LedgerError, _ body: () throws(LedgerError) -> Value
    ) throws(LedgerError) -> Value {
        do throws(LedgerError) {
            return try body()
        } catch {
            throw [.damaged, .readOnly].contains(error.kind) ? trouble : error
        }
    }
}
