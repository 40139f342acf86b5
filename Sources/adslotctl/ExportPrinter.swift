internal import Varlink

/// `ledger export`: prints rows as they come.
struct ExportPrinter {
    /// How long the next page may take.
    private static let timeout = Duration.seconds(30)

    private let format: ExportFormat

    init(_ format: ExportFormat) {
        self.format = format
    }

    /// Prints the rows of a span; when it returns, all have come.
    func print(_ client: VarlinkClient, _ span: Span) throws(Failure) {
        if format == .csv { try Output.line(CSV.header + "\r") }
        let replies: VarlinkReplies
        do throws(VarlinkClientError) {
            replies = try client.callMore(
                "org.adslotd.Ledger.Export", span.parameters, timeout: Self.timeout)
        } catch {
            throw Failure(error)
        }
        while let page = try next(replies) {
            let lines = (page["entries"]?.array ?? []).map { entry in
                switch format {
                case .jsonl: String(decoding: entry.encoded, as: UTF8.self)
                case .csv: CSV.line(entry) + "\r"
                }
            }
            if !lines.isEmpty { try Output.line(lines.joined(separator: "\n")) }
        }
    }

    private func next(_ replies: VarlinkReplies) throws(Failure) -> JSONObject? {
        do throws(VarlinkClientError) {
            return try replies.next(timeout: Self.timeout)
        } catch {
            throw Failure(error)
        }
    }
}

/// Rows as RFC 4180 has them. Moments are written as RFC 3339 has them, times in view in milliseconds.
enum CSV {
    private enum Manner {
        case text, plain, moment, milliseconds
    }

    private static let columns: [(name: String, manner: Manner)] = [
        ("sequence", .plain), ("id", .text), ("kind", .text), ("time", .moment), ("trusted", .plain),
        ("slot", .text), ("host", .text), ("source", .text), ("creative", .text), ("campaign", .text),
        ("path", .text), ("reason", .text), ("request", .plain), ("cpm", .plain), ("currency", .text),
        ("started", .moment), ("ended", .moment), ("visible", .milliseconds),
    ]

    static var header: String {
        columns.map { $0.manner == .milliseconds ? "\($0.name)Milliseconds" : $0.name }.joined(separator: ",")
    }

    /// A row, without its line's end.
    static func line(_ entry: JSONValue) -> String {
        columns.map { field(entry[$0.name] ?? .null, $0.manner) }.joined(separator: ",")
    }

    private static func field(_ value: JSONValue, _ manner: Manner) -> String {
        switch (value, manner) {
        case (.null, _): ""
        case (.integer(let number), .moment): WallText.format(number)
        case (.integer(let number), .milliseconds): "\(number / 1_000)"
        case (.string(let text), .text): quoted(text)
        case (.string(let text), _): text
        case (let other, _): String(decoding: other.encoded, as: UTF8.self)
        }
    }

    /// Text from outside must not become a formula in whoever's spreadsheet: what would be taken for one gets
    /// an apostrophe in front.
    static func quoted(_ text: String) -> String {
        let isFormula = text.first.map { "=+-@\t\r".contains($0) } ?? false
        let safe = isFormula ? "'" + text : text
        guard safe.utf8.contains(where: { [0x22, 0x2C, 0x0A, 0x0D].contains($0) }) else { return safe }
        return "\"" + safe.replacing("\"", with: "\"\"") + "\""
    }
}
