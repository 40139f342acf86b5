/// The parts of the file that are the same for every picture.
enum Sheet {
    /// Fonts that every machine has, and edges on whole pixels: rectangles that touch show no line between.
    static let style = """
        <style>
        rect{shape-rendering:crispEdges}
        text{font:12px system-ui,"Segoe UI","DejaVu Sans",Arial,sans-serif;fill:#1c2430}
        .h{font-size:20px;font-weight:600}.b{font-weight:600}.s{font-size:11px}.t{font-size:9px}
        .f{fill:#5a6472}.w{fill:#fff}.e{text-anchor:end}.m{text-anchor:middle}
        .g{stroke:#d5dae1;fill:none}.d{stroke:#8b95a3;fill:none}.x{stroke:#aab2bd;fill:none}
        .n{stroke:#1c2430;stroke-dasharray:3 3;fill:none}
        .et{fill:#1d4f8b}.wi{fill:#5f9ed8}.ce{fill:url(#ce)}.ot{fill:url(#ot)}
        .ba{fill:url(#ba)}.no{fill:url(#no)}.nn{fill:#a3231f}
        .sh{fill:#3b9b6a}.ac{fill:#10202f}.lo{fill:url(#lo)}.hi{fill:#c9cfd6}.wa{fill:url(#wa)}
        .ru{fill:#b9aed0}.pg{fill:url(#pg)}.pa{fill:#5b3a8e}
        .un{fill:url(#un)}.mc{fill:url(#mc)}
        .i{fill:#1c2430}.o{fill:#fff;stroke:#1c2430;stroke-width:1.4}
        </style>

        """

    /// The hatchings, each named as the class that it fills.
    static let patterns =
        "<defs>\n"
        + pattern("ce", 5, "#f3c25f", stroke: "#8a5a00", 1, "M1 0V5")
        + pattern("ot", 4, "#e4e1ea", stroke: "#75699a", 2, "M0 1H2")
        + pattern("ba", 6, "#fff", stroke: "#a3231f", 1, "M0 0L6 6M6 0L0 6")
        + pattern("no", 8, "#fbe3e1", stroke: "#a3231f", 2.6, "M-2 2L2 -2M0 8L8 0M6 10L10 6")
        + pattern("lo", 4, "#eef3f0", stroke: "#3b7f5c", 1.6, "M0 1H4")
        + pattern("wa", 6, "#fff", stroke: "#a3231f", 1.2, "M0 6L6 0")
        + pattern("pg", 4, "#efeaf6", stroke: "#5b3a8e", 1.6, "M0 1H4")
        + pattern("un", 8, "#f6f7f8", stroke: "#c3c9d1", 1, "M0 0L8 8")
        + pattern("mc", 6, "#fff", stroke: "#333c48", 3, "M0 1.5H3M3 4.5H6")
        + "</defs>\n"

    private static func pattern(
        _ name: String, _ side: Int, _ ground: String, stroke: String, _ width: Double, _ path: String
    ) -> String {
        "<pattern id=\"\(name)\" width=\"\(side)\" height=\"\(side)\" patternUnits=\"userSpaceOnUse\">"
            + "<rect width=\"\(side)\" height=\"\(side)\" fill=\"\(ground)\"/>"
            + "<path d=\"\(path)\" stroke=\"\(stroke)\" stroke-width=\"\(width)\"/></pattern>\n"
    }

    /// The sign of an incident, around the origin.
    static func sign(_ incident: Chronicle.Incident) -> (look: String, path: String) {
        switch incident {
        case .flap: ("i", "M0 -5L5 4H-5Z")
        case .resync: ("o", "M0 -5L5 0L0 5L-5 0Z")
        case .start: ("i", "M-4 -5L5 0L-4 5Z")
        case .stop: ("i", "M-4 -4H4V4H-4Z")
        case .kill: ("i", "M-5 -3L-3 -5L0 -2L3 -5L5 -3L2 0L5 3L3 5L0 2L-3 5L-5 3L-2 0Z")
        case .clock: ("o", "M-4 -5H4L-4 5H4Z")
        }
    }
}
