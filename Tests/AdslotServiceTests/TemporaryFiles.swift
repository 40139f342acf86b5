import Glibc
import LinuxSupport
import Testing

@testable import AdslotService

/// A directory of its own for one test, removed with all it holds at the end.
final class TemporaryFiles {
    let path: String

    init() throws {
        path = "/tmp/adslot-service-\(getpid())-\(UInt64.random(in: 0 ... .max))"
        try Directory.make(path, mode: 0o700)
    }

    deinit {
        Self.removeTree(path)
    }

    /// The path of a name in it.
    func callAsFunction(_ name: String) -> String { "\(path)/\(name)" }

    /// Writes a file, and the directories above it; its path.
    @discardableResult
    func write(_ name: String, _ text: String) throws -> String {
        try write(name, Array(text.utf8))
    }

    @discardableResult
    func write(_ name: String, _ bytes: [UInt8]) throws -> String {
        let path = self(name)
        try Directory.make(Directory.parent(of: path), mode: 0o700)
        let file = try unsafe #require(fopen(path, "w"))
        let written = unsafe fwrite(bytes, 1, bytes.count, file)
        let closed = unsafe fclose(file)
        try #require(written == bytes.count && closed == 0)
        return path
    }

    /// The error that reading these files ends with, its path without the directory.
    func refusal(of names: [String]) -> String? {
        let files = ConfigurationFiles(named: names.map { self($0) })
        do throws(ConfigurationError) {
            _ = try files.read()
            return nil
        } catch {
            let prefix = "\(path)/"
            return error.description.split(separator: prefix, omittingEmptySubsequences: false).joined()
        }
    }

    /// The same for one file of this text.
    func refusal(ofText text: String) throws -> String? {
        try write("a.conf", text)
        return refusal(of: ["a.conf"])
    }

    private static func removeTree(_ path: String) {
        if unsafe unlink(path) == 0 { return }
        for name in (try? Directory.names(in: path)) ?? [] { removeTree("\(path)/\(name)") }
        _ = unsafe rmdir(path)
    }
}
