internal import AdslotService
internal import LinuxSupport

@main
struct Program {
    static func main() {
        Exit.with(run(Array(CommandLine.arguments.dropFirst())))
    }

    /// Runs the program and gives its exit code: 0 done, 1 refused, 2 wrong usage.
    private static func run(_ arguments: [String]) -> Int32 {
        do throws(UsageError) {
            switch try Arguments.parse(arguments) {
            case .help: return print(Arguments.helpText)
            case .version: return print("adslotd \(Product.version)")
            case .checkConfiguration(let files): return check(files)
            case .resumePaused(let directory): return resume(directory)
            case .run(let options): return serve(options)
            }
        } catch {
            complain("\(error.message)\nTry 'adslotd --help'.")
            return 2
        }
    }

    private static func check(_ files: [String]) -> Int32 {
        do throws(ConfigurationError) {
            let read = try ConfigurationFiles(named: files).read().files
            return print(
                read.isEmpty
                    ? "no configuration files: the defaults are in force"
                    : "valid: " + read.joined(separator: " "))
        } catch {
            complain(error.description)
            return 1
        }
    }

    private static func resume(_ stateDirectory: String?) -> Int32 {
        do throws(SystemError) {
            return try PausedWork.resume(stateDirectory: stateDirectory) ? 0 : 1
        } catch {
            complain(error.description)
            return 1
        }
    }

    private static func serve(_ options: Daemon.Options) -> Int32 {
        do {
            try Signals.prepare()
            return try Daemon(options: options).run()
        } catch {
            complain("\(error)")
            return 1
        }
    }

    private static func print(_ text: String) -> Int32 {
        (try? StandardStream.output.writeLine(text)) == nil ? 1 : 0
    }

    private static func complain(_ text: String) {
        try? StandardStream.error.writeLine("adslotd: \(text)")
    }
}
