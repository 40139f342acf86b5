internal import Campaigns

// The lanes, from the network down to the work.
extension Picture {
    /// How lanes of a kind are drawn.
    private struct Manner {
        /// In tenths of a pixel.
        let height, gap: Int64
        let fontSize: Int
        var pitch: Int64 { height + gap }
        var textLook: String { fontSize == 9 ? "t" : fontSize == 11 ? "s" : "" }

        /// The more lanes, the lower each of them.
        static func of(_ count: Int) -> Manner {
            switch count {
            case ...12: Manner(height: 200, gap: 80, fontSize: 12)
            case ...40: Manner(height: 140, gap: 50, fontSize: 11)
            default: Manner(height: 90, gap: 30, fontSize: 9)
            }
        }
    }

    /// Draws all lanes, down to `y`.
    /// - Returns: what they look like, to be laid over the axis.
    mutating func drawLanes() -> Canvas {
        var layer = Canvas()
        swap(&layer, &canvas)
        drawNetwork()
        drawIncidents()
        drawSlots()
        drawWork()
        swap(&layer, &canvas)
        return layer
    }

    private mutating func heading(_ text: String, _ columns: [String]) {
        y += 260
        canvas.label(text, x: 160, y: y - 60, "b")
        for (end, column) in zip(Self.columns.suffix(columns.count), columns) {
            canvas.label(column, x: end, y: y - 60, "s f e")
        }
        y += 20
    }

    private mutating func sums(_ values: [String], _ manner: Manner) {
        for (end, value) in zip(Self.columns.suffix(values.count), values) {
            canvas.label(value, x: end, y: y + baseline(manner), "\(manner.textLook) e")
        }
    }

    /// Where text stands that is in the middle of a lane.
    private func baseline(_ manner: Manner) -> Int64 {
        manner.height / 2 + Int64(manner.fontSize) * 10 * 36 / 100
    }

    private mutating func lane(_ lane: Lane, label: String, _ manner: Manner) {
        let text = label.cut(toPixels: Int(Self.left - 160) / 10 - 8, fontSize: manner.fontSize)
        canvas.raw("<g><title>\(label.cut(to: Limits.nameCharactersMax).xml)</title>\n")
        canvas.label(text, x: 160, y: y + baseline(manner), manner.textLook)
        canvas.raw("</g>\n")
        canvas.line("x", Self.left, y + manner.height, Self.lanesEnd, y + manner.height)
        for cell in lane.cells(scale, minimum: minimum) { draw(cell, manner.height) }
    }

    private mutating func draw(_ cell: Cell, _ laneHeight: Int64) {
        let title = "\(words(cell.content)), \(times(cell.time))"
        switch cell.content {
        case .state(let state), .few(let state, _):
            let look = cell.width < 40 ? state.narrowLook : state.look
            guard look.height > 0 else { return }
            let height = max(10, laneHeight * look.height / 100)
            canvas.rectangle(
                look.name, x: Self.left + cell.x, y: y + laneHeight - height, width: cell.width,
                height: height, title: title)
        case .many(_, let shares):
            canvas.raw("<g><title>\(title.xml)</title>\n")
            drawShares(shares, cell, laneHeight)
            canvas.raw("</g>\n")
        }
    }

    /// What cannot be shown one after the other is shown one upon the other, on a base that says so.
    private mutating func drawShares(_ shares: [Cell.Share], _ cell: Cell, _ laneHeight: Int64) {
        let base = laneHeight / 5
        var top = y + laneHeight - base
        for share in shares {
            let height = (laneHeight - base) * Int64(share.perCent) / 100
            guard height > 0 else { continue }
            top -= height
            guard share.state.look.height > 0 else { continue }
            canvas.rectangle(
                share.state.look.name, x: Self.left + cell.x, y: top, width: cell.width, height: height)
        }
        canvas.rectangle(
            "mc", x: Self.left + cell.x, y: y + laneHeight - base, width: cell.width, height: base)
    }

    private func words(_ content: Cell.Content) -> String {
        switch content {
        case .state(let state): return state.text
        case .few(let state, let changes):
            return "\(state.text), among \(changes + 1) short states"
        case .many(let changes, let shares):
            let parts = shares.prefix(3).map { "\($0.state.text) \($0.perCent) %" }
            return "many changes (\(changes)): \(parts.joined(separator: ", "))"
        }
    }

