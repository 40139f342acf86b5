internal import Campaigns

/// What is still to be done so that the inventory holds what it should and nothing else. A step is a few
/// milliseconds.
struct InventoryTending {
    /// What is cleared away.
    enum Clearing: Equatable {
        /// Files that no row has. Moves to: imports.
        case leftovers
        /// Imports that came to no end. Moves to: orphans.
        case imports
        /// Files behind this one that no creative names. Moves to: done.
        case orphans(after: Int64)
        /// Moves to: imports, orphans.
        case done
    }

    var clearing = Clearing.leftovers
    /// The last file whose content was checked; `nil` when all are.
    var checkedThrough: Int64? = 0
    /// Campaigns whose files were mended or found broken since somebody asked.
    var altered: [CampaignID] = []

    var isDone: Bool { clearing == .done && checkedThrough == nil }

    /// A creative has gone, or a file was let go.
    mutating func lookForOrphans() {
        switch clearing {
        case .orphans, .done: clearing = .orphans(after: 0)
        // They come to that later.
        case .leftovers, .imports: break
        }
    }

    /// An import came to no end.
    mutating func lookForImports() {
        if clearing != .leftovers { clearing = .imports }
    }
}

extension Ledger {
    /// Another file may have taken the place of the one that uploads and imports were written to: they are no
    /// longer good, and what is left of them is cleared away.
    func forgetHeld() {
        tending = InventoryTending()
        activeImports = [:]
        files.beginAnew()
    }

    /// Whether there is anything to tend.
    public var needsTending: Bool { !tending.isDone }

    /// Clears away some of what is left over, or checks the content of a file.
    public func tendInventory(at clocks: Clocks) throws(InventoryError) {
        switch tending.clearing {
        case .leftovers:
            let rows = try orUnavailable { () throws(LedgerError) in
                try read(at: clocks) { file throws(LedgerError) in
                    try FileTable(database: file.database).page()
                }
            }
            files.removeLeftovers(knowing: rows)
            tending.clearing = .imports
        case .imports: if try !clearImport(at: clocks) { tending.clearing = .orphans(after: 0) }
        case .orphans(let after):
            let last = try clearOrphans(after: after, at: clocks)
            tending.clearing = last.map { .orphans(after: $0) } ?? .done
        case .done:
            guard let through = tending.checkedThrough else { return }
            tending.checkedThrough = try checkFile(after: through, at: clocks)
        }
    }

    /// The campaigns whose files were mended or found broken since this was last asked, as they are now.
    public func takeAltered(at clocks: Clocks) -> [StoredCampaign] {
        let ids = tending.altered
        tending.altered = []
        // One that is gone meanwhile, or cannot be read now, is told of elsewhere.
        return ids.compactMap { try? campaign($0, at: clocks) }
    }

    /// Takes out some campaigns of an import that is over.
    /// - Returns: whether there may be more.
    private func clearImport(at clocks: Clocks) throws(InventoryError) -> Bool {
        let active = activeImports
        return try write(at: clocks, isLast: false) { database throws(LedgerError) in
            var over: Int64?
            try database.prepare("SELECT number FROM imports ORDER BY number").rows { row in
                if let number = row.integer(0), active[ImportID(number)] == nil { over = over ?? number }
            }
            guard let over else { return false }
            let some = "SELECT id FROM campaigns WHERE batch = ?1 ORDER BY id LIMIT \(Limits.clearedRowsMax)"
            try database.prepare("DELETE FROM creatives WHERE campaign IN (\(some))").run([.integer(over)])
            try database.prepare("DELETE FROM campaigns WHERE id IN (\(some))").run([.integer(over)])
            if database.changes == 0 {
                try database.prepare("DELETE FROM imports WHERE number = ?1").run([.integer(over)])
            }
            return true
        }
    }

    /// Takes out some files that nobody names; from the disk only when their rows are gone.
    /// - Returns: behind which file to go on, `nil` at the end.
    private func clearOrphans(after: Int64, at clocks: Clocks) throws(InventoryError) -> Int64? {
        let (orphans, last) = try orUnavailable { () throws(LedgerError) in
            try read(at: clocks) { file throws(LedgerError) in
                try FileTable(database: file.database).orphans(after: after, limit: Limits.clearedRowsMax)
            }
        }
        let free = orphans.filter { !files.isHeld($0) }
        if !free.isEmpty {
            try write(at: clocks) { database throws(LedgerError) in
                try FileTable(database: database).remove(free)
            }
            for file in free { files.remove(file) }
        }
        return last
    }

    /// Reads the next file as a whole.
    /// - Returns: that file, `nil` when there is none.
    private func checkFile(after: Int64, at clocks: Clocks) throws(InventoryError) -> Int64? {
        let next = try orUnavailable { () throws(LedgerError) in
            try read(at: clocks) { file throws(LedgerError) in
                try FileTable(database: file.database).page(after: after, limit: 1)
            }
        }
        guard let file = next.first else { return nil }
        let isBroken = files.read(file) == nil
        if files.note(file, isBroken: isBroken) {
            if isBroken {
                onNotice(
                    .fileBroken(
                        path: files.path(of: file),
                        reason: files.survey(file) ?? "is not as it was written"))
            }
            tending.altered += try campaigns(showing: file, at: clocks)
        }
        return file.number
    }
}
