internal import AdslotService

/// A command line that makes no sense.
struct UsageError: Error {
    let message: String
}

/// What the command line asks for.
enum Arguments {
    case run(Daemon.Options)
    case checkConfiguration(files: [String])
    case resumePaused(stateDirectory: String?)
    case version
    case help

    static let helpText = """
        adslotd [OPTIONS]

        Knows whether this device can reach the network, and runs its ad slots accordingly.

          --config FILE            read this file instead of the system's; may be given again
          --socket PATH            listen there
          --state-directory DIR    keep state there
          --check-config           read the configuration, say whether it is valid, and end
          --resume-paused          resume what a daemon that is no more has paused, and end
          --verbose                log every change of a link and every request too
          --version                print the version
          --help                   print this text

        Without --config, /etc/adslotd/adslotd.conf and the drop-ins in adslotd.conf.d of /etc/adslotd,
        /run/adslotd and /usr/lib/adslotd are read. SIGHUP reads them again.
        """

    static func parse(_ arguments: [String]) throws(UsageError) -> Arguments {
        var options = Daemon.Options()
        var (isCheck, isResumption) = (false, false)
        var answer: Arguments?
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            // Both `--option VALUE` and `--option=VALUE`.
            let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            var attached = parts.count == 2 ? String(parts[1]) : nil
            func value() throws(UsageError) -> String {
                defer { attached = nil }
                guard let value = attached ?? rest.popFirst(), !value.isEmpty else {
                    throw UsageError(message: "\(parts[0]) needs a value")
                }
                return value
            }
            switch parts.first ?? "" {
            case "--config": options.configurationFiles.append(try value())
            case "--socket": options.socketPath = try value()
            case "--state-directory": options.stateDirectory = try value()
            case "--check-config": isCheck = true
            case "--resume-paused": isResumption = true
            case "--verbose": options.verbose = true
            case "--version": answer = answer ?? .version
            case "--help", "-h": answer = answer ?? .help
            default: throw UsageError(message: "unknown argument '\(argument)'")
            }
            if attached != nil { throw UsageError(message: "\(parts[0]) takes no value") }
        }
        if let answer { return answer }
        if isResumption { return .resumePaused(stateDirectory: options.stateDirectory) }
        return isCheck ? .checkConfiguration(files: options.configurationFiles) : .run(options)
    }
}
