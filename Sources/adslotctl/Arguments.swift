internal import Configuration

/// How replies are printed.
enum OutputManner: String, CaseIterable {
    /// For people.
    case off
    /// One line of JSON a reply, exactly its parameters.
    case short
    /// JSON over several lines.
    case pretty
}

/// What holds for every verb.
struct Options {
    var socketPath: String?
    var manner = OutputManner.off

    /// Takes an option that goes with every verb.
    /// - Returns: false for any other.
    mutating func take(_ option: inout GivenOption) throws(Failure) -> Bool {
        switch option.name {
        case "--socket": socketPath = try option.value()
        case "--json":
            // The value is optional nowhere: `--json status` would swallow the verb.
            guard let manner = option.takeAttached().flatMap({ OutputManner(rawValue: $0) }) else {
                throw .usage("--json takes =off, =short or =pretty")
            }
            self.manner = manner
        case "--no-pager": break
        default: return false
        }
        return true
    }
}

/// An option of the command line, with the value that is attached to it or the words that follow it.
struct GivenOption {
    let name: String
    private var attached: String?
    /// What follows, less the value once it was asked for.
    private(set) var rest: ArraySlice<String>

    init(_ argument: String, followedBy rest: ArraySlice<String>) {
        let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        name = parts.first.map(String.init) ?? ""
        attached = parts.count == 2 ? String(parts[1]) : nil
        self.rest = rest
    }

    /// The value that must be there.
    mutating func value() throws(Failure) -> String {
        guard let value = takeAttached() ?? rest.popFirst(), !value.isEmpty else {
            throw .usage("\(name) needs a value")
        }
        return value
    }

    /// The value after an equals sign.
    mutating func takeAttached() -> String? {
        defer { attached = nil }
        return attached
    }

    /// Refuses a value that nobody has asked for.
    func checkTaken() throws(Failure) {
        if attached != nil { throw .usage("\(name) takes no value") }
    }
}

/// What is to be done.
enum Verb {
    case status, links, slots, work, monitor, reload
    case ledgerStatus
    case export(Span, ExportFormat)
    case report(Span, by: ReportGrouping?)
    case timeline(Span, output: String)
    case campaign(CampaignVerb)
    case creative(CreativeVerb)
    case record(output: String)
    case explain(slot: String)
    case disable(slot: String, for: Duration?)
    case enable(slot: String)
    case probe(host: String)
}

/// Which slot is to be hosted, and how.
struct AttachRequest {
    let slot: String
    let width, height: Int
    let hidden: Bool
    let host: String?
    /// Whether to come back when the daemon does.
    let reconnect: Bool
}

/// The command line.
enum Arguments {
    case verb(Verb, Options)
    case attach(AttachRequest, Options)
    /// Needs no daemon.
    case replay(file: String, Options)
    /// Needs no daemon.
    case simulate(files: [String], Options)
    /// Gives that program's exit code.
    case runPaused(name: String, command: [String], Options)
    case version
    case help
    case inventoryHelp

    static let helpText = """
        adslotctl [OPTIONS] VERB ...

        Asks and tells the ad-slot daemon.

          status                 everything at a glance
          links                  every link, the kind given to it and why
          slots                  every slot
          work                   the time-critical work that is registered
          monitor                what happens from now on
          explain SLOT           why a slot shows what it shows
          disable SLOT [--for DURATION]
                                 take a slot from the screen, for a time such as 90s or 2h or until enabled
          enable SLOT            let it work again
          probe HOST             whether a host can be reached
          reload                 read the configuration again
          ledger status          how much is kept of what was requested, shown, seen and touched
          ledger export [--since TIME] [--until TIME] [--format jsonl|csv]
                                 print it, a line each; TIME is a moment such as 2026-11-30T12:00Z
                                 or how long ago, such as 24h
          report [--since TIME] [--until TIME] [--by slot|source|campaign|hour|path]
                                 sum it up, in whole hours
          timeline [--since TIME] [--until TIME] --output FILE
                                 draw it: one picture (SVG) of the network, the slots and the work, of the
                                 last 24h where nothing else is said
          campaign add|edit|list|show|remove|import|export ...
          creative add|edit|list|remove ...
                                 the house campaigns and what they show; --help after the word says more
          record --output FILE   write what the kernel said of late, and what was made of it, to a file
          replay FILE            what the recorded daemon posted, and when; needs no daemon
          simulate FILE...       run scenarios with a virtual clock; needs no daemon
          attach SLOT --viewport WxH [--hidden] [--host NAME] [--reconnect]
                                 become the slot's host and print each command

          run-paused NAME -- COMMAND...
                                 run a program that stands still while an ad action covers the screen,
                                 and pass its exit status on

          --socket PATH          the daemon's socket; else the user's own, then the service's
          --json=off|short|pretty
                                 print replies as JSON; short is one line a reply
          --no-pager             accepted for scripts: nothing is paged
          --version              print the version
          --help                 print this text

        Exit codes: 0 done, 1 refused, 2 wrong usage or a file that cannot be read, 3 timed out,
        8 no daemon; of run-paused the program's own, once it runs.
        """

