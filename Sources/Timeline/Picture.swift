internal import Campaigns

/// Draws what happened as SVG: one file without script and without anything from elsewhere.
///
/// The document is for people who cannot see it too: its title and description say the span and the sums,
/// and each rectangle has a title of its own, which is what viewers show when it is pointed at.
public struct Picture {
    let chronicle: Chronicle
    let device: String
    let zone: LocalZone
    let scale: Scale
    /// What is narrower than this is merged, in tenths of a pixel: as little as all lanes together allow.
    let minimum: Int64
    var canvas = Canvas()
    /// Where the next thing is drawn, in tenths of a pixel.
    var y: Int64 = 0

    /// The width of everything, and of what stands left and right of the lanes, in tenths of a pixel.
    static let width: Int64 = 12_800
    static let left: Int64 = 1_440
    static let right: Int64 = 2_260
    static let lanesEnd = width - right
    /// Where the columns of sums end.
    static let columns: [Int64] = [11_640, 12_140, 12_640]

    /// Gathers what is drawn.
    /// - Parameters:
    ///   - device: The name of the device.
    ///   - zone: The zone of its clocks.
    public init(of chronicle: Chronicle, device: String, zone: LocalZone) {
        (self.chronicle, self.device, self.zone) = (chronicle, device, zone)
        scale = Scale(extent: chronicle.extent, width: Self.lanesEnd - Self.left)
        minimum = Self.minimum(for: [chronicle.network] + chronicle.slots + chronicle.work, scale)
    }

    private static func minimum(for lanes: [Lane], _ scale: Scale) -> Int64 {
        var minimum = Lane.visibleWidth
        for _ in 0..<Limits.coarsenings {
            let cells = lanes.reduce(0) { $0 + $1.cells(scale, minimum: minimum).count }
            guard cells > Limits.cellsMax else { break }
            minimum *= 2
        }
        return minimum
    }

    /// The file's text.
    public func svg() -> String {
        var drawing = self
        drawing.draw()
        let (width, height) = (Canvas.pixels(Self.width), Canvas.pixels(drawing.y))
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(width) \(height)" width="\(width)" \
            height="\(height)" role="img" aria-labelledby="title desc" lang="en">
            <title id="title">\(title.xml)</title>
            <desc id="desc">\(description.xml)</desc>

            """ + Sheet.style + Sheet.patterns
                + "<rect width=\"\(width)\" height=\"\(height)\" fill=\"#fff\"/>\n"
                + drawing.canvas.text + "</svg>\n"
    }

    private var extent: Extent { chronicle.extent }

    private var title: String {
        let name = device.cut(to: Limits.nameCharactersMax)
        return "Ad slots of \(name), \(end(extent.since)) to \(end(extent.until))"
    }

    /// One end of the time shown; of less than an hour to the second.
    private func end(_ time: Int64) -> String {
        let isShort = extent.length < 3_600_000_000
        return "\(zone.local(time).date) \(isShort ? zone.clockWithSeconds(time) : zone.clock(time))"
    }

    private var summary: String {
        guard chronicle.watched > 0 else { return "Nothing is known of this time: the daemon did not run." }
        let losses = "\(chronicle.losses) \(chronicle.losses == 1 ? "loss" : "losses")"
        return
            "Reachable \(chronicle.reachable.durationText) of the \(chronicle.watched.durationText) watched, "
            + "\(losses); \(chronicle.impressions) impressions, \(chronicle.actions) actions."
    }

    /// The picture in words.
    private var description: String {
        var text = "\(summary) Times: \(zone.name(extent))."
        for lane in chronicle.slots {
            let count = chronicle.counts[lane.name]
            text += " Slot \(lane.name.cut(to: Limits.nameCharactersMax)): shown "
            text += "\(lane.time { $0 >= .shown && $0 <= .acting }.durationText), "
            text += "\(count?.impressions ?? 0) impressions, \(count?.actions ?? 0) actions."
        }
        for lane in chronicle.work {
            text += " Work \(lane.name.cut(to: Limits.nameCharactersMax)): paused "
            text += "\(lane.time { $0 == .paused }.durationText)."
        }
        return text
    }

    private mutating func draw() {
        canvas.label(title.cut(toPixels: 1_240, fontSize: 20), x: 160, y: 340, "h")
        canvas.label(summary, x: 160, y: 560)
        canvas.label("Times: \(zone.name(extent))", x: 12_640, y: 560, "f e")
        let top: Int64 = 980
        y = top
        // The lines lie below the lanes, but end where those end.
        let lanes = drawLanes()
        drawAxis(from: top, to: y)
        canvas.raw(lanes.text)
        y += 80
        if y - top > 7_000 {
            y += 240
            drawTimes(at: y - 120)
        }
        drawLegend()
    }

    // The axis.

    private func drawn(_ lines: [Axis.Line]) -> [(line: Axis.Line, x: Int64)] {
        lines.map { ($0, Self.left + scale.x($0.time)) }
    }

    private var axis: Axis { Axis(extent, zone, linesMax: (Self.lanesEnd - Self.left) / 600) }

    private mutating func drawAxis(from top: Int64, to bottom: Int64) {
        let lines = axis.lines
        let areDays = lines.allSatisfy(\.label.isEmpty)
        for (line, x) in drawn(lines) {
            canvas.line(line.day == nil || areDays ? "g" : "d", x, top - 60, x, bottom)
        }
        canvas.line("x", Self.left, top - 60, Self.lanesEnd, top - 60)
        drawTimes(at: top - 110)
        if !areDays { drawDays(at: top - 260) }
        if extent.now < extent.until, extent.now > extent.since {
            let x = Self.left + scale.x(extent.now)
            canvas.line("n", x, top - 60, x, bottom)
            canvas.label("now", x: x + 40, y: top + 60, "s")
        }
    }

    private mutating func drawTimes(at y: Int64) {
        for (line, x) in drawn(axis.lines) where !line.label.isEmpty {
            canvas.label(line.label, x: x, y: y, "s f m")
        }
        if axis.lines.allSatisfy(\.label.isEmpty) { drawDays(at: y) }
    }

    /// The day at the beginning, and each that begins, where there is room.
    private mutating func drawDays(at y: Int64) {
        let room: Int64 = 800
        let days = drawn(axis.lines).filter { $0.line.day != nil }
        var end = Int64.min
        if days.first.map({ $0.x - Self.left >= room }) ?? true {
            canvas.label(zone.day(extent.since), x: Self.left, y: y, "s b")
            end = Self.left + room
        }
        for (line, x) in days where x >= end && x + room / 2 < Self.lanesEnd {
            canvas.label(line.day ?? "", x: x, y: y, "s b")
            end = x + room
        }
    }
}
