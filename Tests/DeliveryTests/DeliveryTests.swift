import Foundation
import Testing

/// What a user gets besides the programs: units, set-up, demo, and the README's own code.
@Suite struct DeliveryTests {
    @Test("The units pass systemd's own check without a word")
    func unitsVerify() throws {
        let scratch = FileManager.default.temporaryDirectory.appending(
            path: "adslotd-units-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: scratch) }
        var paths: [String] = []
        for name in ["adslotd.service", "adslotd.socket"] {
            // The check wants the program to be there, so it is pointed at the one just built.
            let text = try Repository.text(of: "systemd/\(name)")
                .replacing("/usr/bin/adslotd", with: Repository.programs.appending(path: "adslotd").path)
            let path = scratch.appending(path: name)
            try text.write(to: path, atomically: true, encoding: .utf8)
            paths.append(path.path)
        }
        let outcome = try Repository.run("systemd-analyze", ["verify"] + paths)
        #expect(outcome.error == "")
        #expect(outcome.code == 0)
    }

    @Test("The service is ready by notification, watched, restarted, and leaves the socket's directory alone")
    func unitsSayWhatTheDaemonNeeds() throws {
        let service = try Repository.text(of: "systemd/adslotd.service").split(separator: "\n")
        for line in [
            "Type=notify", "WatchdogSec=30", "Restart=always", "RuntimeDirectory=adslotd",
            "RuntimeDirectoryPreserve=yes", "StateDirectory=adslotd",
        ] {
            #expect(service.contains(Substring(line)))
        }
    }

    @Test(
        "Sockets of the service manager, which come blocking, are served like our own",
        .timeLimit(.minutes(1)))
    func socketActivation() throws {
        let scratch = FileManager.default.temporaryDirectory.appending(
            path: "adslotd-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: scratch) }
        let socket = scratch.appending(path: "socket").path
        let activator = Process()
        activator.executableURL = URL(filePath: "/usr/bin/systemd-socket-activate")
        activator.arguments = [
            "--listen=\(socket)", Repository.programs.appending(path: "adslotd").path, "--state-directory",
            scratch.appending(path: "state").path,
        ]
        activator.standardError = FileHandle.nullDevice
        try activator.run()
        defer {
            activator.terminate()
            activator.waitUntilExit()
        }
        let deadline = ContinuousClock.now + .seconds(10)
        while !FileManager.default.fileExists(atPath: socket) {
            try #require(ContinuousClock.now < deadline, "nobody listens")
            usleep(20_000)
        }
        let control = Repository.programs.appending(path: "adslotctl").path
        // Twice: a daemon that waits in accept(2) for the next client never answers this one.
        for _ in 1...2 {
            let outcome = try Repository.run(control, ["--socket", socket, "slots"])
            #expect(outcome.code == 0, "\(outcome.error)")
        }
    }

    @Test("The set-up names every package once, and the package's system libraries are among them")
    func packagesAreListedOnce() throws {
        let setup = try Repository.text(of: ".ci/setup")
        let list = try #require(setup.firstRange(of: "packages=(")).upperBound
        let end = try #require(setup[list...].firstIndex(of: ")"))
        let packages = setup[list..<end].split(separator: "\n").map {
            $0.trimmingCharacters(in: .whitespaces)
        }
        .filter { !$0.isEmpty && !$0.hasPrefix("#") }
        #expect(Set(packages).count == packages.count)
        for match in try Repository.text(of: "Package.swift").matches(of: /\.apt\(\["([^"]+)"\]\)/) {
            #expect(packages.contains(String(match.1)))
        }
    }

    @Test("The demo shows a banner's whole life and a pause of work, and cleans up", .timeLimit(.minutes(2)))
    func demoShowsTheMainJob() throws {
        guard try Repository.run("unshare", ["--user", "--map-root-user", "--net", "true"]).code == 0 else {
            print("skipped: the demo's network needs user namespaces, which this machine does not allow")
            return
        }
        let outcome = try Repository.run("Tests/Demo/demo", [Repository.programs.path])
        #expect(outcome.code == 0, "\(outcome.error)")
        var rest = outcome.output[...]
        for wanted in [
            "game    │ registered", "host    │ create ", "host    │ show ", "touches the banner",
            "game    │ paused",
            "game    │ resumed", "cellular over ww0", "a connection is required", "host    │ hide ",
            "host    │ release ", "host    │ create ", "host    │ show ", "host    │ hide ", "(visible)",
            "● adslotd", "network │ done",
        ] {
            let found = rest.firstRange(of: wanted)
            #expect(found != nil, "'\(wanted)' is missing, or comes too early, in:\n\(outcome.output)")
            if let found { rest = rest[found.upperBound...] }
        }
    }
}
