internal import AdSlots
internal import LinuxSupport

/// What is paused at this moment, on disk before it is paused, so that whatever comes after a crash can
/// resume it: the next daemon, or `adslotd --resume-paused`.
///
/// A line for each target, each with the boot that it belongs to; the file is there only while something is
/// paused. It outlives this process but need not outlive the machine, since what it names does not either.
struct PausedRecord {
    private let path: String
    private let boot: String
    private var entries: [WorkID: [PausedTarget]] = [:]
    /// What a daemon before this one paused and what is not resumed yet.
    private(set) var leftovers: [PausedTarget] = []
    /// What the file says, empty where there is none, nil where that is not known.
    private var written: [String]?

    private static let heading = "# What adslotd has paused: the boot, and what. Nobody needs to edit it."

    /// - Parameter directory: where state is kept.
    init(directory: String) throws(SystemError) {
        path = directory + "/paused"
        boot = try Boot.identifier()
    }

    /// What is recorded for a piece of work.
    subscript(work: WorkID) -> [PausedTarget] {
        get { entries[work] ?? [] }
        set { entries[work] = newValue.isEmpty ? nil : newValue }
    }

    /// A target that an earlier daemon paused has been resumed.
    mutating func resolve(_ target: PausedTarget) {
        leftovers.removeAll { $0 == target }
    }

    /// Brings the file to what is recorded now.
    mutating func write() throws(SystemError) {
        let targets = leftovers + entries.sorted { $0.key < $1.key }.flatMap(\.value)
        let lines = targets.map { "\(boot) \($0.text)" }
        guard lines != written else { return }
        if lines.isEmpty {
            try Directory.remove(file: path)
        } else {
            let text = ([Self.heading] + lines).joined(separator: "\n") + "\n"
            try AtomicFile.write(Array(text.utf8), to: path, survivesPowerLoss: false)
        }
        written = lines
    }

    /// Takes over what an earlier daemon left.
    /// - Returns: what cannot be read of it, a sentence each. The file is kept aside then.
    mutating func load() -> [String] {
        removeUnfinished()
        let bytes: [UInt8]
        do throws(SystemError) {
            bytes = try TextFile.read(path, maximum: Limits.pausedRecordBytesMax)
        } catch {
            written = nil
            return error.isMissing ? [] : [error.description]
        }
        var faults: [String] = []
        for (index, line) in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            .enumerated() where !line.isEmpty && line.first != UInt8(ascii: "#")
        {
            let text = String(decoding: line, as: UTF8.self)
            let words = text.split(separator: " ", maxSplits: 1)
            guard words.count == 2, words[0].count == boot.count, let target = PausedTarget(words[1]) else {
                faults.append("\(path):\(index + 1): not understood: \(text.prefix(80).printable)")
                continue
            }
            // What was paused in another boot ended with it.
            if words[0] == boot, !leftovers.contains(target) { leftovers.append(target) }
        }
        if !faults.isEmpty {
            do throws(SystemError) {
                try AtomicFile.write(bytes, to: path + ".damaged")
            } catch {
                faults.append("not kept: \(error)")
            }
        }
        return faults
    }

    /// A writer that was killed leaves the file that it would have renamed.
    private func removeUnfinished() {
        let directory = Directory.parent(of: path)
        for name in (try? Directory.names(in: directory)) ?? []
        where name.hasPrefix("paused.") && name != "paused.damaged" {
            try? Directory.remove(file: "\(directory)/\(name)")
        }
    }
}
