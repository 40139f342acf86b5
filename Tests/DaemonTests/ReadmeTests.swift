import Foundation
import Testing

@Suite("The README's promises hold", .ownThread)
struct ReadmeTests {
    /// The fenced blocks of one language.
    private func blocks(_ language: String) throws -> [String] {
        try Repository.text("README.md").components(separatedBy: "```").enumerated()
            .filter { $0.offset % 2 == 1 && $0.element.hasPrefix("\(language)\n") }
            .map { String($0.element.dropFirst(language.count + 1)) }
    }

    @Test("The Python host becomes the slot's host and draws, as it stands", .needsNamespaces)
    func pythonHostWorks() throws {
        let code = try #require(try blocks("python").first)
        #expect(code.split(separator: "\n").count <= 11)
        let network = try Network()
        try network.wired()
        let daemon = try DaemonProcess(in: network, "", holds: .standard)
        let host = try Child([
            "python3", "-u", "-c", code.replacing("/run/adslotd/socket", with: daemon.socket),
        ])
        for wanted in ["{'lease': '", "'kind': 'create'", "'kind': 'show'"] {
            _ = try host.output.wait(for: wanted)
        }
        #expect(host.errors.text == "")
    }

    @Test("The configuration is accepted")
    func configurationIsValid() throws {
        let scratch = try ScratchDirectory()
        let blocks = try blocks("ini")
        #expect(!blocks.isEmpty)
        for (index, block) in blocks.enumerated() {
            let file = try scratch.write(block, to: "\(index).conf")
            let outcome = try Finished.run([Programs.daemon, "--config", file, "--check-config"])
            #expect(outcome.code == 0, "\(outcome)")
        }
    }

    @Test("The scenario holds")
    func scenarioHolds() throws {
        let scratch = try ScratchDirectory()
        let file = try scratch.write(try #require(try blocks("scenario").first), to: "readme.scenario")
        let outcome = try Finished.run([Programs.control, "simulate", file])
        #expect(outcome.code == 0, "\(outcome)")
        #expect(outcome.output.contains("actionStarted"))
    }

    @Test("Every target of the make commands exists")
    func makeTargetsExist() throws {
        let makefile = try Repository.text("Makefile")
        let commands = try Repository.text("README.md").matches(of: /(?:`| {4})make ([a-z-]+)/)
        #expect(commands.count > 4)
        for command in commands {
            #expect(makefile.contains("\n\(command.1):"), "make \(command.1)")
        }
    }

    @Test(
        "The demo shows a banner's whole life and a pause of work, and cleans up", .needsNamespaces,
        .needs(.tap))
    func demoShowsTheMainJob() throws {
        let outcome = try Finished.run(
            [Repository.path("Tests/Demo/demo"), Programs.directory], within: .seconds(90))
        #expect(outcome.code == 0, "\(outcome)")
        // Each tells its part in order; how the parts interleave is the scheduler's affair.
        let parts = [
            "game": ["registered", "paused", "resumed"],
            "host": [
                "create ", "show ", "touches the banner", "is back", "hide ", "release ", "create ", "show ",
                "hide ",
                "(visible)",
            ],
            "adslotd": ["wifi over wl0", "cellular over ww0", "a connection is required", "wifi over wl0"],
        ]
        let lines = outcome.output.split(separator: "\n")
        for (who, wanted) in parts {
            var rest = lines.filter { $0.hasPrefix("\(who) ") }[...]
            for text in wanted {
                let found = rest.firstIndex { $0.contains(text) }
                #expect(found != nil, "'\(text)' is missing, or comes too early, in:\n\(outcome.output)")
                if let found { rest = rest[(found + 1)...] }
            }
        }
        #expect(lines.contains { $0.hasPrefix("● adslotd") })
    }
}
