internal import Campaigns
internal import LinuxSupport

/// The files of creatives, each named after its number. What the rows say of a file and what lies on the disk
/// may come apart; then the file is broken, and nobody is told of it.
final class CreativeDirectory {
    let path: String
    private var broken: Set<Int64> = []
    /// Files that are kept though no creative may name them, and for how many.
    private var held: [Int64: Int] = [:]

    /// Counts the ledgers that it has belonged to.
    private var generation = 0

    /// Names the directory; it is made with the first file.
    init(_ path: String) {
        self.path = path
    }

    func path(of file: FileRow) -> String { "\(path)/\(file.name)" }

    /// Whether a file was found to be something else than was written.
    func isBroken(_ file: FileRow) -> Bool { broken.contains(file.number) }

    func isHeld(_ file: FileRow) -> Bool { held[file.number] != nil }

    func hold(_ file: FileRow) -> HeldFile {
        held[file.number, default: 0] += 1
        return HeldFile(row: file, generation: generation)
    }

    func release(_ file: HeldFile) {
        guard isGood(file), let count = held[file.row.number] else { return }
        held[file.row.number] = count > 1 ? count - 1 : nil
    }

    /// Whether a file is still held.
    func isGood(_ file: HeldFile) -> Bool { file.generation == generation }

    /// Forgets what is held.
    func beginAnew() {
        generation += 1
        held = [:]
    }

    /// Compares lengths, which takes a microsecond or two.
    /// - Returns: what is wrong with the file, as the rest of a sentence.
    func survey(_ file: FileRow) -> String? {
        guard let stamp = FileStamp(path: path(of: file)) else { return "is missing" }
        guard stamp.isRegular else { return "is no regular file" }
        guard stamp.sizeBytes == file.sizeBytes else {
            return "has \(stamp.sizeBytes) bytes in the place of \(file.sizeBytes)"
        }
        return nil
    }

    /// Remembers what was found.
    /// - Returns: whether that is news.
    func note(_ file: FileRow, isBroken: Bool) -> Bool {
        isBroken ? broken.insert(file.number).inserted : broken.remove(file.number) != nil
    }

    /// The content of a file that is as it was written, `nil` of one that is not.
    func read(_ file: FileRow) -> [UInt8]? {
        guard let bytes = try? TextFile.read(path(of: file), maximum: Int(file.sizeBytes)),
            bytes.count == Int(file.sizeBytes), CRC32.checksum(of: bytes) == file.checksum
        else { return nil }
        return bytes
    }

    /// Writes a file for its owner and those of its group, whole or not at all.
    func write(_ bytes: [UInt8], as file: FileRow) throws(LedgerError) {
        do throws(SystemError) {
            try Directory.make(path, mode: 0o750)
            try AtomicFile.write(bytes, to: path(of: file), mode: 0o640)
        } catch {
            throw LedgerError(
                error.isDiskUnwritable ? .full : .other, operation: "write", path: path(of: file),
                message: error.description)
        }
    }

    /// Removes a file whose row is gone. One that cannot be removed is cleared away at a later start.
    func remove(_ file: FileRow) {
        try? Directory.remove(file: path(of: file))
        broken.remove(file.number)
    }

    /// Removes what writes left that did not come through: names of our own making that no row has. Whatever
    /// else lies there is left alone.
    func removeLeftovers(knowing files: [FileRow]) {
        let known = Set(files.map(\.name))
        // A directory that is not there holds nothing.
        for name in (try? Directory.names(in: path)) ?? [] where !known.contains(name) && Self.isOurs(name) {
            try? Directory.remove(file: "\(path)/\(name)")
        }
    }

    /// `17.png`, or `17.png.` and the six characters of a file that is being written (mkstemp(3)).
    static func isOurs(_ name: String) -> Bool {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        return (2...3).contains(parts.count) && parts[0].utf8.allSatisfy { (0x30...0x39).contains($0) }
            && !parts[0].isEmpty
            && CreativeFormat.allCases.contains { $0.fileExtension == parts[1] }
            && (parts.count == 2 || parts[2].utf8.count == 6)
    }
}
