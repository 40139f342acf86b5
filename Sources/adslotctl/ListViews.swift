internal import LinuxSupport
internal import Varlink

/// The slots for people.
enum SlotsView {
    static func lines(_ reply: JSONObject, _ style: Style) -> [String] {
        var table = Table([
            "SLOT", "STATE", "SHOWS", "REASON", "HOST", "NEXT ATTEMPT", "REQUESTS", "FILLS", "IMPRESSIONS",
            "ACTIONS", "LAST ERROR",
        ])
        for slot in reply["slots"]?.array ?? [] {
            let error = slot["lastError"]?.string
            table.add([
                Table.Cell(slot["name"]?.string ?? "?"), state(slot), shows(slot),
                Table.Cell(slot["reason"]?.string ?? "-"), optional(slot["host"]?.string),
                optional(slot["nextAttempt"]?.integer.map { SystemClock.localText($0) }),
                count(slot, "requests"), count(slot, "fills"), count(slot, "impressions"),
                count(slot, "actions"),
                error.map { Table.Cell($0, .yellow) } ?? optional(nil),
            ])
        }
        return table.lines(style)
    }

    private static func state(_ slot: JSONValue) -> Table.Cell {
        let state = slot["state"]?.string ?? "?"
        switch state {
        case "shown", "acting": return Table.Cell(state, .green)
        case "loading", "hidden": return Table.Cell(state, .yellow)
        case "waiting": return Table.Cell(state, .red)
        default: return Table.Cell(state, .faint)
        }
    }

    private static func shows(_ slot: JSONValue) -> Table.Cell {
        guard let creative = slot["creative"], let id = creative["id"]?.string else { return optional(nil) }
        let width = creative["size"]?["width"]?.integer ?? 0
        let height = creative["size"]?["height"]?.integer ?? 0
        return Table.Cell("\(id) \(width)x\(height) from \(creative["source"]?.string ?? "?")")
    }

    private static func count(_ slot: JSONValue, _ key: String) -> Table.Cell {
        Table.Cell("\(slot[key]?.integer ?? 0)")
    }

    fileprivate static func optional(_ text: String?) -> Table.Cell {
        text.map { Table.Cell($0) } ?? Table.Cell("-", .faint)
    }
}

/// The work for people.
enum WorkView {
    static func lines(_ reply: JSONObject, _ style: Style) -> [String] {
        let work = reply["work"]?.array ?? []
        guard !work.isEmpty else { return ["no work is registered"] }
        var table = Table(["WORK", "KIND", "STATE", "ACTIONS", "PAUSES", "LAST PAUSE TOOK"])
        for item in work {
            let state = item["state"]?.string ?? "?"
            let actions = (item["actions"]?.array ?? []).compactMap { $0.integer.map(String.init) }
            table.add([
                Table.Cell(item["name"]?.string ?? "?"), Table.Cell(item["kind"]?.string ?? "?"),
                Table.Cell(state, state == "running" ? .green : .yellow),
                SlotsView.optional(actions.isEmpty ? nil : actions.joined(separator: ", ")),
                Table.Cell("\(item["pauses"]?.integer ?? 0)"),
                SlotsView.optional(item["lastPauseMicroseconds"]?.integer.map(milliseconds)),
            ])
        }
        return table.lines(style)
    }

    private static func milliseconds(_ microseconds: Int64) -> String {
        let fraction = String(microseconds % 1_000)
        let padding = String(repeating: "0", count: 3 - fraction.count)
        return "\(microseconds / 1_000).\(padding)\(fraction) ms"
    }
}

/// The links for people.
enum LinksView {
    static func lines(_ reply: JSONObject, _ style: Style) -> [String] {
        var table = Table([
            "", "LINK", "KIND", "EVIDENCE", "ADMIN", "CARRIER", "STATE", "METERED", "ADDRESSES",
        ])
        for link in reply["links"]?.array ?? [] {
            let isEgress = link["egress"]?.bool == true
            let addresses = (link["addresses"]?.array ?? []).compactMap(\.string)
            table.add([
                Table.Cell(isEgress ? "→" : " ", .green),
                Table.Cell(link["name"]?.string ?? "?", isEgress ? .green : nil),
                Table.Cell(link["kind"]?.string ?? "?"), Table.Cell(link["evidence"]?.string ?? "-"),
                word(link["administrativelyUp"], "up", "down"), word(link["carrier"], "yes", "no"),
                Table.Cell(link["operationalState"]?.string ?? "?"), word(link["metered"], "yes", "no"),
                SlotsView.optional(addresses.isEmpty ? nil : addresses.joined(separator: " ")),
            ])
        }
        return table.lines(style)
    }

    private static func word(_ value: JSONValue?, _ yes: String, _ no: String) -> Table.Cell {
        value?.bool == true ? Table.Cell(yes) : Table.Cell(no, .faint)
    }
}

/// Why a slot shows what it shows, for people.
enum ExplainView {
    static func lines(_ reply: JSONObject, _ style: Style) -> [String] {
        let slots = reply["slot"].map { [$0] } ?? []
        return SlotsView.lines(["slots": .array(slots)], style) + [""]
            + (reply["steps"]?.array ?? []).compactMap { $0.string?.printable }
    }
}

/// Whether a host can be reached, for people.
enum ProbeView {
    static func lines(_ reply: JSONObject, _ style: Style) -> [String] {
        let addresses = (reply["addresses"]?.array ?? []).compactMap(\.string)
        return ReachabilityView.lines(reply["reachability"] ?? .null, style) + [
            ReachabilityView.field("Addresses", addresses.joined(separator: " "), style)
        ]
    }
}
