internal import AdSlots
internal import LinuxSupport

/// What is paused at this moment, on disk before it is paused, so that whatever comes after a crash can
/// resume it: the next daemon, or `adslotd --resume-paused`.
///
/// A line for each target, each with the boot that it belongs to; the file is there only while something is
/// paused. It outlives this process but need not outlive the machine, since what it names does not either. So
/// where the state directory cannot be written, the runtime directory will do.
struct PausedRecord {
    private let boot: String
    private var entries: [WorkID: [PausedTarget]] = [:]
    /// What a daemon before this one paused and what is not resumed yet.
    private(set) var leftovers: [PausedTarget] = []
    private var file: RecordFile
    private var substitute: RecordFile?

    private static let heading = "# What adslotd has paused: the boot, and what. Nobody needs to edit it."

    /// - Parameters:
    ///   - directory: Where state is kept.
    ///   - runtimeDirectory: Where files go that need not outlive the machine, nil for nowhere.
    init(directory: String, runtimeDirectory: String?) throws(SystemError) {
        file = RecordFile(directory + "/paused")
        substitute = runtimeDirectory.map { RecordFile("\($0)/paused-\(Self.label(of: directory))") }
        boot = try Boot.identifier()
    }

    /// Tells the records of daemons apart that keep their state in different directories: the FNV-1a hash of
    /// its path, in hexadecimal digits.
    private static func label(of directory: String) -> String {
        let hash = directory.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) {
            ($0 ^ UInt64($1)) &* 0x100_0000_01b3
        }
        let digits = String(hash, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    /// What is recorded for a piece of work.
    subscript(work: WorkID) -> [PausedTarget] {
        get { entries[work] ?? [] }
        set { entries[work] = newValue.isEmpty ? nil : newValue }
    }

    /// Whether nothing is recorded.
    var isEmpty: Bool { entries.isEmpty && leftovers.isEmpty }

    /// A target that an earlier daemon paused has been resumed.
    mutating func resolve(_ target: PausedTarget) {
        leftovers.removeAll { $0 == target }
    }

    /// Brings the file to what is recorded now.
    /// - Returns: why it is not in the state directory, nil where it is.
    mutating func write() throws(SystemError) -> SystemError? {
        let targets = leftovers + entries.sorted { $0.key < $1.key }.flatMap(\.value)
        let lines = targets.map { "\(boot) \($0.text)" }
        do throws(SystemError) {
            try file.write(lines, under: Self.heading)
        } catch {
            guard try writeSubstitute(lines) else { throw error }
            return error
        }
        // What it says as well is resumed once more by whoever reads both, which does no harm.
        try? substitute?.write([], under: Self.heading)
        return nil
    }

    /// - Returns: whether there is another place.
    private mutating func writeSubstitute(_ lines: [String]) throws(SystemError) -> Bool {
        guard let path = substitute?.path else { return false }
        if !lines.isEmpty { try Directory.make(Directory.parent(of: path), mode: 0o755) }
        try substitute?.write(lines, under: Self.heading)
        return true
    }

    /// Takes over what an earlier daemon left, wherever it could write it.
    /// - Returns: what cannot be read of it, a sentence each. The file is kept aside then.
    mutating func load() -> [String] {
        var own = file
        var faults = load(&own)
        file = own
        if var other = substitute {
            faults += load(&other)
            substitute = other
        }
        return faults
    }

    private mutating func load(_ file: inout RecordFile) -> [String] {
        let (lines, bytes): ([(number: Int, text: String)], [UInt8])
        do throws(SystemError) {
            (lines, bytes) = try file.read()
        } catch {
            return [error.description]
        }
        var faults: [String] = []
        for (number, text) in lines {
            let words = text.split(separator: " ", maxSplits: 1)
            guard words.count == 2, words[0].count == boot.count, let target = PausedTarget(words[1]) else {
                faults.append("\(file.path):\(number): not understood: \(text.prefix(80).printable)")
                continue
            }
            // What was paused in another boot ended with it.
            if words[0] == boot, !leftovers.contains(target) { leftovers.append(target) }
        }
        if !faults.isEmpty {
            do throws(SystemError) {
                try file.keepAside(bytes)
            } catch {
                faults.append("not kept: \(error)")
            }
        }
        return faults
    }
}
