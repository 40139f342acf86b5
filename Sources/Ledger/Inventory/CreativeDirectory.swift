internal import LinuxSupport

/// The files of creatives, each named after its number. What the rows say of a file and what lies on the disk
/// may come apart; then the file is broken, and nobody is told of it.
final class CreativeDirectory {
    let path: String
    private var broken: Set<Int64> = []

    /// Names the directory; it is made with the first file.
    init(_ path: String) {
        self.path = path
    }

    func path(of file: FileRow) -> String { "\(path)/\(file.name)" }

    /// Whether a file was found to be something else than was written.
    func isBroken(_ file: FileRow) -> Bool { broken.contains(file.number) }

    /// Compares lengths, which takes a microsecond or two.
    /// - Returns: what is wrong with the file, as the rest of a sentence.
    func survey(_ file: FileRow) -> String? {
        guard let stamp = FileStamp(path: path(of: file)) else { return "is missing" }
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
}
