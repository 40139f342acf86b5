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
        ledger.keep(memories, else: { everything ?? memories }, at: clocks)
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
