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

    @Test(
        "The Swift host compiles as it stands, hosts the slot, and links the library's own parts alone",
        .needsNamespaces)
    func swiftHostWorks() throws {
        let code = try #require(try blocks("swift").first)
        #expect(code.split(separator: "\n", omittingEmptySubsequences: false).count <= 16)
        let scratch = try ScratchDirectory()
        // What the package manager builds for a program that names the product.
        let built = Programs.built
        let parts = ["AdslotClient", "VarlinkCore", "JSON", "LinuxBase", "CLinux"]
        let objects = try parts.flatMap { part in
            try FileManager.default.contentsOfDirectory(atPath: "\(built)/\(part).build")
                .filter { $0.hasSuffix(".o") }.map { "\(built)/\(part).build/\($0)" }
        }
        let compiled = try Finished.run(
            [
                "swiftc", "-swift-version", "6", try scratch.write(code, to: "main.swift"), "-o",
                scratch.file("host"), "-I", "\(built)/Modules", "-Xcc",
                "-fmodule-map-file=\(built)/CLinux.build/module.modulemap",
            ] + objects, within: .seconds(120))
        #expect(compiled.code == 0 && compiled.errors.isEmpty, "\(compiled)")
        let needed = try Finished.run(["readelf", "--dynamic", scratch.file("host")]).output
            .matches(of: /\[(lib|ld-)([^\]]*)\]/).map { "\($0.1)\($0.2)" }
        let foreign = needed.filter { name in
            !["libswift", "libc.", "libm.", "ld-linux"].contains { name.hasPrefix($0) }
        }
        #expect(!needed.isEmpty && foreign.isEmpty, "\(foreign)")

        let network = try Network()
        try network.wired()
        let daemon = try DaemonProcess(in: network, "", holds: .standard)
        // It looks where adslotctl does: for the user's own daemon first.
        let place = scratch.file("adslotd")
        try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: false)
        try FileManager.default.createSymbolicLink(
            atPath: "\(place)/socket", withDestinationPath: daemon.socket)
        let host = try Child(
            ["stdbuf", "--output=L", scratch.file("host")], environment: ["XDG_RUNTIME_DIR": scratch.path])
        for wanted in ["attached", "create banner 1", "show banner 1"] {
            _ = try host.output.wait(for: wanted)
        }
        #expect(try daemon.terminate() == 0)
        for wanted in ["hide banner 1", "release banner 1", "the daemon is stopping, next attempt in"] {
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
            "owner": ["campaign 3 is added", "Campaign 3 (Another day): outside its hours until"],
            "host": [
                "create ", "1 from house", "(expired)", "2 from house", "from test", "touches the banner",
                "is back", "hide ", "release ", "create ", "2 from house",
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
