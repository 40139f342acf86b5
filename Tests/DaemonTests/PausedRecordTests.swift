import Foundation
import Testing
import Varlink

@Suite("Nothing stays paused, however the daemon ends", .ownThread, .needsNamespaces)
struct PausedRecordTests {
    @Test("The record names what is paused while it is, and is gone when nothing is")
    func record() throws {
        let stage = try Stage()
        let game = try Child(["sleep", "600"])
        let work = try PausedWork(on: stage.daemon, process: game.pid)
        let record = stage.daemon.directory.file("state/paused")
        #expect(!FileManager.default.fileExists(atPath: record))
        let action = try stage.host.click()
        let text = try String(contentsOfFile: record, encoding: .utf8)
        let boot = try String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8)
        let line = try #require(text.split(separator: "\n").first { !$0.hasPrefix("#") })
        #expect(line.hasPrefix(boot.dropLast() + " process \(game.pid) "))
        try stage.host.finish(action)
        try Processes.wait(for: game.pid, stopped: false)
        #expect(try stage.daemon.work()?.text("state") == "running")
        #expect(!FileManager.default.fileExists(atPath: record))
        work.die()
    }

    @Test("Stopped in order, the daemon resumes everything", arguments: [SIGTERM, SIGINT])
    func stops(signal: CInt) throws {
        let stage = try Stage()
        let game = try Child(["sleep", "600"])
        let group = try? ScratchControlGroup()
        let work = try PausedWork(on: stage.daemon, "process", process: game.pid)
        let other = try group.map {
            try PausedWork(on: stage.daemon, name: "group", ["kind": "cgroup", "path": .string($0.path)])
        }
        _ = try stage.host.click()
        #expect(Processes.isStopped(game.pid))
        stage.daemon.signal(signal)
        #expect(try stage.daemon.child.waitForExit() == 0)
        #expect(!Processes.isStopped(game.pid))
        #expect(group?.isFrozen != true)
        #expect(!FileManager.default.fileExists(atPath: stage.daemon.directory.file("state/paused")))
        work.die()
        other?.die()
    }

    @Test("Killed, what it had paused goes on when the next one starts")
    func killed() throws {
        let stage = try Stage()
        let game = try Child(["sleep", "600"])
        let group = try? ScratchControlGroup()
        let works = try works(on: stage.daemon, game, group)
        _ = try stage.host.click()
        try stage.daemon.killNow()
        #expect(Processes.isStopped(game.pid))
        #expect(group?.isFrozen != false)
        let next = try DaemonProcess(in: stage.network, directory: stage.daemon.directory)
        #expect(!Processes.isStopped(game.pid))
        #expect(group?.isFrozen != true)
        try next.log.wait(for: "resumed process \(game.pid)")
        #expect(!FileManager.default.fileExists(atPath: next.directory.file("state/paused")))
        for work in works { work.die() }
    }

    @Test("Killed for good, what it had paused goes on by --resume-paused")
    func resumedWithout() throws {
        let stage = try Stage()
        let game = try Child(["sleep", "600"])
        let group = try? ScratchControlGroup()
        let works = try works(on: stage.daemon, game, group)
        _ = try stage.host.click()
        try stage.daemon.killNow()
        let command = [
            Programs.daemon, "--resume-paused", "--state-directory", stage.daemon.directory.file("state"),
        ]
        for _ in 1...2 {
            let result = try Finished.run(command)
            #expect(result.code == 0, "\(result)")
            #expect(!Processes.isStopped(game.pid))
            #expect(group?.isFrozen != true)
        }
        for work in works { work.die() }
    }

    @Test("Where there is no record there is nothing to resume")
    func nothingToResume() throws {
        let result = try Finished.run(
            [Programs.daemon, "--resume-paused", "--state-directory", ScratchDirectory().file("none")])
        #expect(result.code == 0, "\(result)")
    }

    private func works(
        on daemon: DaemonProcess, _ game: Child, _ group: ScratchControlGroup?
    ) throws -> [PausedWork] {
        var works = [try PausedWork(on: daemon, "process", process: game.pid)]
        if let group {
            works.append(
                try PausedWork(on: daemon, name: "group", ["kind": "cgroup", "path": .string(group.path)]))
        }
        return works
    }

    @Test("A number that was used again, and what another boot left, are not touched")
    func recycled() throws {
        let stopped = try Child(["sleep", "600"])
        stopped.signal(SIGSTOP)
        try Processes.wait(for: stopped.pid, stopped: true)
        let group = try? ScratchControlGroup()
        try group?.freeze(true)
        let boot = try String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8).dropLast()
        let start = try startTicks(of: stopped.pid)
        let directory = try ScratchDirectory()
        try directory.write(
            """
            \(boot) process \(stopped.pid) \(start - 1)
            00000000-0000-0000-0000-000000000000 process \(stopped.pid) \(start)
            \(boot) cgroup 1 \(group?.path ?? "x")
            \(boot) process 4194304 5

            """, to: "paused")
        let result = try Finished.run(
            [Programs.daemon, "--resume-paused", "--state-directory", directory.path])
        #expect(result.code == 0, "\(result)")
        #expect(Processes.isStopped(stopped.pid))
        #expect(group?.isFrozen != false)
        #expect(!FileManager.default.fileExists(atPath: directory.file("paused")))
        #expect(!FileManager.default.fileExists(atPath: directory.file("paused.damaged")))

        try directory.write("\(boot) process \(stopped.pid) \(start)\n", to: "paused")
        _ = try Finished.run([Programs.daemon, "--resume-paused", "--state-directory", directory.path])
        #expect(!Processes.isStopped(stopped.pid))
    }

    @Test("A damaged record is kept aside, and what can be read of it is resumed")
    func damaged() throws {
        let stopped = try Child(["sleep", "600"])
        stopped.signal(SIGSTOP)
        try Processes.wait(for: stopped.pid, stopped: true)
        let boot = try String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8).dropLast()
        let directory = try ScratchDirectory()
        let text = """
            # heading
            \(boot) process one two
            \(boot) process \(stopped.pid) \(try startTicks(of: stopped.pid))
            \(boot) pro
            """
        try directory.write(text, to: "paused")
        try directory.write("half", to: "paused.a1b2c3")
        let result = try Finished.run(
            [Programs.daemon, "--resume-paused", "--state-directory", directory.path])
        #expect(result.code == 0, "\(result)")
        for line in [2, 4] {
            #expect(
                result.errors.contains("\(directory.file("paused")):\(line): not understood"), "\(result)")
        }
        #expect(!Processes.isStopped(stopped.pid))
        #expect(try String(contentsOfFile: directory.file("paused.damaged"), encoding: .utf8) == text)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: directory.path) == ["paused.damaged"])
    }

    private func startTicks(of pid: pid_t) throws -> UInt64 {
        let text = try String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8)
        let fields = try #require(text.split(separator: ")").last).split(separator: " ")
        return try #require(UInt64(fields[19]))
    }

    @Test("What cannot be recorded is not paused, and the action does not wait for it")
    func unwritable() throws {
        let runtime = try ScratchDirectory()
        let stage = try Stage(
            "[Actions]\nPauseTimeout=200ms\n",
            // Neither here nor there.
            environment: ["RUNTIME_DIRECTORY": runtime.write("", to: "file")])
        let game = try Child(["sleep", "600"])
        let work = try PausedWork(on: stage.daemon, process: game.pid)
        // A directory in the file's place: not even root writes over that.
        let record = stage.daemon.directory.file("state/paused")
        try FileManager.default.createDirectory(atPath: record, withIntermediateDirectories: false)
        let action = try stage.host.click()
        #expect(!Processes.isStopped(game.pid))
        try stage.daemon.log.wait(for: "nothing is paused that is not recorded")
        try stage.host.finish(action)
        try FileManager.default.removeItem(atPath: record)
        let again = try stage.host.click()
        #expect(Processes.isStopped(game.pid))
        try stage.host.finish(again)
        work.die()
        #expect(try stage.daemon.terminate() == 0)

        // Nor does it keep the next daemon from starting.
        try FileManager.default.createDirectory(atPath: record, withIntermediateDirectories: false)
        let next = try DaemonProcess(in: stage.network, directory: stage.daemon.directory)
        try next.log.wait(for: "\(record): Is a directory, ignoring")
    }

    @Test(
        "On a disk that cannot be written work is paused all the same, and goes on whoever comes after",
        arguments: [
            "mount -o remount,ro STATE", "dd if=/dev/zero of=STATE/ballast bs=4k 2>/dev/null || true",
        ],
        [true, false])
    func substitute(spoil: String, byDaemon: Bool) throws {
        let (network, directory, runtime) = (try Network(), try ScratchDirectory(), try ScratchDirectory())
        let state = directory.file("state")
        try network.wired()
        try network.shell("mkdir \(state) && mount -t tmpfs -o size=1m tmpfs \(state)")
        // A file system with a file that is being written cannot be made read-only.
        let isAtStart = spoil.hasPrefix("mount")
        if isAtStart { try network.shell(spoil.replacing("STATE", with: state)) }
        let environment = ["RUNTIME_DIRECTORY": runtime.file("run")]
        let daemon = try DaemonProcess(
            in: network, BannerTests.eager + Stage.patient, directory: directory, environment: environment)
        let host = try Host(on: daemon)
        try host.waitUntilShown()
        let game = try Child(["sleep", "600"])
        let work = try PausedWork(on: daemon, process: game.pid)
        if !isAtStart { try network.shell(spoil.replacing("STATE", with: state)) }
        func records() -> [String] {
            (try? FileManager.default.contentsOfDirectory(atPath: runtime.file("run"))) ?? []
        }
        for _ in 1...2 {
            let action = try host.click()
            #expect(Processes.isStopped(game.pid))
            #expect(records().count == 1, "\(records())")
            try host.finish(action)
            try Processes.wait(for: game.pid, stopped: false)
            #expect(records().isEmpty)
        }
        #expect(daemon.log.text.split(separator: "\n").count { $0.contains("in the runtime directory") } == 1)
        _ = try host.click()
        try daemon.killNow()
        #expect(Processes.isStopped(game.pid))
        if byDaemon {
            let next = try DaemonProcess(in: network, directory: directory, environment: environment)
            try next.log.wait(for: "resumed process \(game.pid)")
        } else {
            let result = try Finished.run(
                network.inside([Programs.daemon, "--resume-paused", "--state-directory", state]),
                environment: environment)
            #expect(result.code == 0, "\(result)")
        }
        #expect(!Processes.isStopped(game.pid))
        #expect(records().isEmpty)
        work.die()
    }
}
