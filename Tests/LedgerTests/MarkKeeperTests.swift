import Reachability
import Testing

@testable import AdSlots
@testable import Ledger

@Suite("What is marked")
struct MarkKeeperTests {
    private let clocks = Clocks(boot: "one", now: .zero, wall: 1_800_000_000_000_000)

    private func work(_ id: Int, _ state: WorkState) -> WorkSnapshot {
        WorkSnapshot(
            id: WorkID(id), name: "w\(id)", kind: .client, mayVeto: false, state: state, actions: [],
            pauses: 0,
            unanswered: 0)
    }

    @Test("A state is marked once, however often something else of the slot changes")
    func once() {
        var keeper = MarkKeeper()
        func states(_ state: SlotState?) -> [String?] {
            keeper.marks(
                for: [.slotChanged("a")], slotState: { _ in state }, workSnapshot: { _ in nil }, at: clocks
            ).map(\.state)
        }
        #expect(states(.detached).isEmpty)
        #expect(states(.loading) == ["loading"] && states(.loading).isEmpty)
        #expect(states(.shown) == ["shown"] && states(.shown).isEmpty && states(.acting) == ["acting"])
        #expect(states(nil) == [nil] && states(nil).isEmpty && states(.detached).isEmpty)
    }

    @Test("Work is known by its name to the end")
    func workGone() {
        var keeper = MarkKeeper()
        func marks(_ snapshot: WorkSnapshot?) -> [Mark] {
            keeper.marks(
                for: [.workChanged(WorkID(1))], slotState: { _ in nil }, workSnapshot: { _ in snapshot },
                at: clocks)
        }
        #expect(marks(work(1, .running)) == [Mark(.work, "w1", state: "running", at: clocks)])
        #expect(marks(work(1, .running)).isEmpty)
        #expect(marks(work(1, .paused)) == [Mark(.work, "w1", state: "paused", at: clocks)])
        #expect(marks(nil) == [Mark(.work, "w1", at: clocks)] && marks(nil).isEmpty)
    }

    @Test("All that is not at rest is marked again, once the network is known")
    func all() {
        var keeper = MarkKeeper()
        #expect(keeper.all(at: clocks).isEmpty && keeper.stop(at: clocks) == nil)
        _ = keeper.marks(
            for: [.slotChanged("b"), .slotChanged("a"), .slotChanged("c"), .workChanged(WorkID(2))],
            slotState: { $0 == "c" ? .detached : .shown }, workSnapshot: { work($0.value, .paused) },
            at: clocks)
        #expect(keeper.network(path: "wifi", isReachable: true, at: clocks).kind == .started)
        #expect(keeper.network(path: "none", isReachable: false, at: clocks).kind == .changed)
        #expect(
            keeper.all(at: clocks) == [
                Mark(.alive, path: "none", isReachable: false, at: clocks),
                Mark(.slot, "a", state: "shown", at: clocks), Mark(.slot, "b", state: "shown", at: clocks),
                Mark(.work, "w2", state: "paused", at: clocks),
            ])
        #expect(keeper.stop(at: clocks) == Mark(.stopped, path: "none", isReachable: false, at: clocks))
    }

    @Test("Names that have no end are cut")
    func names() {
        let mark = Mark(.work, String(repeating: "ä", count: 500), at: clocks)
        #expect(mark.subject?.utf8.count == Limits.entryTextBytesMax)
    }
}
