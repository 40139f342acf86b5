import Testing

@testable import AdslotService

@Suite("The log's rate")
struct LineBudgetTests {
    private var budget = LineBudget(linesMax: 3, windowMicroseconds: 10)

    @Test("So many lines are granted in a window, and the rest refused")
    mutating func window() {
        let verdicts = [100, 101, 102, 103, 109].map { budget.spend(at: $0) }
        let granted = LineBudget.Verdict.granted(leftOut: 0)
        #expect(verdicts == [granted, granted, granted, .refused, .refused])
    }

    @Test("The first line of the next window says how many were left out, once")
    mutating func leftOut() {
        for now in Int64(100)...108 { _ = budget.spend(at: now) }
        #expect(budget.spend(at: 109) == .refused)
        #expect(budget.spend(at: 110) == .granted(leftOut: 7))
        #expect(budget.spend(at: 111) == .granted(leftOut: 0))
    }

    @Test("A window begins with its first line, whatever the clock's beginning is")
    mutating func anyClock() {
        #expect(budget.spend(at: -5) == .granted(leftOut: 0))
        for now in Int64(-4)...4 { _ = budget.spend(at: now) }
        #expect(budget.spend(at: 5) == .granted(leftOut: 7))
        #expect(budget.spend(at: 1_000_000) == .granted(leftOut: 0))
    }

    @Test("Nothing is lost over windows that are all spent")
    mutating func sum() {
        var (written, leftOut) = (0, 0)
        for now in Int64(0)..<100 {
            if case .granted(let before) = budget.spend(at: now) {
                written += 1
                leftOut += before
            }
        }
        #expect(written == 30)
        #expect(leftOut == 63, "those of the last window are still to be told")
    }
}
