internal import Configuration
internal import Ledger
internal import Varlink

// org.adslotd.Ledger.
extension LedgerService {
    /// The interface as the server offers it.
    /// - Parameter access: who may do what, as it is then.
    func interface(access: @escaping () -> Access) -> VarlinkInterface {
        VarlinkInterface(
            name: "org.adslotd.Ledger", description: InterfaceText.ledger,
            methods: [
                "GetStatus": .reply { [unowned self] call throws(ParameterError) in
                    try call.expectNoParameters()
                    settle()
                    call.reply(statusReply())
                },
                "Export": .stream { [unowned self] call throws(ParameterError) in
                    let span = try call.read { parameters throws(ParameterError) in
                        try readSpan(&parameters)
                    }
                    guard access().mayOperate(call.peer) else {
                        return call.failNotPermitted("export the ledger", "Ledger")
                    }
                    settle()
                    export(span, call)
                },
                "Timeline": .stream { [unowned self] call throws(ParameterError) in
                    let span = try call.read { parameters throws(ParameterError) in
                        try readSpan(&parameters)
                    }
                    guard access().mayOperate(call.peer) else {
                        return call.failNotPermitted("read the timeline", "Ledger")
                    }
                    settle()
                    timeline(span, call)
                },
                "Report": .reply { [unowned self] call throws(ParameterError) in
                    let (span, grouping) = try call.read { parameters throws(ParameterError) in
                        (
                            try readSpan(&parameters),
                            try parameters.optionalChoice("by", of: ReportGrouping.self)
                        )
                    }
                    guard let loop else { return }
                    settle()
                    LedgerReporter(ledger.report(span, by: grouping), of: self, call).run(on: loop)
                },
            ])
    }

    private func statusReply() -> EncodedReply {
        let now = clocks()
        let status = ledger.status(at: now)
        return EncodedReply { writer in
            writer.key("status")
            writer.object { writer in
                writer.member("file", status.path)
                writer.member("failing", status.trouble?.description)
                writer.member("waiting", status.waiting)
                writer.member("lost", status.lost)
                writer.member("sizeBytes", status.sizeBytes)
                writer.member("sizeMaxBytes", settings.sizeMaxBytes)
                writer.member("retainDays", settings.retainDays)
                writer.member("first", status.first)
                writer.member("last", status.last)
                writer.member("oldest", status.oldest)
                writer.member("clockTrusted", now.isTrusted)
                writer.member("unsentNotices", notices?.count ?? 0)
                writer.member("oldestNotice", notices?.oldest)
            }
        }
    }
}

/// A span of the wall clock, of at most so many years around the epoch that sums never overflow.
private func readSpan(_ parameters: inout Parameters) throws(ParameterError) -> WallSpan {
    let span = WallSpan(
        since: try parameters.optionalInt("since").map { Int64($0) },
        until: try parameters.optionalInt("until").map { Int64($0) })
    for (name, moment) in [("since", span.since), ("until", span.until)] {
        if let moment, moment.magnitude > UInt64(Int64.max / 4) { throw ParameterError(name) }
    }
    if let since = span.since, let until = span.until, until < since { throw ParameterError("until") }
    return span
}

extension JSONWriter {
    mutating func members(of report: Report) {
        member("since", report.span.since)
        member("until", report.span.until)
        key("total")
        value(report.total)
        key("groups")
        array { writer in for group in report.groups { writer.value(group) } }
        member("isCut", report.isCut)
    }

    private mutating func value(_ group: Report.Group) {
        object { writer in
            writer.member("key", group.key)
            writer.member("requests", group.requests)
            writer.member("fills", group.fills)
            writer.member("noFills", group.noFills)
            writer.member("cancelled", group.cancelled)
            writer.member("shown", group.shown)
            writer.member("impressions", group.impressions)
            writer.member("actions", group.actions)
            writer.member("fillRate", group.fillRate)
            writer.member("viewableShare", group.viewableShare)
            writer.member("CTR", group.clickThroughRate)
            writer.key("revenue")
            writer.array { writer in
                for revenue in group.revenue {
                    writer.object { writer in
                        writer.member("currency", revenue.currency)
                        writer.member("amount", revenue.amount)
                        writer.member("eCPM", revenue.perThousand(of: group.impressions))
                        writer.member("RPM", revenue.perThousand(of: group.requests))
                    }
                }
            }
            writer.member("watched", group.watched)
            writer.member("unreachable", group.unreachable)
        }
    }

    private mutating func member(_ key: String, _ value: Double?) {
        self.key(key)
        if let value { self.value(value) } else { null() }
    }
}
