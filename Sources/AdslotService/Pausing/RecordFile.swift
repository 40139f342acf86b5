internal import LinuxSupport

/// One file that a ``PausedRecord`` is kept in: lines under a heading, and no file where there are none.
struct RecordFile {
    let path: String
    /// What it says, empty where there is none, nil where that is not known.
    private var written: [String]?

    init(_ path: String) {
        self.path = path
    }

    /// Brings the file to these lines.
    mutating func write(_ lines: [String], under heading: String) throws(SystemError) {
        guard lines != written else { return }
        if lines.isEmpty {
            try Directory.remove(file: path)
        } else {
            let text = ([heading] + lines).joined(separator: "\n") + "\n"
            try AtomicFile.write(Array(text.utf8), to: path, survivesPowerLoss: false)
        }
        written = lines
    }

    /// The lines but for empty ones and comments, each with its number, and all that there is.
    mutating func read() throws(SystemError) -> (lines: [(number: Int, text: String)], bytes: [UInt8]) {
        removeUnfinished()
        let bytes: [UInt8]
        do throws(SystemError) {
            bytes = try TextFile.read(path, maximum: Limits.pausedRecordBytesMax)
        } catch {
            guard error.isMissing else { throw error }
            written = []
            return ([], [])
        }
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            .enumerated().filter { !$0.element.isEmpty && $0.element.first != UInt8(ascii: "#") }
        return (lines.map { ($0.offset + 1, String(decoding: $0.element, as: UTF8.self)) }, bytes)
    }

    /// Keeps what it was aside.
    func keepAside(_ bytes: [UInt8]) throws(SystemError) {
        try AtomicFile.write(bytes, to: path + ".damaged")
    }

    /// A writer that was killed leaves the file that it would have renamed.
    private func removeUnfinished() {
        let directory = Directory.parent(of: path)
        let prefix = path.dropFirst(directory.utf8.count).drop { $0 == "/" } + "."
        for name in (try? Directory.names(in: directory)) ?? []
        where name.hasPrefix(prefix) && name != prefix + "damaged" {
            try? Directory.remove(file: "\(directory)/\(name)")
        }
    }
}
