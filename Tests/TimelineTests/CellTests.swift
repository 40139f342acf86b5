import Testing

@testable import Timeline

@Suite("Spans become rectangles")
struct CellTests {
    /// A thousand pixels of a thousand seconds.
    private let scale = Scale(extent: Extent(since: 0, until: 1_000_000_000, now: 0), width: 10_000)

    /// A lane of states and the milliseconds that they last.
    private func lane(_ states: [(LaneState, Int64)]) -> Lane {
        var lane = Lane("lane", since: 0)
        var time: Int64 = 0
        for (state, milliseconds) in states {
            lane.turn(state, at: time)
            time += milliseconds * 1_000
        }
        lane.close(at: time)
        return lane
    }

    @Test("What has room is shown as it is")
    func wide() {
        let cells = lane([(.shown, 400_000), (.hidden, 100_000), (.acting, 500_000)]).cells(
            scale, minimum: 15)
        #expect(cells.map(\.x) == [0, 4_000, 5_000] && cells.map(\.width) == [4_000, 1_000, 5_000])
        #expect(cells.map(\.content) == [.state(.shown), .state(.hidden), .state(.acting)])
    }

    @Test("Something short on its own is as wide as can be seen, and lies above what is around it")
    func short() {
        let cells = lane([(.wifi, 500_000), (.none, 20), (.wifi, 499_980)]).cells(scale, minimum: 15)
        #expect(cells.map(\.content) == [.state(.wifi), .state(.wifi), .state(.none)])
        #expect(cells[2].width == Lane.visibleWidth && cells[2].x == 4_992)
        #expect(cells[2].time == 500_000_000..<500_020_000)
    }

    @Test("At both ends it stays inside")
    func ends() {
        let cells = lane([(.none, 20), (.wifi, 999_960), (.none, 20)]).cells(scale, minimum: 15)
        #expect(cells.map(\.x) == [0, 0, 9_985])
        #expect(cells.allSatisfy { $0.x >= 0 && $0.x + $0.width <= 10_000 })
    }

    @Test("Of a few that are short together, what stands out is shown; passing states alone are not")
    func few() {
        let some = lane([(.shown, 500_000), (.hidden, 10), (.acting, 100), (.loading, 10), (.shown, 499_880)])
        let cells = some.cells(scale, minimum: 15)
        #expect(cells.last?.content == .few(.acting, changes: 2) && cells.count == 3)
        let passing = lane([(.hidden, 500_000), (.loading, 100), (.shown, 499_900)])
        #expect(passing.cells(scale, minimum: 15).map(\.content) == [.state(.hidden), .state(.shown)])
    }

    @Test("Thousands of changes are pieces with their shares, and are still thousands of changes")
    func many() {
        let flapping = (0..<10_000).flatMap { _ in [(LaneState.wifi, Int64(60)), (LaneState.none, Int64(40))]
        }
        let cells = lane(flapping).cells(scale, minimum: 15)
        #expect(cells.count > 100 && cells.count < 200, "\(cells.count)")
        var changes = 0
        for cell in cells {
            guard case .many(let count, let shares) = cell.content else {
                Issue.record("\(cell)")
                continue
            }
            changes += count + 1
            #expect(shares == [Cell.Share(state: .wifi, perCent: 60), Cell.Share(state: .none, perCent: 40)])
        }
        #expect(changes == 20_000)
        for (left, right) in zip(cells, cells.dropFirst()) { #expect(left.x + left.width == right.x) }
    }

    @Test(
        "A lane never has more rectangles than it has room for, and none lies outside",
        arguments: 1...100 as ClosedRange<UInt64>)
    func bounded(seed: UInt64) {
        var generator = Generator(seed: seed)
        var states: [(LaneState, Int64)] = []
        var left: Int64 = 1_000_000
        while left > 0 {
            let length = min(left, Int64(1) << Int64.random(in: 0...16, using: &generator))
            states.append(
                ([LaneState.shown, .acting, .hidden].randomElement(using: &generator) ?? .shown, length))
            left -= length
        }
        for minimum: Int64 in [15, 30, 240] {
            let cells = lane(states).cells(scale, minimum: minimum)
            #expect(cells.count <= 2 * 10_000 / Int(minimum) + 2)
            #expect(cells.allSatisfy { $0.x >= 0 && $0.width > 0 && $0.x + $0.width <= 10_000 })
        }
    }

    @Test("Moments near to each other have one sign, with their number")
    func clusters() {
        let times: [Int64] = [0, 1, 2, 100, 500].map { $0 * 1_000_000 }
        let clusters = Cluster.groups(times, scale, distance: 160)
        #expect(clusters.map(\.count) == [3, 1, 1])
        #expect(clusters[0].time == 0...2_000_000)
        #expect(Cluster.groups([], scale, distance: 160).isEmpty)
    }
}
