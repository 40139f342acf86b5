internal import LinuxSupport
internal import Varlink

/// The campaigns for people.
enum CampaignsView {
    static func lines(_ pages: [JSONObject], _ style: Style) -> [String] {
        let campaigns = pages.flatMap { $0["campaigns"]?.array ?? [] }
        guard !campaigns.isEmpty else { return ["there is no campaign"] }
        var table = Table([
            "ID", "NAME", "ADVERTISER", "CPM", "FROM", "UNTIL", "HOURS", "TIER", "DELIVERY", "CAPS",
            "CREATIVES", "REVISION", "STATE",
        ])
        for campaign in campaigns {
            func text(_ key: String) -> Table.Cell { Table.Cell(campaign[key]?.string ?? "?") }
            func number(_ key: String) -> Table.Cell { Table.Cell("\(campaign[key]?.integer ?? 0)") }
            let isEnabled = campaign["enabled"]?.bool == true
            table.add([
                number("id"), text("name"), text("advertiser"), Table.Cell(CampaignView.price(campaign)),
                moment(campaign["start"]), moment(campaign["end"]),
                optional((campaign["dayparts"]?.array ?? []).compactMap(\.string).joined(separator: "; ")),
                number("tier"), Table.Cell(CampaignView.delivery(campaign)),
                optional(CampaignView.caps(campaign)), number("creatives"), number("revision"),
                Table.Cell(isEnabled ? "enabled" : "disabled", isEnabled ? nil : .yellow),
            ])
        }
        return table.lines(style)
    }

    private static func moment(_ value: JSONValue?) -> Table.Cell {
        optional(value?.integer.map { SystemClock.localText($0) } ?? "")
    }

    private static func optional(_ text: String) -> Table.Cell {
        text.isEmpty ? Table.Cell("-", .faint) : Table.Cell(text)
    }
}

/// One campaign for people, with its creatives.
enum CampaignView {
    static func lines(_ reply: JSONObject, _ style: Style) -> [String] {
        let campaign = reply["campaign"] ?? .null
        func field(_ name: String, _ text: String) -> String {
            ReachabilityView.field(name, text.isEmpty ? "-" : text, style)
        }
        func list(_ key: String) -> String {
            (campaign[key]?.array ?? []).compactMap(\.string).joined(separator: "; ")
        }
        func moment(_ key: String, or text: String) -> String {
            campaign[key]?.integer.map { SystemClock.localText($0) } ?? text
        }
        let isEnabled = campaign["enabled"]?.bool == true
        let domain = campaign["domain"]?.string.map { " (\($0))" } ?? ""
        let title = "campaign \(campaign["id"]?.integer ?? 0): \(campaign["name"]?.string ?? "?")".printable
        var lines = [
            style.paint("●", isEnabled ? .green : .yellow) + " " + style.paint(title, .bold)
                + (isEnabled ? "" : ", disabled"),
            field("Advertiser", "\(campaign["advertiser"]?.string ?? "?")\(domain)"),
            field("Categories", list("categories")), field("CPM", price(campaign)),
            field("Runs", "\(moment("start", or: "always")) to \(moment("end", or: "no end"))"),
            field("Hours", list("dayparts")), field("Tier", "\(campaign["tier"]?.integer ?? 0)"),
            field("Delivery", delivery(campaign)), field("Caps", caps(campaign)),
            field("Revision", "\(campaign["revision"]?.integer ?? 0)"),
        ]
        lines.append("")
        return lines + CreativesView.lines([["creatives": reply["creatives"] ?? []]], style)
    }

    static func price(_ campaign: JSONValue) -> String {
        "\(campaign["price"]?.string ?? "?") \(campaign["currency"]?.string ?? "")"
    }

    static func delivery(_ campaign: JSONValue) -> String {
        if let impressions = campaign["impressions"]?.integer { return "\(impressions) guaranteed" }
        return "weight \(campaign["weight"]?.integer ?? 0)"
    }

    /// `3/1h, 20/24h:device`, as they are given.
    static func caps(_ campaign: JSONValue) -> String {
        (campaign["caps"]?.array ?? []).map { cap in
            let scope = cap["scope"]?.string == "device" ? ":device" : ""
            return "\(cap["count"]?.integer ?? 0)/\(duration(cap["windowSeconds"]?.integer ?? 0))\(scope)"
        }.joined(separator: ", ")
    }

    private static func duration(_ seconds: Int64) -> String {
        if seconds % 3_600 == 0 { return "\(seconds / 3_600)h" }
        return seconds % 60 == 0 ? "\(seconds / 60)min" : "\(seconds)s"
    }
}

/// The creatives for people.
enum CreativesView {
    static func lines(_ pages: [JSONObject], _ style: Style) -> [String] {
        let creatives = pages.flatMap { $0["creatives"]?.array ?? [] }
        guard !creatives.isEmpty else { return ["there is no creative"] }
        var table = Table(["ID", "CAMPAIGN", "SIZE", "KIND", "FROM", "BYTES", "CLICK", "STATE"])
        for creative in creatives {
            table.add([
                Table.Cell("\(creative["id"]?.integer ?? 0)"),
                Table.Cell("\(creative["campaign"]?.integer ?? 0)"), Table.Cell(size(creative)),
                Table.Cell(creative["kind"]?.string ?? "?"), origin(creative),
                Table.Cell(creative["sizeBytes"]?.integer.map { "\($0)" } ?? "-"),
                Table.Cell(creative["clickURL"]?.string ?? "-"),
                state(creative),
            ])
        }
        return table.lines(style)
    }

    private static func state(_ creative: JSONValue) -> Table.Cell {
        guard creative["enabled"]?.bool == true else { return Table.Cell("disabled", .yellow) }
        guard let fetch = creative["fetch"]?.string else { return Table.Cell("enabled") }
        return Table.Cell("enabled, \(fetch)", fetch.hasPrefix("not ") ? .yellow : nil)
    }

    static func size(_ creative: JSONValue?) -> String {
        "\(creative?["size"]?["width"]?.integer ?? 0)x\(creative?["size"]?["height"]?.integer ?? 0)"
    }

    private static func origin(_ creative: JSONValue) -> Table.Cell {
        if let text = creative["file"]?.string ?? creative["address"]?.string { return Table.Cell(text) }
        return Table.Cell("its file is broken: add it again", .red)
    }
}
