import Foundation

/// A process that ends with this object at the latest.
final class Child {
    /// What it writes.
    let output: OutputLog
    let errors: OutputLog
    let pid: pid_t

    private let process = Process()
    private let input = Pipe()
    private let exit = ExitWatch()

    /// Starts a program, found along PATH.
    init(_ command: [String], environment: [String: String] = [:]) throws {
        _ = Self.preparation
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        // Whoever runs the tests in the background may have had SIGINT ignored, which a child inherits.
        process.arguments = ["--default-signal"] + command
        var variables = ProcessInfo.processInfo.environment
        // What a service manager or a login around the tests says is not meant for the daemon under test.
        for name in ["NOTIFY_SOCKET", "LISTEN_FDS", "LISTEN_PID", "JOURNAL_STREAM", "XDG_RUNTIME_DIR"] {
            variables[name] = nil
        }
        variables.merge(environment) { _, new in new }
        process.environment = variables
        let (outputPipe, errorPipe) = (Pipe(), Pipe())
        process.standardInput = input
        process.standardOutput = outputPipe
        process.standardError = errorPipe
        process.terminationHandler = { [exit] process in
            let status = process.terminationStatus
            exit.note(process.terminationReason == .exit ? status : -status)
        }
        // Dispatch blocks nearly all signals on its threads, and a child inherits what its thread blocks.
        var (none, blocked) = (sigset_t(), sigset_t())
        _ = unsafe sigemptyset(&none)
        _ = unsafe pthread_sigmask(SIG_SETMASK, &none, &blocked)
        defer { _ = unsafe pthread_sigmask(SIG_SETMASK, &blocked, nil) }
        try process.run()
        pid = process.processIdentifier
        output = OutputLog(outputPipe.fileHandleForReading)
        errors = OutputLog(errorPipe.fileHandleForReading)
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
        try input.fileHandleForWriting.write(contentsOf: Data(text.utf8))
    }

    /// Closes its standard input.
    func closeInput() {
        try? input.fileHandleForWriting.close()
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
