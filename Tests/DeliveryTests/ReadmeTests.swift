import Foundation
import Testing

/// The README's promises that a machine can keep watch over.
@Suite struct ReadmeTests {
    /// The fenced blocks of one language.
    private func blocks(_ language: String) throws -> [String] {
        try Repository.text(of: "README.md").components(separatedBy: "```").enumerated()
            .filter { $0.offset % 2 == 1 && $0.element.hasPrefix("\(language)\n") }
            .map { String($0.element.dropFirst(language.count + 1)) }
    }

    @Test("The Python host of the README becomes the slot's host, as it stands")
    func pythonHostWorks() throws {
        let code = try #require(try blocks("python").first)
        #expect(code.split(separator: "\n").count <= 11)
        let scratch = FileManager.default.temporaryDirectory.appending(
            path: "adslotd-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: scratch) }
        let socket = scratch.appending(path: "socket").path
        let daemon = Process()
        daemon.executableURL = Repository.programs.appending(path: "adslotd")
        daemon.arguments = ["--socket", socket, "--state-directory", scratch.appending(path: "state").path]
        daemon.standardError = FileHandle.nullDevice
        try daemon.run()
        defer {
            daemon.terminate()
            daemon.waitUntilExit()
        }
        let control = Repository.programs.appending(path: "adslotctl").path
        let deadline = ContinuousClock.now + .seconds(20)
        while try Repository.run(control, ["--socket", socket, "slots"]).code != 0 {
            try #require(ContinuousClock.now < deadline, "the daemon did not come up")
            usleep(20_000)
        }

        let host = code.replacing("/run/adslotd/socket", with: socket)
        // It runs until the daemon goes, so it is stopped after the first reply.
        let outcome = try Repository.run("timeout", ["2", "python3", "-u", "-c", host])
        #expect(outcome.error == "")
        #expect(outcome.output.hasPrefix("{'parameters': {'lease': '"))
    }

    @Test("The configuration of the README is accepted, and says the defaults")
    func configurationIsValid() throws {
        for (index, block) in try blocks("ini").enumerated() {
            let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).conf")
            try block.write(to: file, atomically: true, encoding: .utf8)
            defer { try? FileManager.default.removeItem(at: file) }
            let outcome = try Repository.run(
                Repository.programs.appending(path: "adslotd").path,
                ["--config", file.path, "--check-config"])
            #expect(outcome.code == 0, "block \(index): \(outcome.error)")
        }
    }

    @Test("Every target of the README's make commands exists")
    func makeTargetsExist() throws {
        let makefile = try Repository.text(of: "Makefile")
        for match in try Repository.text(of: "README.md").matches(of: /make ([a-z]+)/) {
            #expect(makefile.contains("\n\(match.1):"), "make \(match.1)")
        }
    }
}