    /// From when to when, and for how long; with the day where the picture shows more than one.
    private func times(_ time: Range<Int64>) -> String {
        let length = time.upperBound - time.lowerBound
        return "\(moment(time.lowerBound)) to \(moment(time.upperBound)) (\(length.durationText))"
    }

    private func moment(_ time: Int64) -> String {
        let isOneDay =
            zone.local(chronicle.extent.since).date == zone.local(chronicle.extent.until - 1).date
        return (isOneDay ? "" : zone.day(time) + " ") + zone.clockWithSeconds(time)
    }

    private mutating func drawNetwork() {
        heading("Network", ["reachable", "", "losses"])
        let manner = Manner(height: 460, gap: 40, fontSize: 12)
        let lane = chronicle.network
        self.lane(lane, label: "Path", manner)
        for cell in lane.cells(scale, minimum: minimum) {
            guard case .state(let state) = cell.content, let name = state.nameOnBand else { continue }
            // Only where there is room for it.
            guard cell.width > Int64(name.count) * 75 + 60 else { continue }
            canvas.label(
                name, x: Self.left + cell.x + 40, y: y + manner.height - 60,
                state == .ethernet ? "w" : "")
        }
        sums([chronicle.reachable.durationText, "", "\(chronicle.losses)"], manner)
        y += manner.pitch
    }

    private mutating func drawIncidents() {
        let rows: [(name: String, incidents: [Chronicle.Incident])] = [
            ("Flaps", [.flap]), ("Resyncs", [.resync]), ("Daemon", [.start, .stop, .kill, .clock]),
        ]
        let manner = Manner(height: 140, gap: 40, fontSize: 11)
        for row in rows {
            canvas.label(row.name, x: 160, y: y + baseline(manner), "s")
            canvas.line("g", Self.left, y + manner.height / 2, Self.lanesEnd, y + manner.height / 2)
            var total = 0
            for incident in row.incidents {
                let times = chronicle.incidents[incident] ?? []
                total += times.count
                for cluster in Cluster.groups(times, scale, distance: 360) { draw(cluster, incident, manner) }
            }
            sums(["\(total)"], manner)
            y += manner.pitch
        }
    }

    private mutating func draw(_ cluster: Cluster, _ incident: Chronicle.Incident, _ manner: Manner) {
        let sign = Sheet.sign(incident)
        let (x, middle) = (Self.left + cluster.x, y + manner.height / 2)
        let when =
            cluster.count == 1
            ? moment(cluster.time.lowerBound)
            : "\(cluster.count) times, \(times(cluster.time.lowerBound..<cluster.time.upperBound))"
        canvas.sign(sign, x: x, y: middle, title: "\(incident.text), \(when)")
        if cluster.count > 1 {
            canvas.label("\(cluster.count)", x: x + 70, y: middle + 35, "t")
        }
    }

    private mutating func drawSlots() {
        heading("Slots", ["on screen", "impr.", "actions"])
        let manner = Manner.of(chronicle.slots.count)
        if chronicle.slots.isEmpty { note("There are no slots.") }
        for lane in chronicle.slots {
            self.lane(lane, label: lane.name, manner)
            let count = chronicle.counts[lane.name]
            sums(
                [
                    lane.time { $0 == .shown || $0 == .acting }.durationText, "\(count?.impressions ?? 0)",
                    "\(count?.actions ?? 0)",
                ], manner)
            y += manner.pitch
        }
        if chronicle.slotsLeftOut > 0 { note("and \(chronicle.slotsLeftOut) more slots") }
    }

    private mutating func drawWork() {
        guard !chronicle.work.isEmpty else { return }
        heading("Work", ["paused", "", "pauses"])
        let manner = Manner.of(chronicle.work.count)
        for lane in chronicle.work {
            self.lane(lane, label: lane.name, manner)
            sums(
                [
                    lane.time { $0 == .paused }.durationText, "",
                    "\(lane.count { $0 == .paused || $0 == .pausing })",
                ], manner)
            y += manner.pitch
        }
        if chronicle.workLeftOut > 0 { note("and \(chronicle.workLeftOut) more pieces of work") }
    }

    private mutating func note(_ text: String) {
        canvas.label(text, x: 160, y: y + 150, "f")
        y += 220
    }
}

extension LaneState {
    /// What is written on the band itself, where there is room.
    fileprivate var nameOnBand: String? {
        switch self {
        case .ethernet, .wifi: text
        case .unknown, .cellular, .other, .barred, .none, .detached, .waiting, .hidden, .loading, .shown,
            .acting,
            .absent, .running, .pausing, .paused:
            nil
        }
    }
}
