import Foundation

/// The programs under test, beside the test bundle unless ADSLOTD_PROGRAMS names another directory.
enum Programs {
    static let directory: String = {
        ProcessInfo.processInfo.environment["ADSLOTD_PROGRAMS"] ?? built
    }()

    /// Where the package manager has built everything, this test bundle too.
    static let built: String = {
        let bundle = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        return bundle.deletingLastPathComponent().path
    }()

    static var daemon: String { "\(directory)/adslotd" }
    static var control: String { "\(directory)/adslotctl" }
    static var networkLab: String { "\(directory)/network-lab" }
    static var networkManager: String { "\(directory)/network-manager-mock" }
    static var systemd: String { "\(directory)/systemd-mock" }
}

/// A directory that goes away with this object.
final class ScratchDirectory {
    let path: String

    init() throws {
        let base = ProcessInfo.processInfo.environment["TMPDIR"] ?? "/tmp"
        var template = Array("\(base)/adslotd-XXXXXX".utf8CString)
        guard unsafe mkdtemp(&template) != nil else { throw CocoaError(.fileWriteUnknown) }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// The path of something inside.
    func file(_ name: String) -> String { "\(path)/\(name)" }

    /// Writes a file and gives its path.
    @discardableResult
    func write(_ text: String, to name: String) throws -> String {
        try text.write(toFile: file(name), atomically: true, encoding: .utf8)
        return file(name)
    }
}
