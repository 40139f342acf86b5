import AdSlots
import Ledger
import Reachability

#if canImport(Glibc)
    import Glibc
#endif

/// Measures the ledger alone: `ledger-bench DIRECTORY GROUP ROWS` keeps so many impressions, so many of them
/// in each transaction, every one of which outlives a loss of power, and prints a JSON line.
@main
struct LedgerBench {
    static func main() {
        let numbers = CommandLine.arguments.dropFirst(2).compactMap { Int($0) }
        guard CommandLine.arguments.count == 4, numbers.count == 2, numbers[0] > 0, numbers[1] >= 0 else {
            print("usage: ledger-bench DIRECTORY GROUP ROWS")
            exit(2)
        }
        let ledger: Ledger
        do {
            ledger = try Ledger(directory: CommandLine.arguments[1], at: clocks(0)) { notice in
                print("\(notice)")
                exit(1)
            }
        } catch {
            print("\(error)")
            exit(1)
        }
        let spent = ContinuousClock().measure { keep(numbers[1], by: numbers[0], in: ledger) }
        let kept = ledger.status(at: clocks(0)).last
        print(
            #"{"rows": \#(kept), "rowsPerSecond": \#(Int(Double(numbers[1]) / (spent / .seconds(1))))}"#)
    }

    private static func keep(_ rows: Int, by group: Int, in ledger: Ledger) {
        let creative = Creative(
            id: "creative-1", source: "exchange", size: Size(width: 320, height: 50), isFromNetwork: true,
            campaign: "campaign-1", price: CPM(nanos: 2_500_000_000, currency: "USD"))
        var changes: [Change] = []
        for row in 0..<rows {
            let impression = Impression(
                slot: "banner", host: HostID(1), hostName: "kiosk", creative: creative, start: .zero,
                visible: .seconds(1))
            let now = clocks(row)
            changes += ledger.changes(
                for: [.impression(impression)], path: "wifi", hostName: { _ in nil }, at: now)
            guard changes.count >= group || row == rows - 1 else { continue }
            ledger.keep(changes, else: { [] }, at: now)
            changes.removeAll(keepingCapacity: true)
        }
    }

    /// A row each millisecond.
    private static func clocks(_ row: Int) -> Clocks {
        Clocks(
            boot: "bench", now: .zero + .milliseconds(row), wall: 1_800_000_000_000_000 + Int64(row) * 1_000)
    }
}
