internal import HTTPClient
public import LinuxSupport
public import OpenRTB
internal import Reachability

/// Notices that wait in memory: sent while the network is there, the oldest first, each until it has an
/// answer.
///
/// A notice that may have arrived is sent again when its answer did not come: its id in the URL, where the
/// bidder put one, tells it apart. What waits when the daemon ends is lost.
public final class NoticeQueue: NoticeSender {
    /// How a notice ended.
    public enum End: Equatable, Sendable {
        /// It was answered.
        case sent(status: Int)
        /// It was answered by a status that another attempt would not change.
        case refused(status: Int)
        /// It was tried as often as a notice is.
        case givenUp(String)
        /// More waited than may wait.
        case crowdedOut
    }

    private struct Entry {
        let notice: Notice
        var attempts = 0
        var notBefore = Instant(microseconds: .min)
        var isInFlight = false
    }

    private let loop: EventLoop
    private let http: SharedHTTP
    private let onEnd: (Notice, End) -> Void
    private var entries: [Entry] = []
    private var timer: LoopTimer?
    private var remembered: Set<String> = []
    private var rememberedOrder: [String] = []
    private var generator = SystemRandomNumberGenerator()

    /// Whether the network is there; while it is not, everything waits.
    public var isReachable = false {
        didSet { if isReachable, !oldValue { sendMore() } }
    }

    /// - Parameter onEnd: is told of each notice that waits no longer.
    public init(
        loop: EventLoop, http: SharedHTTP, onEnd: @escaping (Notice, End) -> Void
    ) throws(SystemError) {
        self.loop = loop
        self.http = http
        self.onEnd = onEnd
        timer = try loop.makeTimer { [unowned self] in sendMore() }
    }

    /// Takes a notice, see ``NoticeSender``.
    public func enqueue(url: String, kind: Notice.Kind, id: String) {
        guard remember(id) else { return }
        let notice = Notice(kind: kind, url: url, id: id)
        makeRoom()
        entries.append(Entry(notice: notice))
        // Never within the call: what brought the notice up comes first.
        arm(at: loop.instant)
    }

    /// False when the id has been taken before.
    private func remember(_ id: String) -> Bool {
        guard remembered.insert(id).inserted else { return false }
        rememberedOrder.append(id)
        guard rememberedOrder.count > Limits.noticesRememberedMax else { return true }
        for forgotten in rememberedOrder.prefix(Limits.noticesRememberedMax / 2) {
            remembered.remove(forgotten)
        }
        rememberedOrder.removeFirst(Limits.noticesRememberedMax / 2)
        return true
    }

    /// Losers are told last when not everybody can be.
    private func makeRoom() {
        guard entries.count >= Limits.noticesMax else { return }
        let waiting = entries.indices.filter { !entries[$0].isInFlight }
        let least = waiting.first { entries[$0].notice.kind == .loss } ?? waiting.first
        guard let least else { return }
        onEnd(entries.remove(at: least).notice, .crowdedOut)
    }

    private func arm(at moment: Instant) {
        timer?.arm(at: moment.microseconds)
    }

    private func sendMore() {
        guard isReachable else { return }
        let now = loop.instant
        var room = Limits.noticesInFlightMax - entries.count(where: \.isInFlight)
        var index = 0
        while room > 0, index < entries.count {
            if !entries[index].isInFlight, entries[index].notBefore <= now {
                send(index)
                room -= 1
            }
            index += 1
        }
        // With all of them in flight, the next end brings the next turn.
        guard room > 0 else { return }
        let next = entries.lazy.filter { !$0.isInFlight }.map(\.notBefore).min()
        if let next { arm(at: max(next, now)) }
    }

    private func send(_ index: Int) {
        entries[index].attempts += 1
        let notice = entries[index].notice
        var request = HTTPRequest(url: notice.url)
        request.redirectsMax = Limits.redirectsMax
        request.timeout = Limits.noticeTimeout
        request.bodyBytesMax = Limits.noticeAnswerBytesMax
        request.longBody = .isCut
        do throws(HTTPFailure) {
            try http.start(request) { [weak self] in self?.ended(notice, $0) }
            entries[index].isInFlight = true
        } catch {
            putOff(index, because: error.description)
        }
    }

    private func ended(_ notice: Notice, _ result: Result<HTTPResponse, HTTPFailure>) {
        guard let index = entries.firstIndex(where: { $0.notice.id == notice.id }) else { return }
        entries[index].isInFlight = false
        switch result {
        case .success(let response)
        where [408, 425, 429].contains(response.status) || response.status >= 500:
            putOff(index, because: "status \(response.status)")
        case .success(let response):
            entries.remove(at: index)
            let isTaken = response.status < 400
            onEnd(notice, isTaken ? .sent(status: response.status) : .refused(status: response.status))
        case .failure(let failure):
            putOff(index, because: failure.description)
        }
        sendMore()
    }

    /// Waits before the next attempt, or gives up.
    private func putOff(_ index: Int, because reason: String) {
        guard entries[index].attempts < Limits.noticeAttemptsMax else {
            onEnd(entries.remove(at: index).notice, .givenUp(reason))
            return
        }
        let doubled = Limits.noticeRetry * (1 << (entries[index].attempts - 1))
        let jitter = Int64.random(in: 800...1_200, using: &generator)
        let wait = min(doubled, Limits.noticeRetryMax).microseconds / 1_000 * jitter
        entries[index].notBefore = loop.instant + .microseconds(wait)
        arm(at: entries[index].notBefore)
    }
}
