import AdSlots
import Foundation
import Reachability

@testable import Ledger

/// A state directory that goes away with this object, and the notices of the ledgers opened in it.
final class StateRig {
    let directory: String
    private(set) var notices: [Ledger.Notice] = []
    var clocks = Clocks(boot: "one", now: Instant(microseconds: 1_000_000_000), wall: 1_800_000_000_000_000)

    init() throws {
        directory = NSTemporaryDirectory() + "/adslotd-ledger-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: false)
    }

    deinit { try? FileManager.default.removeItem(atPath: directory) }

    var path: String { "\(directory)/\(Ledger.fileName)" }

    func open(in other: String? = nil) throws -> Ledger {
        try Ledger(directory: other ?? directory, at: clocks) { [unowned self] in notices.append($0) }
    }

    func keep(_ memories: [SlotMemory], in ledger: Ledger, everything: [SlotMemory]? = nil) {
        ledger.keep([], memories, else: { everything ?? memories }, at: clocks)
    }

    /// Keeps what the effects of an event bring.
    func keep(_ effects: [Effect], path: String = "wifi", in ledger: Ledger) {
        let changes = ledger.changes(for: effects, path: path, hostName: { _ in "clock" }, at: clocks)
        ledger.keep(changes, else: { [] }, at: clocks)
    }

    /// All rows of a span.
    func rows(_ ledger: Ledger, _ span: WallSpan = WallSpan()) throws -> [LedgerRow] {
        var cursor = try ledger.export(span, at: clocks)
        var rows: [LedgerRow] = []
        while !cursor.isAtEnd { rows += try ledger.read(&cursor, at: clocks) }
        return rows
    }

    /// The report of a span.
    func report(_ ledger: Ledger, _ span: WallSpan = WallSpan(), by grouping: ReportGrouping? = nil) throws
        -> Report
    {
        var draft = ledger.report(span, by: grouping)
        while !draft.isComplete { try ledger.add(to: &draft, at: clocks) }
        return try ledger.finish(draft, at: clocks)
    }

    /// What a new daemon would remember.
    func remembered() throws -> [SlotMemory] { try open().remembered }

    func pass(_ duration: Duration) {
        clocks.now = clocks.now + duration
        clocks.wall += duration.microseconds
    }
}

extension SlotMemory {
    /// A memory with something in every field.
    static func full(_ name: String, at now: Instant) -> SlotMemory {
        SlotMemory(
            name: name, enablement: .disabled(until: now + .seconds(600)), failures: 3,
            notBefore: now + .seconds(120), lastRequest: now + .seconds(-7), lastError: .noFill,
            requests: 11, fills: 7, impressions: 5, actions: 2)
    }
}

/// Requests and what comes of them, as a coordinator would say it.
struct Traffic {
    private(set) var requests = 0
    var slot = "banner"
    var source = "test"
    var campaign: String?
    var price: CPM?

    init() {}

    /// A question to the source.
    mutating func request() -> Effect {
        requests += 1
        return .request(
            SourceRequest(
                id: RequestID(requests), slot: slot, source: SourceReference(name: source, isNetwork: true),
                size: Size(width: 320, height: 50), deadline: .zero))
    }

    /// The ad that answers the last question.
    var creative: Creative {
        var creative = Creative(
            id: "ad-\(requests)", source: source, size: Size(width: 320, height: 50), markup: "<p>",
            isFromNetwork: true, campaign: campaign, price: price)
        creative.request = RequestID(requests)
        return creative
    }

    var fill: Effect { .filled(slot: slot, creative) }
    var failure: Effect { .sourceFailed(slot: slot, source: source, .noFill) }

    /// The ad comes on screen.
    func show(_ reason: AdSlots.Reason = .filled) -> Effect {
        let frame = Rectangle(x: 0, y: 0, width: 320, height: 50)
        return .command(
            HostID(1),
            Command(
                kind: .show, banner: BannerID(1), bannerFrame: frame, contentFrame: frame, creative: creative,
                reason: reason, sequence: 1))
    }

    /// The ad counts.
    func impression(at now: Instant) -> Effect {
        .impression(
            Impression(
                slot: slot, host: HostID(1), hostName: "clock", creative: creative, start: now + .seconds(-1),
                visible: .seconds(1)))
    }

    /// The ad leaves the screen.
    func leave(after visible: Duration) -> Effect {
        .leftScreen(ScreenTime(slot: slot, creative: creative, visible: visible, isCounted: true))
    }

    /// All that there is of an ad that is seen and touched.
    mutating func whole(at now: Instant) -> [Effect] {
        let request = request()
        return [
            request, fill, show(), impression(at: now),
            .actionStarted(ActionID(requests), slot: slot, creative, leavesApplication: false),
            .actionEnded(ActionID(requests), slot: slot, .finished), leave(after: .seconds(9)),
        ]
    }
}