    static func parse(_ arguments: [String]) throws(Failure) -> Arguments {
        var options = Options()
        var words: [String] = []
        var attach = AttachOptions()
        var answer: Arguments?
        var output: String?
        var duration: String?
        var command: [String]?
        var ledger = LedgerOptions()
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            if argument == "--" {
                command = Array(rest)
                break
            }
            guard argument.hasPrefix("-") else {
                words.append(argument)
                if words.count == 1, answer == nil, InventoryArguments.nouns.contains(argument) {
                    do throws(Failure) {
                        return try InventoryArguments.parse(argument, rest, options)
                    } catch {
                        throw error.helped(by: argument)
                    }
                }
                continue
            }
            var option = GivenOption(argument, followedBy: rest)
            switch option.name {
            case "--viewport": attach.viewport = try option.value()
            case "--hidden": attach.hidden = true
            case "--output": output = try option.value()
            case "--for": duration = try option.value()
            case "--since": ledger.since = try option.value()
            case "--until": ledger.until = try option.value()
            case "--format": ledger.format = try option.value()
            case "--by": ledger.grouping = try option.value()
            case "--host": attach.host = try option.value()
            case "--reconnect": attach.reconnect = true
            case "--version": answer = answer ?? .version
            case "--help", "-h": answer = answer ?? .help
            default:
                guard try options.take(&option) else { throw .usage("unknown option '\(argument)'") }
            }
            try option.checkTaken()
            rest = option.rest
        }
        if let answer { return answer }
        try check(words.first, attach, output: output, duration: duration)
        if words.first == "run-paused" {
            guard words.count == 2, let command, !command.isEmpty else {
                throw .usage("run-paused takes a name and a command, as in run-paused NAME -- COMMAND")
            }
            return .runPaused(name: words[1], command: command, options)
        }
        if command != nil { throw .usage("-- goes with run-paused") }
        ledger.output = output
        if let verb = try ledger.verb(words) { return .verb(verb, options) }
        if let arguments = try withoutSession(words, attach, options) { return arguments }
        return .verb(try verb(words, output: output, duration: duration), options)
    }

    private struct AttachOptions {
        var viewport: String?
        var hidden = false
        var host: String?
        var reconnect = false

        var isGiven: Bool { viewport != nil || hidden || host != nil || reconnect }
    }

    /// Each option goes with its verb.
    private static func check(
        _ name: String?, _ attach: AttachOptions, output: String?, duration: String?
    ) throws(Failure) {
        if attach.isGiven, name != "attach" {
            throw .usage("--viewport, --hidden, --host and --reconnect go with attach")
        }
        if duration != nil, name != "disable" { throw .usage("--for goes with disable") }
        if output != nil, name != "record", name != "timeline" {
            throw .usage("--output goes with record and timeline")
        }
    }

    /// What is more than questions to a daemon that must be there.
    private static func withoutSession(
        _ words: [String], _ attach: AttachOptions, _ options: Options
    ) throws(Failure) -> Arguments? {
        switch (words.first, words.count) {
        case ("replay", 2): return .replay(file: words[1], options)
        case ("simulate", 2...): return .simulate(files: Array(words.dropFirst()), options)
        case ("attach", 2):
            guard let text = attach.viewport else { throw .usage("attach needs --viewport WxH") }
            let sides = text.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
            guard sides.count == 2, let width = sides[0], let height = sides[1] else {
                throw .usage("--viewport takes a size such as 1280x720, not '\(text)'")
            }
            let request = AttachRequest(
                slot: words[1], width: width, height: height, hidden: attach.hidden, host: attach.host,
                reconnect: attach.reconnect)
            return .attach(request, options)
        default: return nil
        }
    }

    /// What the daemon is to be asked.
    private static func verb(
        _ words: [String], output: String?, duration: String?
    ) throws(Failure) -> Verb {
        guard let name = words.first else { throw .usage("no verb given") }
        switch (name, words.count) {
        case ("status", 1): return .status
        case ("links", 1): return .links
        case ("slots", 1): return .slots
        case ("work", 1): return .work
        case ("monitor", 1): return .monitor
        case ("reload", 1): return .reload
        case ("record", 1):
            guard let output else { throw .usage("record needs --output FILE") }
            return .record(output: output)
        case ("explain", 2): return .explain(slot: words[1])
        case ("enable", 2): return .enable(slot: words[1])
        case ("disable", 2):
            guard let duration else { return .disable(slot: words[1], for: nil) }
            guard let length = DurationText.parse(duration), length > .zero else {
                throw .usage("--for takes a time such as 90s, 5min or 2h, not '\(duration)'")
            }
            return .disable(slot: words[1], for: length)
        case ("probe", 2): return .probe(host: words[1])
        case ("explain", _), ("attach", _), ("disable", _), ("enable", _):
            throw .usage("\(name) takes the name of one slot")
        case ("replay", _): throw .usage("replay takes one file")
        case ("simulate", _): throw .usage("simulate takes one or more files")
        case ("probe", _): throw .usage("probe takes one host")
        case ("status", _), ("links", _), ("slots", _), ("work", _), ("monitor", _), ("reload", _),
            ("record", _):
            throw .usage("\(name) takes no further words")
        default: throw .usage("unknown verb '\(name)'")
        }
    }
}
