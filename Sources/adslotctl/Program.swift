internal import LinuxSupport
internal import NetlinkWatcher

@main
struct Program {
    static func main() {
        Exit.with(run(Array(CommandLine.arguments.dropFirst())))
    }

    private static func run(_ arguments: [String]) -> Int32 {
        do throws(Failure) {
            // Without it a closed standard output's number would go to the socket of the daemon.
            try? StandardStream.openClosed()
            switch try Arguments.parse(arguments) {
            case .help: try Output.line(Arguments.helpText)
            case .inventoryHelp: try Output.line(InventoryArguments.helpText)
            case .version: try Output.line("adslotctl \(Product.version)")
            case .replay(let file, let options):
                try ReplayView(Replay(file: file), Style()).print(options.manner)
            case .simulate(let files, let options):
                return try SimulateView(manner: options.manner).run(files).rawValue
            case .attach(let request, let options): try TerminalHost(request, options).run()
            case .runPaused(let name, let command, let options):
                return try PausedRun(name, command, options).run()
            case .verb(let verb, let options): try Session(options).run(verb)
            }
            return ExitCode.done.rawValue
        } catch {
            if error.code != .outputClosed {
                try? StandardStream.error.writeLine("adslotctl: \(error.message)")
            }
            return error.code.rawValue
        }
    }
}

/// The exit codes that scripts rely on.
enum ExitCode: Int32 {
    /// What was asked for is done.
    case done = 0
    /// The daemon refused; the message is on standard error.
    case refused = 1
    /// The command line makes no sense, or a file that it names.
    case usage = 2
    /// No answer in time.
    case timedOut = 3
    /// No daemon at that socket.
    case noDaemon = 8
    /// Whoever read our output is gone; the shell's code for a death by SIGPIPE.
    case outputClosed = 141
}

/// Why the program ends without having done what was asked for.
struct Failure: Error {
    let code: ExitCode
    let message: String

    static func usage(_ message: String) -> Failure {
        Failure(code: .usage, message: "\(message)\nTry 'adslotctl --help'.")
    }

    /// The same, with the help of one verb named.
    func helped(by verb: String) -> Failure {
        Failure(
            code: code, message: message.replacing("'adslotctl --help'", with: "'adslotctl \(verb) --help'"))
    }
}
