public import Campaigns
internal import LinuxSupport

/// A file that lies in the directory of creatives and stays there until it is let go, though no creative
/// names it yet.
public struct HeldFile: Hashable, Sendable {
    let row: FileRow
    let generation: Int

    /// What it is.
    public var format: CreativeFormat { row.format }
    /// The size of a picture, in its own pixels.
    public var pixels: CreativeSize? { row.pixels }
}

extension Ledger {
    /// Checks a file's content and takes it into the directory of creatives. Content that is there already is
    /// not written again; where a file was found broken and this is what it was, it is mended.
    public func hold(_ bytes: [UInt8], at clocks: Clocks) throws(InventoryError) -> HeldFile {
        let inspected: InspectedFile
        do throws(FileFault) {
            inspected = try InspectedFile(bytes)
        } catch {
            throw .invalidFile(error)
        }
        let checksum = CRC32.checksum(of: bytes)
        let (candidates, sizeBytes) = try orUnavailable { () throws(LedgerError) in
            try read(at: clocks) { file throws(LedgerError) in
                let table = FileTable(database: file.database)
                return (
                    try table.candidates(sizeBytes: bytes.count, checksum: checksum), try table.sizeBytes()
                )
            }
        }
        for row in candidates {
            guard try contains(row, bytes, at: clocks) else { continue }
            return files.hold(row)
        }
        guard sizeBytes + Int64(bytes.count) <= Limits.filesBytesMax else {
            throw .full(
                "the files of creatives can have no more than \(Limits.filesBytesMax) bytes together")
        }
        let row = try write(at: clocks, isLast: false) { database throws(LedgerError) in
            let row = try FileTable(database: database).insert(inspected, checksum: checksum)
            // Should the row not come to stay, the next file takes this one's place, or it is swept.
            try files.write(bytes, as: row)
            return row
        }
        return files.hold(row)
    }

    /// Lets a file go: where no creative names it, it is removed.
    public func release(_ held: HeldFile) {
        files.release(held)
        tending.lookForOrphans()
    }

    /// Reads a whole file, for an export.
    public func content(of file: CreativeFile) throws(InventoryError) -> [UInt8] {
        do throws(SystemError) {
            return try TextFile.read(file.path, maximum: Int(file.sizeBytes))
        } catch {
            throw .unavailable(error.description)
        }
    }

    /// Whether a file has this content; one that should have it and is broken gets it again.
    private func contains(
        _ row: FileRow, _ bytes: [UInt8], at clocks: Clocks
    ) throws(InventoryError) -> Bool {
        if let present = files.read(row) { return present == bytes }
        try orUnavailable { () throws(LedgerError) in try files.write(bytes, as: row) }
        if files.note(row, isBroken: false) { tending.altered += try campaigns(showing: row, at: clocks) }
        return true
    }

    func campaigns(showing row: FileRow, at clocks: Clocks) throws(InventoryError) -> [CampaignID] {
        try orUnavailable { () throws(LedgerError) in
            try read(at: clocks) { file throws(LedgerError) in
                try FileTable(database: file.database).campaigns(showing: row)
            }
        }
    }
}
