internal import AdslotClient
internal import LinuxSupport
internal import NetlinkWatcher
internal import Reachability
internal import Varlink

/// A connection to the daemon, and what the verbs do with it.
struct Session {
    /// How long an answer may take.
    static let timeout = Duration.seconds(10)
    /// How long a probe may take: the daemon asks name servers for up to ten seconds.
    static let probeTimeout = Duration.seconds(15)

    let options: Options
    let client: VarlinkClient
    let style = Style()

    /// Connects to the socket named, else to the user's own daemon, else to the service.
    init(_ options: Options) throws(Failure) {
        self.options = options
        var reasons: [String] = []
        for path in Product.sockets(named: options.socketPath) {
            do throws(VarlinkClientError) {
                client = try VarlinkClient(connectingTo: path)
                return
            } catch {
                reasons.append("no daemon at \(path) (\(error))")
            }
        }
        throw Failure(code: .noDaemon, message: reasons.joined(separator: "\n"))
    }

    func run(_ verb: Verb) throws(Failure) {
        switch verb {
        case .status: try show("org.adslotd.Manager.GetStatus") { StatusView($0, style).lines }
        case .links: try show("org.adslotd.Reachability.ListLinks") { LinksView.lines($0, style) }
        case .slots: try show("org.adslotd.Slots.List") { SlotsView.lines($0, style) }
        case .work: try show("org.adslotd.Work.List") { WorkView.lines($0, style) }
        case .explain(let slot):
            try show("org.adslotd.Slots.Explain", ["slot": .string(slot)]) { ExplainView.lines($0, style) }
        case .probe(let host):
            try show(
                "org.adslotd.Reachability.Probe", ["host": .string(host)], timeout: Self.probeTimeout
            ) { ProbeView.lines($0, style) }
        case .disable(let slot, let duration):
            var parameters: JSONObject = ["slot": .string(slot)]
            if let duration { parameters["forMicroseconds"] = .integer(duration.microseconds) }
            try order("org.adslotd.Slots.Disable", parameters, done: "slot \(slot) is disabled")
        case .enable(let slot):
            try order(
                "org.adslotd.Slots.Enable", ["slot": .string(slot)], done: "slot \(slot) is enabled")
        case .reload: try order("org.adslotd.Manager.Reload", done: "configuration read again")
        case .record(let path): try record(into: path)
        case .timeline(let span, let path): try draw(span, into: path)
        case .ledgerStatus:
            try show("org.adslotd.Ledger.GetStatus") { LedgerStatusView.lines($0, style) }
        case .export(let span, let format): try ExportPrinter(format).print(client, span)
        case .report(let span, let grouping):
            var parameters = span.parameters
            if let grouping { parameters["by"] = .string(grouping.rawValue) }
            try show("org.adslotd.Ledger.Report", parameters) { ReportView($0, by: grouping).lines(style) }
        case .campaign(let verb): try InventorySession(self).run(verb)
        case .creative(let verb): try InventorySession(self).run(verb)
        case .monitor: try follow("org.adslotd.Manager.Monitor") { [EventView.line($0, style)] }
        }
    }

    private func record(into path: String) throws(Failure) {
        let replay = try RecordTaker(client: client).take(into: path)
        let reply: JSONObject = ["file": .string(path), "records": .integer(Int64(replay.count))]
        if try !Output.json(reply, options.manner) { try Output.line("wrote \(path): \(replay.extent)") }
    }

    private func draw(_ span: Span, into path: String) throws(Failure) {
        let timeline = try TimelineTaker(client: client).take(span)
        try timeline.write(to: path)
        let reply: JSONObject = [
            "file": .string(path), "marks": .integer(Int64(timeline.marks.count)),
            "slots": .integer(Int64(timeline.counts.count)),
        ]
        if try !Output.json(reply, options.manner) {
            try Output.line("wrote \(path): \(timeline.counts.count) slots, \(timeline.marks.count) marks")
        }
    }

