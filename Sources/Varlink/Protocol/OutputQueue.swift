/// Messages that wait to be sent to one peer. They are shared with other queues, not copied.
struct OutputQueue: Sendable {
    private var messages: [[UInt8]] = []
    /// Where the first unsent message stands in `messages`.
    private var first = 0
    /// How much of the first unsent message has been sent.
    private var sentOfFirst = 0

    /// The bytes still to be sent.
    private(set) var count = 0

    /// Whether everything has been sent.
    var isEmpty: Bool { count == 0 }

    /// Adds a message.
    mutating func append(_ message: [UInt8]) {
        messages.append(message)
        count += message.count
    }

    /// What to hand to the kernel next: bytes, and how many of them to leave out at the front. Several
    /// small messages are put together, at most `maximum` bytes.
    func next(maximum: Int) -> (bytes: [UInt8], offset: Int) {
        guard first < messages.count else { return ([], 0) }
        let head = messages[first]
        guard first + 1 < messages.count, head.count - sentOfFirst < maximum else {
            return (head, sentOfFirst)
        }
        var joined = Array(head[sentOfFirst...])
        for message in messages[(first + 1)...] {
            guard joined.count + message.count <= maximum else { break }
            joined += message
        }
        return (joined, 0)
    }

    /// Forgets bytes that have been sent.
    mutating func consume(_ sent: Int) {
        count -= sent
        sentOfFirst += sent
        while first < messages.count, sentOfFirst >= messages[first].count {
            sentOfFirst -= messages[first].count
            messages[first] = []
            first += 1
        }
        if first == messages.count {
            messages.removeAll(keepingCapacity: messages.count < 16)
            first = 0
        } else if first > messages.count / 2 {
            messages.removeSubrange(..<first)
            first = 0
        }
    }

    /// Forgets every message of which nothing has been sent yet. The rest of one that was begun stays:
    /// without it the peer could not tell where the next message begins.
    mutating func dropUnbegun() {
        guard first < messages.count else { return }
        messages = sentOfFirst > 0 ? [messages[first]] : []
        first = 0
        count = (messages.first?.count ?? 0) - sentOfFirst
    }
}
