internal import Varlink

/// The callers of one stream. An event is encoded once for all of them.
final class Subscribers {
    private var calls: [Int: VarlinkCall] = [:]
    private var order: [Int] = []
    private var lastKey = 0

    var isEmpty: Bool { calls.isEmpty }

    /// Adds a caller until its connection goes. A connection has one call open at a time, so the server's
    /// bound on clients is the bound here.
    func add(_ call: VarlinkCall) {
        lastKey += 1
        let key = lastKey
        calls[key] = call
        order.append(key)
        call.onEnd { [weak self] in self?.remove(key) }
    }

    /// Sends one reply to all, the earliest subscriber first.
    func send(_ reply: EncodedReply) {
        for key in order { calls[key]?.reply(reply) }
    }

    private func remove(_ key: Int) {
        calls[key] = nil
        order.removeAll { $0 == key }
    }
}
