/// Different values kept in order, however many: insertion and removal move at most one chunk's worth.
struct OrderedChunks<Element: Comparable & Sendable>: Sendable {
    /// Sorted chunks, none of them empty, each before the next.
    private var chunks: [[Element]] = []

    private static var chunkMax: Int { 256 }

    init() {}

    var first: Element? { chunks.first?.first }
    var isEmpty: Bool { chunks.isEmpty }

    mutating func insert(_ element: Element) {
        guard !chunks.isEmpty else {
            chunks = [[element]]
            return
        }
        var chunk = chunks.partitioningIndex { element < $0[$0.count - 1] }
        if chunk == chunks.count { chunk -= 1 }
        let place = chunks[chunk].partitioningIndex { element < $0 }
        chunks[chunk].insert(element, at: place)
        guard chunks[chunk].count > Self.chunkMax else { return }
        let half = Array(chunks[chunk][(Self.chunkMax / 2)...])
        chunks[chunk].removeSubrange((Self.chunkMax / 2)...)
        chunks.insert(half, at: chunk + 1)
    }

    mutating func remove(_ element: Element) {
        let chunk = chunks.partitioningIndex { $0[$0.count - 1] >= element }
        precondition(chunk < chunks.count, "the element is not there")
        let place = chunks[chunk].partitioningIndex { $0 >= element }
        precondition(chunks[chunk][place] == element, "the element is not there")
        chunks[chunk].remove(at: place)
        if chunks[chunk].isEmpty { chunks.remove(at: chunk) }
    }
}

extension OrderedChunks: Sequence {
    struct Iterator: IteratorProtocol {
        fileprivate let chunks: [[Element]]
        fileprivate var chunk = 0
        fileprivate var place = 0

        mutating func next() -> Element? {
            guard chunk < chunks.count else { return nil }
            defer {
                place += 1
                if place == chunks[chunk].count { (chunk, place) = (chunk + 1, 0) }
            }
            return chunks[chunk][place]
        }
    }

    func makeIterator() -> Iterator { Iterator(chunks: chunks) }
}
