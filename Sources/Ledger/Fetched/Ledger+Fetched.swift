public import Campaigns
internal import LinuxSupport

/// What is kept of fetched files. They lie in a directory of their own, and what is not in a row is swept.
extension Ledger {
    /// What an earlier run left. A file that is missing or has another length is none, and its row goes.
    /// Nothing can be fetched before this was asked.
    public func fetched(at clocks: Clocks) throws(LedgerError) -> FetchedState {
        try read(at: clocks) { file throws(LedgerError) in
            let table = FetchedTable(database: file.database)
            var state = FetchedState()
            state.meteredUse = try table.meteredUse()
            var names: Set<String> = []
            for row in try table.all() {
                guard FileStamp(path: path(of: row))?.sizeBytes == Int64(row.content.sizeBytes) else {
                    try table.remove(row.address)
                    continue
                }
                names.insert(row.fileName)
                state.files.append(fetchedFile(row))
            }
            // Of a crash between the file and its row, or the other way round.
            for name in (try? Directory.names(in: fetchedDirectory)) ?? [] where !names.contains(name) {
                try? Directory.remove(file: "\(fetchedDirectory)/\(name)")
            }
            return state
        }
    }

    /// Keeps a file that has come, in the place of others: the file first, then the row, then the others go.
    /// - Throws: where the disk is full or cannot be written; then all is as it was.
    public func keep(
        _ bytes: [UInt8], _ content: InspectedFile, from address: String, evicting others: [FetchedFile],
        use: MeteredUse, at clocks: Clocks
    ) throws(LedgerError) -> FetchedFile {
        try read(at: clocks) { file throws(LedgerError) in
            let table = FetchedTable(database: file.database)
            let row = FetchedTable.Row(
                number: try table.nextNumber(), address: address, content: content)
            try write(bytes, as: row)
            do throws(LedgerError) {
                try file.database.transaction { () throws(LedgerError) in
                    for other in others { try table.remove(other.address) }
                    try table.insert(row)
                    try table.keep(use)
                }
            } catch {
                try? Directory.remove(file: path(of: row))
                throw error
            }
            for other in others { try? Directory.remove(file: other.file.path) }
            return fetchedFile(row)
        }
    }

    /// Drops files, first their rows.
    public func drop(_ files: [FetchedFile], at clocks: Clocks) throws(LedgerError) {
        guard !files.isEmpty else { return }
        try read(at: clocks) { file throws(LedgerError) in
            let table = FetchedTable(database: file.database)
            try file.database.transaction { () throws(LedgerError) in
                for dropped in files { try table.remove(dropped.address) }
            }
        }
        for dropped in files { try? Directory.remove(file: dropped.file.path) }
    }

    /// A file was shown: it is the one that was used last.
    public func noteUse(of address: String, at clocks: Clocks) throws(LedgerError) {
        try read(at: clocks) { file throws(LedgerError) in
            try FetchedTable(database: file.database).use(address)
        }
    }

    /// Keeps what was fetched over paths that cost money.
    public func keep(_ use: MeteredUse, at clocks: Clocks) throws(LedgerError) {
        try read(at: clocks) { file throws(LedgerError) in
            try FetchedTable(database: file.database).keep(use)
        }
    }

    var fetchedDirectory: String { "\(Directory.parent(of: path))/fetched" }

    private func path(of row: FetchedTable.Row) -> String { "\(fetchedDirectory)/\(row.fileName)" }

    private func fetchedFile(_ row: FetchedTable.Row) -> FetchedFile {
        FetchedFile(
            address: row.address,
            file: CreativeFile(
                path: path(of: row), mediaType: row.content.format.mediaType,
                sizeBytes: Int64(row.content.sizeBytes)),
            content: row.content)
    }

    private func write(_ bytes: [UInt8], as row: FetchedTable.Row) throws(LedgerError) {
        do throws(SystemError) {
            try Directory.make(fetchedDirectory, mode: 0o750)
            try AtomicFile.write(bytes, to: path(of: row), mode: 0o640)
        } catch {
            throw LedgerError(
                error.isDiskUnwritable ? .readOnly : .other, operation: "keep", path: error.subject,
                message: error.description)
        }
    }
}
