import Foundation

/// A process that ends with this object at the latest.
final class Child {
    /// What it writes.
    let output: OutputLog
    let errors: OutputLog
    let pid: pid_t

    private let input: FileHandle
    private let exit = ExitWatch()

    /// Starts a program, found along PATH.
    init(_ command: [String], environment: [String: String] = [:]) throws {
        _ = Self.preparation
        var variables = ProcessInfo.processInfo.environment
        // What a service manager or a login around the tests says is not meant for the daemon under test.
        for name in ["NOTIFY_SOCKET", "LISTEN_FDS", "LISTEN_PID", "JOURNAL_STREAM", "XDG_RUNTIME_DIR"] {
            variables[name] = nil
        }
        variables.merge(environment) { _, new in new }
        let (pid, pipes) = try Self.start(command, variables)
        self.pid = pid
        input = pipes[0].fileHandleForWriting
        output = OutputLog(pipes[1].fileHandleForReading)
        errors = OutputLog(pipes[2].fileHandleForReading)
        let waiter = Thread { [exit] in exit.note(Self.result(of: pid)) }
        waiter.stackSize = 64 << 10
        waiter.start()
    }

    /// One child starts at a time, so that none inherits the ends of another's pipes: those would stay open,
    /// and the end of the output unseen, for as long as that one lives. (Foundation's Process has that fault
    /// in how it notices the end of a process, and is not used for it.)
    private static let starting = NSLock()

    /// Starts a process with pipes for its three streams, no signal blocked and none ignored: Dispatch blocks
    /// nearly all of them on its threads, and a test run in the background may ignore SIGINT.
    private static func start(
        _ command: [String], _ environment: [String: String]
    ) throws -> (pid_t, [Pipe]) {
        try starting.withLock {
            let pipes = [Pipe(), Pipe(), Pipe()]
            let theirs = [pipes[0].fileHandleForReading] + pipes[1...].map(\.fileHandleForWriting)
            let ours = [pipes[0].fileHandleForWriting] + pipes[1...].map(\.fileHandleForReading)
            for handle in theirs + ours { _ = fcntl(handle.fileDescriptor, F_SETFD, FD_CLOEXEC) }
            var actions = unsafe posix_spawn_file_actions_t()
            unsafe posix_spawn_file_actions_init(&actions)
            defer { unsafe posix_spawn_file_actions_destroy(&actions) }
            for (stream, handle) in theirs.enumerated() {
                unsafe posix_spawn_file_actions_adddup2(&actions, handle.fileDescriptor, CInt(stream))
            }
            var attributes = posix_spawnattr_t()
            unsafe posix_spawnattr_init(&attributes)
            defer { unsafe posix_spawnattr_destroy(&attributes) }
            var (none, all) = (sigset_t(), sigset_t())
            unsafe sigemptyset(&none)
            unsafe sigfillset(&all)
            unsafe posix_spawnattr_setsigmask(&attributes, &none)
            unsafe posix_spawnattr_setsigdefault(&attributes, &all)
            unsafe posix_spawnattr_setflags(
                &attributes, CShort(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
            let arguments = unsafe command.map { unsafe strdup($0) } + [nil]
            let variables = unsafe environment.map { unsafe strdup("\($0.key)=\($0.value)") } + [nil]
            defer { unsafe (arguments + variables).forEach { unsafe free($0) } }
            var pid: pid_t = 0
            let code = unsafe posix_spawnp(&pid, command[0], &actions, &attributes, arguments, variables)
            guard code == 0 else {
                throw NotInTime(
                    what: "the start of \(command[0])", account: unsafe String(cString: strerror(code)))
            }
            for handle in theirs { try? handle.close() }
            return (pid, pipes)
        }
    }

    /// Waits for the end of a child: its exit code, or, negative, the signal that ended it.
    private static func result(of pid: pid_t) -> Int32 {
        var status: CInt = 0
        while unsafe waitpid(pid, &status, 0) < 0, errno == EINTR {}
        let signal = status & 0x7F
        return signal == 0 ? status >> 8 & 0xFF : -signal
    }

    deinit {
        if exit.code == nil { _ = kill(pid, SIGKILL) }
        // No zombie stays, and nothing that it held is in the way of the next test.
        _ = try? exit.wait(within: Deadline.patience)
    }

    /// Sends a signal.
    func signal(_ number: CInt) {
        guard exit.code == nil else { return }
        _ = kill(pid, number)
    }

    /// Writes to its standard input.
    func write(_ text: String) throws {
        try input.write(contentsOf: Data(text.utf8))
    }

    /// Closes its standard input.
    func closeInput() {
        try? input.close()
    }

    /// The exit code, negative the signal that ended it, `nil` while it runs.
    var exitCode: Int32? { exit.code }

    /// Waits for its end.
    /// - Returns: the exit code, or, negative, the signal that ended it.
    @discardableResult
    func waitForExit(within duration: Duration = Deadline.patience) throws -> Int32 {
        do {
            let code = try exit.wait(within: duration)
            try output.waitForEnd()
            try errors.waitForEnd()
            return code
        } catch {
            throw NotInTime(what: "the end of process \(pid)", account: errors.text)
        }
    }

    /// Writing to a process that has ended must be an error, not the end of the tests.
    private static let preparation: Void = { _ = Foundation.signal(SIGPIPE, SIG_IGN) }()
}

/// The exit code of a process, once it has one.
private final class ExitWatch: @unchecked Sendable {
    private let condition = NSCondition()
    private var result: Int32?

    var code: Int32? { condition.withLock { result } }

    func note(_ code: Int32) {
        condition.withLock {
            result = code
            condition.broadcast()
        }
    }

    func wait(within duration: Duration) throws -> Int32 {
        let end = Date(timeIntervalSinceNow: duration.seconds)
        return try condition.withLock {
            while true {
                if let result { return result }
                guard condition.wait(until: end) else {
                    if let result { return result }
                    throw NotInTime(what: "the end of a process", account: "")
                }
            }
        }
    }
}

/// A program that has run to its end.
struct Finished: CustomStringConvertible {
    let code: Int32
    let output: String
    let errors: String

    var description: String { "exit code \(code)\n\(output)\n\(errors)" }

    /// Runs a program to its end.
    static func run(
        _ command: [String], environment: [String: String] = [:],
        within duration: Duration = Deadline.patience
    ) throws -> Finished {
        let child = try Child(command, environment: environment)
        child.closeInput()
        let code = try child.waitForExit(within: duration)
        return Finished(code: code, output: child.output.text, errors: child.errors.text)
    }
}
