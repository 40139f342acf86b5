import Foundation

/// The repository that this test stands in, and programs run from it.
enum Repository {
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// Where the build put the programs: beside the test bundle.
    static var programs: URL {
        Bundle.allBundles.lazy.map(\.bundleURL).first { $0.pathExtension == "xctest" }?
            .deletingLastPathComponent()
            ?? URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
    }

    static func text(of path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    /// What a program came to.
    struct Outcome {
        let code: Int32
        let output: String
        let error: String
    }

    /// Runs a program to its end.
    static func run(
        _ program: String, _ arguments: [String], environment: [String: String] = [:]
    ) throws -> Outcome {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [program] + arguments
        process.currentDirectoryURL = root
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        let scratch = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: scratch) }
        // Files rather than pipes: nobody has to read while the program runs.
        let files = try ["out", "err"].map { name in
            let file = scratch.appending(path: name)
            try Data().write(to: file)
            return (file, try FileHandle(forWritingTo: file))
        }
        process.standardOutput = files[0].1
        process.standardError = files[1].1
        process.standardInput = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        return Outcome(
            code: process.terminationStatus,
            output: try String(contentsOf: files[0].0, encoding: .utf8),
            error: try String(contentsOf: files[1].0, encoding: .utf8))
    }
}
