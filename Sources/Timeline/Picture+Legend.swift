extension Picture {
    /// Draws what everything means.
    mutating func drawLegend() {
        y += 60
        row(
            "Network",
            LaneState.ofNetwork.map { ($0.look, $0.text) } + [(LaneState.unknown.look, "not known")])
        row(
            "Slots",
            LaneState.ofSlots.map { ($0.look, $0.text) } + [(Look("", 0), "base line alone: no host")])
        row(
            "Work",
            LaneState.ofWork.map { ($0.look, $0.text) } + [
                (Look("mc", 20), "many changes, too short to be seen: above it their shares of the time")
            ]
        )
        var x = Self.left
        canvas.label("Marks", x: 160, y: y + 130, "s f")
        for incident in Chronicle.Incident.allCases {
            let sign = Sheet.sign(incident)
            canvas.sign(sign, x: x + 60, y: y + 95)
            canvas.label(incident.text, x: x + 160, y: y + 130, "s")
            x += 360 + Int64(incident.text.count) * 62
        }
        y += 320
    }

    private mutating func row(_ name: String, _ items: [(look: Look, text: String)]) {
        canvas.label(name, x: 160, y: y + 130, "s f")
        var x = Self.left
        for item in items {
            canvas.line("x", x, y + 150, x + 280, y + 150)
            if item.look.height > 0 {
                let height = 150 * item.look.height / 100
                canvas.rectangle(
                    item.look.name, x: x, y: y + 150 - height, width: 280, height: height, title: item.text)
            }
            canvas.label(item.text, x: x + 340, y: y + 130, "s")
            x += 500 + Int64(item.text.count) * 60
        }
        y += 220
    }
}
