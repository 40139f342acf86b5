import Glibc
import Testing

/// A text file of the repository.
struct TextFile: Sendable, CustomStringConvertible {
    /// The path from the repository's root.
    let path: String
    let text: String

    var description: String { path }

    /// The lines, without their ends.
    let lines: [Substring]

    init(path: String, text: String) {
        self.path = path
        self.text = text
        lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            .map { Substring($0) }
    }

    /// Whether some words stand anywhere in it.
    func mentions(_ words: String) -> Bool { unsafe strstr(text, words) != nil }
}

/// The repository that these tests were built from.
enum Repository {
    /// The root, three levels above this file.
    static let root: String = {
        let parts = #filePath.split(separator: "/", omittingEmptySubsequences: false)
        return parts.dropLast(3).joined(separator: "/")
    }()

    /// The files under a directory whose names end as said, in the order of their paths.
    static func files(under directory: String, endingIn suffix: String) -> [TextFile] {
        paths(under: directory).filter { $0.hasSuffix(suffix) }.sorted().compactMap { path in
            read(path).map { TextFile(path: path, text: $0) }
        }
    }

    /// A file's text, nil where there is none.
    static func read(_ path: String) -> String? {
        guard let file = unsafe fopen("\(root)/\(path)", "r") else { return nil }
        defer { _ = unsafe fclose(file) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65536)
        while true {
            let count = unsafe fread(&chunk, 1, chunk.count, file)
            bytes += chunk.prefix(count)
            if count < chunk.count { return String(decoding: bytes, as: UTF8.self) }
        }
    }

    private static func paths(under directory: String) -> [String] {
        guard let stream = unsafe opendir("\(root)/\(directory)") else { return [] }
        defer { _ = unsafe closedir(stream) }
        var found: [String] = []
        while let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { field in
                unsafe field.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
            }
            if name.hasPrefix(".") { continue }
            let isDirectory = unsafe entry.pointee.d_type == UInt8(DT_DIR)
            found += isDirectory ? paths(under: "\(directory)/\(name)") : ["\(directory)/\(name)"]
        }
        return found
    }
}
