import Foundation
import LinuxSupport
import Testing
import Varlink

/// Work that the daemon pauses itself, as long as this object or its process lives.
final class PausedWork {
    private let replies: Replies
    let lease: String

    /// Registers it; `parameters` say what it is.
    init(on daemon: DaemonProcess, name: String = "game", _ parameters: JSONObject) throws {
        var all = parameters
        all["name"] = .string(name)
        replies = try daemon.connect().open("org.adslotd.Work.Register", all)
        lease = try #require(try replies.next()["lease"]?.string)
    }

    /// Registers a process.
    convenience init(
        on daemon: DaemonProcess, _ name: String = "game", process pid: pid_t, group: Bool = false
    ) throws {
        try self.init(
            on: daemon, name: name, ["kind": "process", "pid": .integer(Int64(pid)), "group": .bool(group)])
    }

    /// The next instruction, which must be of this kind.
    func expect(_ kind: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let told = try replies.next()["instruction"]?["kind"]?.string
        #expect(told == kind, sourceLocation: sourceLocation)
    }

    /// The message of the InvalidTarget with which the registration must end.
    func end() throws -> String {
        do {
            while true { _ = try replies.next() }
        } catch let refusal as Refusal {
            #expect(refusal.name == "org.adslotd.Work.InvalidTarget")
            return try refusal.parameters.text("message")
        }
    }

    /// Closes its connection.
    func die() { replies.close() }
}

/// A program that is alive by what it counts, and stands still by what it does not.
enum Busy {
    /// Threads that count all the time, a little each.
    static func threads(_ count: Int) throws -> Child {
        try Child(["setsid", "python3", "-c", script, "\(count)"])
    }

    private static let script = """
        import sys, threading, time
        def work():
            while True:
                sum(range(2000))
                time.sleep(0.001)
        for _ in range(int(sys.argv[1])): threading.Thread(target=work, daemon=True).start()
        print("ready", flush=True)
        time.sleep(600)
        """
}

/// What the kernel says of processes.
enum Processes {
    /// The letters of a process's threads, in no order.
    static func states(of pid: pid_t) -> [Character] {
        let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/task")) ?? []
        return tasks.compactMap { task in
            guard let text = try? String(contentsOfFile: "/proc/\(pid)/task/\(task)/stat", encoding: .utf8),
                let end = text.lastIndex(of: ")")
            else { return nil }
            return text[end...].dropFirst(2).first
        }
    }

    /// Whether every thread is stopped.
    static func isStopped(_ pid: pid_t) -> Bool {
        let states = states(of: pid)
        return !states.isEmpty && states.allSatisfy { $0 == "T" }
    }

    /// Waits until a process is stopped, or is not.
    static func wait(for pid: pid_t, stopped: Bool) throws {
        let deadline = Deadline()
        while isStopped(pid) != stopped {
            guard deadline.pause() else {
                throw NotInTime(what: "process \(pid), stopped \(stopped)", account: "\(states(of: pid))")
            }
        }
    }

    /// The children of a process.
    static func children(of pid: pid_t) -> [pid_t] {
        let path = "/proc/\(pid)/task/\(pid)/children"
        let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
        return text.split(separator: " ").compactMap { pid_t($0) }
    }

    /// Waits until a process has so many children.
    static func children(of pid: pid_t, count: Int) throws -> [pid_t] {
        let deadline = Deadline()
        while true {
            let found = children(of: pid)
            if found.count == count { return found }
            guard deadline.pause() else { throw NotInTime(what: "\(count) children", account: "\(found)") }
        }
    }
}

/// A control group that goes away with this object, and the processes in it.
final class ScratchControlGroup {
    /// Beneath the mount of the hierarchy.
    let path: String
    private let hierarchy: ControlGroupHierarchy

    /// Whether control groups can be made here, and why not.
    static let obstacle: String? = {
        do {
            _ = try ScratchControlGroup()
            return nil
        } catch {
            return "no control groups here: \(error)"
        }
    }()

    init(
        _ name: String = "adslotd-test-\(getpid())-\(UInt32.random(in: 0 ... .max))", in outer: String? = nil
    )
        throws
    {
        let found = try #require(try ControlGroupHierarchy.find(), "none is mounted")
        let place = try outer ?? #require(try found.ownPath())
        hierarchy = found
        path = place.isEmpty ? name : place + "/" + name
        try ControlGroup.make(path, in: found)
        // An old kernel has no freezer.
        _ = try ControlGroup(path: path, in: found).isToldToFreeze()
    }

    /// Whether there is a group of that name in this process's own.
    static func exists(_ name: String) throws -> Bool {
        guard let hierarchy = try ControlGroupHierarchy.find() else { return false }
        return FileManager.default.fileExists(
            atPath: "\(hierarchy.mountPoint)/\(try hierarchy.ownPath() ?? "")/\(name)")
    }

    /// Removes what somebody left in this process's own group.
    static func remove(_ name: String) {
        guard let hierarchy = try? ControlGroupHierarchy.find(), let own = try? hierarchy.ownPath() else {
            return
        }
        let deadline = Deadline(after: .seconds(5))
        let path = "\(hierarchy.mountPoint)/\(own)/\(name)"
        while unsafe rmdir(path) < 0, errno == EBUSY, deadline.pause() {}
    }

    private var directory: String { "\(hierarchy.mountPoint)/\(path)" }

    /// Puts a process into it.
    func add(_ pid: pid_t) throws { try write("\(pid)", to: "cgroup.procs") }

    /// Whether it was told to freeze.
    var isFrozen: Bool {
        (try? String(contentsOfFile: "\(directory)/cgroup.freeze", encoding: .utf8)) == "1\n"
    }

    /// Whether all in it stands still.
    var standsStill: Bool {
        (try? String(contentsOfFile: "\(directory)/cgroup.events", encoding: .utf8))?
            .contains("frozen 1") ?? false
    }

    /// Waits until it is frozen, or is not.
    func wait(frozen: Bool) throws {
        let deadline = Deadline()
        while isFrozen != frozen {
            guard deadline.pause() else { throw NotInTime(what: "\(path) frozen: \(frozen)", account: "") }
        }
    }

    /// Freezes or thaws it, as somebody else than the daemon.
    func freeze(_ isOn: Bool) throws { try write(isOn ? "1" : "0", to: "cgroup.freeze") }

    /// Gives its directory to a user.
    func give(to user: uid_t) throws { try #require(unsafe chown(directory, user, gid_t(user)) == 0) }

    /// Removes it.
    func remove() {
        try? write("0", to: "cgroup.freeze")
        try? write("1", to: "cgroup.kill")
        let deadline = Deadline(after: .seconds(5))
        while unsafe rmdir(directory) < 0, errno == EBUSY, deadline.pause() {}
    }

    private func write(_ text: String, to name: String) throws {
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: "\(directory)/\(name)"))
        try file.write(contentsOf: Data(text.utf8))
    }

    deinit { remove() }
}

extension Trait where Self == ConditionTrait {
    /// The test is skipped, with the reason, where no control groups can be made.
    static var needsControlGroups: Self {
        .enabled(
            if: ScratchControlGroup.obstacle == nil,
            Comment(rawValue: ScratchControlGroup.obstacle ?? ""))
    }
}
