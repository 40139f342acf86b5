/// A rectangle of a lane, in tenths of a pixel from the lane's beginning.
struct Cell: Hashable, Sendable {
    enum Content: Hashable, Sendable {
        /// One state, all the time.
        case state(LaneState)
        /// Some changes in less time than can be seen, and what stands out of them.
        case few(LaneState, changes: Int)
        /// Many changes, each shorter than can be seen. Shares are of the time, the largest first.
        case many(changes: Int, shares: [Share])
    }

    struct Share: Hashable, Sendable {
        let state: LaneState
        let perCent: Int
    }

    let x: Int64
    let width: Int64
    let time: Range<Int64>
    let content: Content
}

/// From time to place.
struct Scale: Hashable, Sendable {
    let extent: Extent
    /// The width of a lane, in tenths of a pixel.
    let width: Int64

    func x(_ time: Int64) -> Int64 {
        let part = min(max(time - extent.since, 0), extent.length)
        return Int64(Int128(part) * Int128(width) / Int128(extent.length))
    }
}

extension Lane {
    /// The rectangles that show the lane. What is less wide than `minimum` is merged, so that thousands of
    /// changes are still a picture; on its own among wider ones it is shown, as wide as can be seen, and
    /// comes last, to lie above them.
    func cells(_ scale: Scale, minimum: Int64) -> [Cell] {
        var (wide, narrow): ([Cell], [Cell]) = ([], [])
        var small: [Span] = []
        func flush() {
            for piece in Self.pieces(of: small, scale, width: 4 * minimum) {
                guard let cell = Self.merge(piece, scale) else { continue }
                if case .many = cell.content { wide.append(cell) } else { narrow.append(cell) }
            }
            small.removeAll(keepingCapacity: true)
        }
        for span in spans {
            let (start, end) = (scale.x(span.time.lowerBound), scale.x(span.time.upperBound))
            if end - start < minimum {
                small.append(span)
            } else {
                flush()
                wide.append(Cell(x: start, width: end - start, time: span.time, content: .state(span.state)))
            }
        }
        flush()
        return wide + narrow
    }

    /// How wide a rectangle must be to be seen, in tenths of a pixel.
    static let visibleWidth: Int64 = 15

    /// A long time of many changes in pieces of much the same width, so that its course is seen.
    private static func pieces(of spans: [Span], _ scale: Scale, width: Int64) -> [ArraySlice<Span>] {
        guard let first = spans.first, let last = spans.last else { return [] }
        let start = scale.x(first.time.lowerBound)
        let whole = scale.x(last.time.upperBound) - start
        let count = max(1, whole / width)
        var pieces: [ArraySlice<Span>] = []
        var rest = spans[...]
        for piece in 1...count {
            let end = start + whole * piece / count
            let length = piece == count ? rest.count : rest.prefix { scale.x($0.time.lowerBound) < end }.count
            pieces.append(rest.prefix(length))
            rest = rest.dropFirst(length)
        }
        return pieces
    }

    /// One rectangle for what is too small on its own.
    private static func merge(_ spans: ArraySlice<Span>, _ scale: Scale) -> Cell? {
        guard let first = spans.first, let last = spans.last else { return nil }
        let time = first.time.lowerBound..<last.time.upperBound
        let (start, end) = (scale.x(time.lowerBound), scale.x(time.upperBound))
        if spans.count > 1, end - start >= 2 * visibleWidth {
            let content = Cell.Content.many(changes: spans.count - 1, shares: shares(of: spans))
            return Cell(x: start, width: end - start, time: time, content: content)
        }
        let width = max(end - start, visibleWidth)
        let x = min(max(0, (start + end - width) / 2), scale.width - width)
        let state = spans.map(\.state).max() ?? first.state
        // On the way from one state to another, and nobody could have seen it.
        if spans.count == 1, state.isPassing { return nil }
        let content =
            spans.count == 1 ? Cell.Content.state(state) : .few(state, changes: spans.count - 1)
        return Cell(x: x, width: width, time: time, content: content)
    }

    private static func shares(of spans: ArraySlice<Span>) -> [Cell.Share] {
        var times: [LaneState: Int64] = [:]
        for span in spans { times[span.state, default: 0] += span.length }
        let total = max(1, times.values.reduce(0, +))
        return times.sorted { ($0.value, $0.key) > ($1.value, $1.key) }.map { state, time in
            Cell.Share(state: state, perCent: Int((time * 100 + total / 2) / total))
        }
    }
}

/// Moments so near to each other that they have one sign.
struct Cluster: Hashable, Sendable {
    /// Where the first of them lies.
    let x: Int64
    let time: ClosedRange<Int64>
    let count: Int

    /// Groups moments, which are in order, that would lie within `distance`, in tenths of a pixel.
    static func groups(_ times: [Int64], _ scale: Scale, distance: Int64) -> [Cluster] {
        var clusters: [Cluster] = []
        for time in times {
            let x = scale.x(time)
            if let last = clusters.last, x - last.x < distance {
                let range = last.time.lowerBound...max(time, last.time.upperBound)
                clusters[clusters.count - 1] = Cluster(x: last.x, time: range, count: last.count + 1)
            } else {
                clusters.append(Cluster(x: x, time: time...time, count: 1))
            }
        }
        return clusters
    }
}
