internal import CNetlink
internal import LinuxSupport

/// Knows which links are wireless, by nl80211, from the moment that the kernel has it.
///
/// Only what makes a link wireless is followed. Association, roaming and keys show in the link's carrier and
/// operational state, which rtnetlink tells; whoever joined nl80211's group for them would wake at every
/// frame and learn nothing.
///
/// A message about a link may come before or after rtnetlink's own. The set here is changed by nl80211's
/// messages alone, so that in the end it is right whichever came first.
final class WirelessLinks {
    /// Is told of the links whose answer has changed, sorted.
    var onChange: ([Int]) -> Void = { _ in }
    /// Is told once of each row of failures.
    var onFailure: (SystemError) -> Void = { _ in }

    private let events: NetlinkSocket
    private let queries: QuerySocket
    private let datagramsPerTurn: Int
    private let buffer = DatagramBuffer(capacity: Limits.datagramBytesMax)
    private var family: GenericFamily?
    private var indices: Set<Int> = []
    private var watch: IOWatch?
    /// Messages were lost, and the lists are read when the queue is empty.
    private var isLost = false
    private var hasFailed = false

    /// Opens the sockets; families that come and go are followed from here on.
    init(
        loop: EventLoop, queries: QuerySocket, datagramsPerTurn: Int = Limits.datagramsPerTurnMax
    ) throws(SystemError) {
        self.queries = queries
        self.datagramsPerTurn = datagramsPerTurn
        events = try NetlinkSocket(.generic, blocking: false)
        try events.join(group: GenericFamily.controllerGroup)
        watch = try loop.watch(events.descriptor, for: .readable, priority: .facts) { [unowned self] _ in
            drain()
        }
    }

    /// Whether nl80211 knows the link.
    func contains(_ index: Int) -> Bool { indices.contains(index) }

    /// Reads the list anew. Nobody is told: whoever asks for this reads the links next.
    func reload() {
        guarded { () throws(SystemError) in try readAll() }
    }

    private func readAll() throws(SystemError) {
        try adopt(try GenericFamily.find(GenericFamily.wirelessName, on: queries))
        indices = try readList()
    }

    /// Takes the family that there is now, and follows its links before their list is read. A family that
    /// went and came back has lost its followers, even where its numbers are the old ones.
    private func adopt(_ found: GenericFamily?) throws(SystemError) {
        family = found
        guard let group = found?.groups[NL80211_MULTICAST_GROUP_CONFIG] else { return }
        try events.join(group: group)
    }

    private func readList() throws(SystemError) -> Set<Int> {
        guard let family else { return [] }
        let request = GenericRequest(
            family: family.id, command: UInt8(NL80211_CMD_GET_INTERFACE.rawValue), version: 0,
            flags: Int32(NLM_F_DUMP))
        var list: Set<Int> = []
        for _ in 0..<Limits.dumpAttemptsMax {
            list = []
            let end = try queries.dump(request) { message in
                guard case .present(let index) = WirelessNews(message, family: family.id) else { return }
                if list.count < Limits.wirelessLinksMax { list.insert(index) }
            }
            if end == .complete { break }
        }
        return list
    }

    private func drain() {
        let before = indices
        for _ in 0..<datagramsPerTurn {
            var isDrained = false
            guarded { () throws(SystemError) in
                switch try DatagramSocket.receive(events.descriptor, into: buffer) {
                case .bytes(let count): try handle(count)
                case .wouldBlock:
                    isDrained = true
                    guard isLost else { return }
                    isLost = false
                    // What was lost is in the lists, once nothing older is left in the queue.
                    try readAll()
                case .truncated, .overrun: isLost = true
                }
            }
            if isDrained || hasFailed { break }
        }
        let changed = before.symmetricDifference(indices)
        if !changed.isEmpty { onChange(changed.sorted()) }
    }

    private func handle(_ count: Int) throws(SystemError) {
        var news: GenericFamily?
        unsafe buffer.withBytes(count) { bytes in
            unsafe RawMessage.forEach(in: bytes) { message in
                switch FamilyNews(message) {
                case .present(GenericFamily.wirelessName, let family)?: news = family
                case .gone(GenericFamily.wirelessName)?:
                    news = nil
                    family = nil
                    indices = []
                case .present?, .gone?: break
                case nil: follow(message)
                }
                return true
            }
        }
        guard let news else { return }
        try adopt(news)
        indices = try readList()
    }

    private func follow(_ message: RawMessage) {
        guard let family else { return }
        switch WirelessNews(message, family: family.id) {
        case .present(let index)?:
            if indices.count < Limits.wirelessLinksMax { indices.insert(index) }
        case .gone(let index)?: indices.remove(index)
        case nil: break
        }
    }

    /// Tells the first failure of a row; without nl80211 the other evidence of a link's kind still speaks.
    private func guarded(_ body: () throws(SystemError) -> Void) {
        do throws(SystemError) {
            try body()
            hasFailed = false
        } catch {
            if !hasFailed { onFailure(error) }
            hasFailed = true
        }
    }
}
