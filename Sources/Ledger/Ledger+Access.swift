internal import LinuxSupport

extension Ledger {
    /// Earlier versions let everybody read the file and its copies, which say who was shown what.
    func restrictFiles() {
        let directory = Directory.parent(of: path)
        for name in (try? Directory.names(in: directory)) ?? [] where name.hasPrefix(Self.fileName) {
            // On a disk that cannot be written they stay as they are.
            try? FileMode.restrict("\(directory)/\(name)")
        }
    }
}