    func show(
        _ method: String, _ parameters: JSONObject = [:], timeout: Duration = Self.timeout,
        _ view: (JSONObject) -> [String]
    ) throws(Failure) {
        let reply = try call(method, parameters, timeout: timeout)
        guard try !Output.json(reply, options.manner) else { return }
        for line in view(reply) { try Output.line(line) }
    }

    /// Calls a method that answers nothing; people read what has been done.
    private func order(
        _ method: String, _ parameters: JSONObject = [:], done: String
    ) throws(Failure) {
        let reply = try call(method, parameters)
        if try !Output.json(reply, options.manner) { try Output.line(done) }
    }

    func call(
        _ method: String, _ parameters: JSONObject = [:], timeout: Duration = Self.timeout
    ) throws(Failure) -> JSONObject {
        do throws(VarlinkClientError) {
            return try client.call(method, parameters, timeout: timeout)
        } catch {
            throw Failure(error)
        }
    }

    /// Prints replies until the daemon ends them, or somebody ends us.
    private func follow(
        _ method: String, _ parameters: JSONObject = [:], _ view: (JSONObject) -> [String]
    ) throws(Failure) {
        let replies: VarlinkReplies
        do throws(VarlinkClientError) {
            replies = try client.callMore(method, parameters, timeout: Self.timeout)
        } catch {
            throw Failure(error)
        }
        while let reply = try next(replies) {
            guard try !Output.json(reply, options.manner) else { continue }
            for line in view(reply) { try Output.line(line) }
        }
    }

    func next(
        _ replies: VarlinkReplies, timeout: Duration? = nil
    ) throws(Failure) -> JSONObject? {
        do throws(VarlinkClientError) {
            return try replies.next(timeout: timeout)
        } catch {
            throw Failure(error)
        }
    }
}

extension Failure {
    /// What the daemon said, in a sentence.
    init(_ error: VarlinkClientError) {
        switch error {
        case .remote(let name, let parameters):
            self.init(code: .refused, message: Self.sentence(name, parameters))
        case .timedOut: self.init(code: .timedOut, message: "the daemon did not answer in time")
        case .cannotConnect: self.init(code: .noDaemon, message: error.description)
        case .connectionClosed, .malformedReply, .system:
            self.init(code: .refused, message: error.description)
        }
    }

    private static func sentence(_ name: String, _ parameters: JSONObject) -> String {
        if let error = AdslotError(remote: name, parameters) { return error.description }
        let message = parameters["message"]?.string ?? ""
        switch name {
        case "org.adslotd.Reachability.InvalidHost":
            return "'\(parameters["host"]?.string ?? "")' is no host: \(message)"
        case "org.adslotd.Reachability.ResolutionFailed":
            return "\(parameters["host"]?.string ?? ""): \(message)"
        case "org.adslotd.Manager.TooManyRecords":
            return "\(parameters["maximum"]?.integer ?? 0) flight records are being sent already"
        case "org.adslotd.Manager.ConfigurationInvalid":
            let line = parameters["line"]?.integer ?? 0
            let place = (parameters["file"]?.string ?? "") + (line > 0 ? ":\(line)" : "")
            return "\(place): \(message) (the old configuration stays in force)"
        case "org.adslotd.Ledger.Unavailable":
            return "the ledger cannot be read for now: \(message)"
        case "org.adslotd.Ledger.TooManyExports":
            return "\(parameters["maximum"]?.integer ?? 0) exports and timelines are under way already"
        case let name where name.hasPrefix("org.adslotd.Campaigns."):
            return InventorySession.sentence(name, parameters)
        case "org.adslotd.Manager.NotPermitted", "org.adslotd.Ledger.NotPermitted":
            return "not permitted: \(message)"
        case "org.varlink.service.InvalidParameter":
            return "the daemon does not take the value of '\(parameters["parameter"]?.string ?? "")'"
        case "org.varlink.service.MethodNotImplemented":
            return "\(parameters["method"]?.string ?? "this") is not part of this version of the daemon"
        default:
            return VarlinkClientError.remote(name: name, parameters: parameters).description
        }
    }
}
