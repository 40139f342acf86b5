internal import LinuxSupport
internal import Varlink

/// A moment of the wire, microseconds since the Unix epoch, as a time of day.
func clockText(_ value: JSONValue?) -> String {
    guard let microseconds = value?.integer else { return "-" }
    return SystemClock.localText(microseconds)
}

/// The reply of GetStatus for people.
struct StatusView {
    private let reply: JSONObject
    private let style: Style

    init(_ reply: JSONObject, _ style: Style) {
        self.reply = reply
        self.style = style
    }

    var lines: [String] {
        var lines = [heading]
        lines += ReachabilityView.lines(reply["reachability"] ?? .null, style)
        lines.append(field("Clients", "\(number("clients")), \(number("droppedClients")) dropped"))
        lines.append(field("Netlink", "\(number("linkEvents")) messages, \(number("resyncs")) resyncs"))
        let files = (reply["configuration"]?.array ?? []).compactMap(\.string)
        lines.append(
            field("Configured", files.isEmpty ? "no files, the defaults" : files.joined(separator: " ")))
        if let schedule { lines.append(schedule) }
        lines.append("")
        lines += SlotsView.lines(reply, style)
        lines.append("")
        lines += sources
        if reply["work"]?.array?.isEmpty == false {
            lines.append("")
            lines += WorkView.lines(reply, style)
        }
        return lines
    }

    private var heading: String {
        let dot = reply["reachability"]?["reachable"]?.bool == true ? Style.Colour.green : .red
        return style.paint("●", dot)
            + " adslotd \(reply["version"]?.string ?? "?"), pid \(number("pid")), "
            + "running since \(clockText(reply["started"]))"
    }

    private var sources: [String] {
        var table = Table(["SOURCE", "KIND", "REQUESTS", "FILLS", "LAST ERROR"])
        for source in reply["sources"]?.array ?? [] {
            let error = source["lastError"]?.string
            table.add([
                Table.Cell(source["name"]?.string ?? "?"), Table.Cell(source["kind"]?.string ?? "?"),
                Table.Cell("\(source["requests"]?.integer ?? 0)"),
                Table.Cell("\(source["fills"]?.integer ?? 0)"),
                Table.Cell(error ?? "-", error == nil ? .faint : .yellow),
            ])
        }
        return table.lines(style)
    }

    /// House campaigns, where there are any; loudly where the clock holds some back.
    private var schedule: String? {
        guard let schedule = reply["schedule"], let campaigns = schedule["campaigns"]?.integer else {
            return nil
        }
        var text = "\(campaigns) house campaign\(campaigns == 1 ? "" : "s")"
        if let heldBack = schedule["heldBack"]?.integer, heldBack > 0 {
            let doubt =
                schedule["clock"]?.string == "beforeBuild"
                ? "stands before this program was made" : "is not synchronised"
            text += ", \(heldBack) with dates or hours held back: the clock \(doubt)"
            return field("Campaigns", style.paint(text, .yellow))
        }
        return field("Campaigns", text)
    }

    private func field(_ name: String, _ text: String) -> String {
        ReachabilityView.field(name, text, style)
    }

    private func number(_ key: String) -> String {
        reply[key]?.integer.map(String.init) ?? "-"
    }
}

/// The state of the network for people.
enum ReachabilityView {
    static func field(_ name: String, _ text: String, _ style: Style) -> String {
        "  " + style.paint(name, .faint) + String(repeating: " ", count: max(1, 12 - name.count)) + text
    }

    static func lines(_ state: JSONValue, _ style: Style) -> [String] {
        var lines = [field("Network", style.paint(headline(state), colour(state)), style)]
        lines.append(
            field(
                "Since", "\(clockText(state["since"])), notification \(state["sequence"]?.integer ?? 0)",
                style))
        if state["held"]?.bool == true {
            lines.append(
                field(
                    "Held", style.paint("the kernel already says otherwise; not posted yet", .yellow), style))
        }
        return lines
    }

    private static func headline(_ state: JSONValue) -> String {
        var text: String
        switch (state["reachable"]?.bool, state["connectionRequired"]?.bool) {
        case (true, _): text = "reachable over \(state["status"]?.string ?? "?")"
        case (_, true): text = "not reachable until a connection is made"
        case (_, _): text = "not reachable"
        }
        if let interface = state["interface"]?.string { text += ", link \(interface)" }
        if let tunnel = state["tunnel"]?.string { text += " under \(tunnel)" }
        let families = [("ipv4", "IPv4"), ("ipv6", "IPv6")].filter { state[$0.0]?.bool == true }.map(\.1)
        if !families.isEmpty { text += ", \(families.joined(separator: " and "))" }
        if state["expensive"]?.bool == true { text += ", metered" }
        return text + " (\(state["reason"]?.string ?? "?"))"
    }

    private static func colour(_ state: JSONValue) -> Style.Colour {
        switch (state["reachable"]?.bool, state["connectionRequired"]?.bool) {
        case (true, _): .green
        case (_, true): .yellow
        case (_, _): .red
        }
    }
}
