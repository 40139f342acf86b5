internal import LinuxSupport
internal import Varlink

/// The ledger's state for people.
enum LedgerStatusView {
    static func lines(_ reply: JSONObject, _ style: Style) -> [String] {
        let status = reply["status"] ?? .null
        func number(_ key: String) -> Int64 { status[key]?.integer ?? 0 }
        func field(_ name: String, _ text: String) -> String { ReachabilityView.field(name, text, style) }
        let trouble = status["failing"]?.string
        let state = trouble.map { "cannot be written: \($0)" } ?? "is kept"
        // Of a file that cannot even be read.
        let isUnknown = trouble != nil && number("sizeBytes") == 0
        let size = isUnknown ? "unknown" : megabytes(number("sizeBytes"))
        let none = isUnknown ? "unknown" : "none"
        let rows = number("last") == 0 ? none : "\(number("first")) to \(number("last"))"
        let trust =
            status["clockTrusted"]?.bool == true ? "synchronised" : "not synchronised: no row is too old"
        var lines = [
            style.paint("●", trouble == nil ? .green : .red)
                + " \(status["file"]?.string ?? "?") \(state)".printable,
            field("Rows", rows + (number("oldest") == 0 ? "" : ", since \(clockText(status["oldest"]))")),
            field(
                "Size",
                "\(size) of \(megabytes(number("sizeMaxBytes"))), "
                    + "\(number("retainDays")) days are kept"),
            field("Clock", trust),
            field(
                "Notices",
                "\(number("unsentNotices")) wait to be sent"
                    + (number("unsentNotices") == 0 ? "" : ", since \(clockText(status["oldestNotice"]))")),
        ]
        if number("waiting") > 0 || number("lost") > 0 {
            lines.append(field("In memory", "\(number("waiting")) changes wait, \(number("lost")) were lost"))
        }
        return lines
    }

    private static func megabytes(_ bytes: Int64) -> String {
        "\(bytes >> 20).\((bytes >> 10) % 1_024 * 10 / 1_024) MiB"
    }
}

/// A report for people.
struct ReportView {
    private let reply: JSONObject
    private let grouping: ReportGrouping?

    init(_ reply: JSONObject, by grouping: ReportGrouping?) {
        self.reply = reply
        self.grouping = grouping
    }

    func lines(_ style: Style) -> [String] {
        let name = (grouping?.rawValue ?? "").uppercased()
        var table = Table([
            name, "REQUESTS", "FILLS", "FILL RATE", "SHOWN", "IMPRESSIONS", "VIEWABLE", "ACTIONS",
            "CTR", "REVENUE", "eCPM", "RPM", "NOT REACHABLE",
        ])
        for group in reply["groups"]?.array ?? [] { table.add(row(group, key(group))) }
        table.add(row(reply["total"] ?? .null, Table.Cell("total", .bold)))
        var lines = table.lines(style)
        if reply["isCut"]?.bool == true { lines.append("there are more groups than are shown") }
        lines.append("")
        lines += [
            "\(moment("since", or: "the beginning")) to \(moment("until", or: "now")), in whole hours.",
            "Fill rate: fills of the requests that were not cancelled.",
            "Viewable: impressions of the ads shown. CTR: actions of the impressions.",
            "eCPM: revenue of 1000 impressions. RPM: revenue of 1000 requests.",
            "Not reachable: of the time in which the network was watched.",
        ].map { style.paint($0, .faint) }
        return lines
    }

    private func moment(_ key: String, or words: String) -> String {
        reply[key]?.integer.map { WallText.format($0) } ?? words
    }

    private func key(_ group: JSONValue) -> Table.Cell {
        let key = group["key"]?.string ?? ""
        if grouping == .hour, let moment = Int64(key) { return Table.Cell(WallText.format(moment)) }
        return key.isEmpty ? Table.Cell("-", .faint) : Table.Cell(key)
    }

    private func row(_ group: JSONValue, _ key: Table.Cell) -> [Table.Cell] {
        func count(_ name: String) -> Table.Cell { Table.Cell("\(group[name]?.integer ?? 0)") }
        func revenue(_ name: String) -> Table.Cell {
            let amounts = (group["revenue"]?.array ?? []).compactMap { revenue in
                revenue[name]?.string.map { "\($0) \(revenue["currency"]?.string ?? "")" }
            }
            return amounts.isEmpty ? Table.Cell("-", .faint) : Table.Cell(amounts.joined(separator: ", "))
        }
        return [
            key, count("requests"), count("fills"), percent(group["fillRate"]), count("shown"),
            count("impressions"), percent(group["viewableShare"]), count("actions"), percent(group["CTR"]),
            revenue("amount"), revenue("eCPM"), revenue("RPM"), unreachable(group),
        ]
    }

    private func unreachable(_ group: JSONValue) -> Table.Cell {
        guard let time = group["unreachable"]?.integer, let watched = group["watched"]?.integer else {
            return Table.Cell("-", .faint)
        }
        return Table.Cell("\(text(time)) of \(text(watched))", time > 0 ? .yellow : nil)
    }

    private func text(_ microseconds: Int64) -> String {
        let seconds = microseconds / 1_000_000
        let (hours, minutes) = (seconds / 3_600, seconds / 60 % 60)
        if hours > 0 { return "\(hours)h \(minutes)min" }
        return minutes > 0 ? "\(minutes)min \(seconds % 60)s" : "\(seconds)s"
    }

    /// Per cent with one digit, rounded.
    private func percent(_ value: JSONValue?) -> Table.Cell {
        let ratio: Double
        switch value {
        case .double(let number): ratio = number
        case .integer(let number): ratio = Double(number)
        default: return Table.Cell("-", .faint)
        }
        let tenths = Int64((ratio * 1_000).rounded())
        return Table.Cell("\(tenths / 10).\(tenths % 10) %")
    }
}
