import Foundation
import FoundationXML
import Testing

@testable import Timeline

@Suite("The picture")
struct PictureTests {
    /// What a strict reader of XML makes of it.
    private final class Reader: NSObject, XMLParserDelegate {
        private(set) var elements: [String: Int] = [:]
        private(set) var texts: [String] = []
        private(set) var rectangles: [[String: String]] = []
        private var text = ""

        func parser(
            _: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
            attributes: [String: String]
        ) {
            elements[name, default: 0] += 1
            if name == "rect" { rectangles.append(attributes) }
            text = ""
        }

        func parser(_: XMLParser, foundCharacters string: String) { text += string }

        func parser(_: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?) {
            if name == "text" || name == "title" || name == "desc" { texts.append(text) }
        }
    }

    private func read(_ svg: String) throws -> Reader {
        let reader = Reader()
        let parser = XMLParser(data: Data(svg.utf8))
        parser.delegate = reader
        let isWhole = parser.parse()
        try #require(isWhole, "\(parser.lineNumber): \(parser.parserError.map { "\($0)" } ?? "")")
        return reader
    }

    @Test(
        "It is well-formed and light, all of it can be seen, and nothing comes from elsewhere",
        arguments: Sample.all)
    func wellFormed(sample: Sample) throws {
        let svg = sample.svg
        // To look at them all.
        if let directory = ProcessInfo.processInfo.environment["ADSLOTD_TIMELINE_SAMPLES"] {
            try svg.write(toFile: "\(directory)/\(sample.name).svg", atomically: true, encoding: .utf8)
        }
        let reader = try read(svg)
        #expect(
            reader.elements["svg"] == 1 && reader.elements["script"] == nil && reader.elements["image"] == nil
        )
        #expect(!svg.contains("href") && !svg.contains("@import") && !svg.contains("@font-face"))
        #expect(svg.utf8.count < 2_500_000, "\(svg.utf8.count)")
        #expect(reader.texts.contains { $0.hasPrefix("Ad slots of kiosk-7, 2026-") })
        #expect(reader.texts.contains { $0.hasPrefix("Times: CE") })
        try expectInside(reader.rectangles, svg)
    }

    private func expectInside(_ rectangles: [[String: String]], _ svg: String) throws {
        let box = try #require(svg.firstMatch(of: /viewBox="0 0 ([0-9.]+) ([0-9.]+)"/))
        let (width, height) = (try #require(Double(box.1)), try #require(Double(box.2)))
        let outside = rectangles.filter { rectangle in
            func number(_ key: String) -> Double { rectangle[key].flatMap { Double($0) } ?? 0 }
            return number("x") < 0 || number("x") + number("width") > width || number("y") < 0
                || number("y") + number("height") > height || number("width") <= 0 || number("height") <= 0
        }
        #expect(outside.isEmpty)
    }

    @Test("What can be pointed at says what it is, from when to when, and for how long")
    func tooltips() throws {
        let texts = try read(Sample.flapping.svg).texts
        #expect(texts.contains("Ethernet, 22:00:00 to 00:00:00 (2 h)"))
        #expect(texts.contains("path without internet, 17:00:00 to 18:00:00 (1 h)"))
        #expect(
            texts.contains { $0.hasPrefix("many changes (") && $0.contains("Wi-Fi") && $0.contains(" %") })
        #expect(
            texts.contains { $0.hasPrefix("resync, kernel messages lost, 2 times, 09:00:00 to 09:01:00") })
        let month = try read(Sample.month.svg).texts
        #expect(month.contains("no network, Sun 1 Nov 12:00:00 to Sun 1 Nov 13:00:00 (1 h)"))
    }

    @Test("Who cannot see it is told the sums")
    func description() throws {
        let texts = try read(Sample.killed.svg).texts
        let description = try #require(texts.first { $0.contains("Slot lobby:") })
        #expect(
            description.hasPrefix("Reachable 22 h of the 22 h watched, 0 losses; 136 impressions, 8 actions.")
        )
        #expect(description.contains("Slot lobby: shown 15 h 49 min, 136 impressions, 8 actions."))
        #expect(description.contains("Work signage: paused "))
        #expect(try read(Sample.empty.svg).texts.contains { $0.hasPrefix("Nothing is known of this time") })
    }

    @Test("Less than an hour is told to the second")
    func short() throws {
        var sample = Sample.quiet
        let since = Sample.midnight + 8 * Sample.hour
        sample.extent = Extent(since: since, until: since + 45_000_000, now: since + 45_000_000)
        let texts = try read(sample.svg).texts
        #expect(texts.contains("Ad slots of kiosk-7, 2026-11-30 08:00:00 to 2026-11-30 08:00:45"))
        #expect(texts.contains("shown, 08:00:00 to 08:00:45 (45 s)"))
    }

    @Test("Foreign names are text, and nothing else")
    func hostile() throws {
        let svg = Sample.hostile.svg
        let reader = try read(svg)
        #expect(!svg.contains("<script"))
        #expect(reader.texts.contains("</title><script>alert(1)</script>"))
        #expect(reader.texts.contains("a\u{FFFD}b\u{FFFD}[31mc\u{FFFD}d\u{FFFD}"))
        #expect(reader.texts.contains("&amp;"))
    }

    @Test("The same marks give the same file")
    func same() {
        #expect(Sample.twelve.svg == Sample.twelve.svg)
    }

    @Test(
        "Every state is explained by the legend, and looks like no other of its kind",
        arguments: LaneState.allCases)
    func legend(state: LaneState) throws {
        let svg = Sample.quiet.svg
        guard state.look.height > 0 else { return }
        #expect(svg.contains("class=\"\(state.look.name)\""), "\(state)")
        #expect(svg.contains(".\(state.look.name){fill:"), "\(state)")
        for kind in [LaneState.ofNetwork, LaneState.ofSlots, LaneState.ofWork] {
            #expect(Set(kind.map(\.look)).count == kind.count)
        }
    }
}
