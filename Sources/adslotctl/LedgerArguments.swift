internal import Configuration
internal import LinuxSupport
internal import Reachability
internal import Timeline
internal import Varlink

/// A span of the wall clock, in microseconds since the Unix epoch.
struct Span {
    var since: Int64?
    var until: Int64?

    /// As the methods of org.adslotd.Ledger take it.
    var parameters: JSONObject {
        var parameters: JSONObject = [:]
        if let since { parameters["since"] = .integer(since) }
        if let until { parameters["until"] = .integer(until) }
        return parameters
    }
}

/// How exported rows are printed.
enum ExportFormat: String, CaseIterable {
    /// One object of JSON a line.
    case jsonl
    /// RFC 4180, with a header.
    case csv
}

/// What a report groups by, as the wire has it.
enum ReportGrouping: String, CaseIterable {
    case slot, source, campaign, hour, path
}

/// The options of the verbs that read the ledger, as they were given.
struct LedgerOptions {
    var since, until, format, grouping: String?
    /// The file that a picture goes to.
    var output: String?

    /// The verb, `nil` where the words are of another one.
    func verb(_ words: [String]) throws(Failure) -> Verb? {
        let name = words.prefix(2).joined(separator: " ")
        switch (words.first, name) {
        case ("ledger", "ledger export") where words.count == 2:
            if grouping != nil { throw .usage("--by goes with report") }
            let format = try Self.choice("--format", format, of: ExportFormat.self)
            return .export(try span(), format ?? .jsonl)
        case ("ledger", "ledger status") where words.count == 2:
            guard since == nil, until == nil, format == nil, grouping == nil else {
                throw .usage("ledger status takes no span of time")
            }
            return .ledgerStatus
        case ("ledger", _): throw .usage("ledger takes one of status and export")
        case ("report", "report"):
            if format != nil { throw .usage("--format goes with ledger export") }
            return .report(try span(), by: try Self.choice("--by", grouping, of: ReportGrouping.self))
        case ("report", _): throw .usage("report takes no further words")
        case ("timeline", "timeline"):
            guard format == nil, grouping == nil else {
                throw .usage("timeline takes --since, --until and --output")
            }
            guard let output else { throw .usage("timeline needs --output FILE") }
            return .timeline(try timelineSpan(), output: output)
        case ("timeline", _): throw .usage("timeline takes no further words")
        case (_, _):
            guard since == nil, until == nil, format == nil, grouping == nil else {
                throw .usage("--since, --until, --format and --by go with ledger export, report and timeline")
            }
            return nil
        }
    }

    private func span() throws(Failure) -> Span {
        let now = SystemClock.realtime()
        let span = Span(
            since: try Self.moment("--since", since, now: now),
            until: try Self.moment("--until", until, now: now))
        if let since = span.since, let until = span.until, until < since {
            throw .usage("--until is before --since")
        }
        return span
    }

    /// A day where nothing else is said, and no more than a picture shows.
    private func timelineSpan() throws(Failure) -> Span {
        var options = self
        if options.since == nil { options.since = "24h" }
        let span = try options.span()
        let length = (span.until ?? SystemClock.realtime()) - (span.since ?? 0)
        guard Timeline.Limits.spanMicroseconds.contains(length) else {
            throw .usage("a timeline shows a second at the least, and 366 days at the most")
        }
        return span
    }

    private static func moment(_ option: String, _ text: String?, now: Int64) throws(Failure) -> Int64? {
        guard let text else { return nil }
        if let ago = DurationText.parse(text) { return now - ago.microseconds }
        if let moment = WallText.parse(text) { return moment }
        throw .usage(
            "\(option) takes a moment such as 2026-11-30 or 2026-11-30T12:00Z, or how long ago, such as 24h; "
                + "not '\(text)'")
    }

    private static func choice<Choice: RawRepresentable<String> & CaseIterable>(
        _ option: String, _ text: String?, of _: Choice.Type
    ) throws(Failure) -> Choice? {
        guard let text else { return nil }
        guard let choice = Choice(rawValue: text) else {
            let known = Choice.allCases.map(\.rawValue).joined(separator: ", ")
            throw .usage("\(option) takes one of \(known), not '\(text)'")
        }
        return choice
    }
}
