internal import AdSources
internal import HTTPClient
internal import Ledger
internal import LinuxSupport
internal import Reachability

/// Sends the notices to bidders that wait in the ledger, as the outbox says. It decides nothing itself.
final class OutboxSender {
    private let loop: EventLoop
    private let log: Log
    private unowned let ledger: LedgerService
    private var outbox: Outbox
    private var generator = SystemRandomNumberGenerator()
    private var timer: LoopTimer?
    private let http: SharedHTTP

    /// Takes up what an earlier run left.
    init(loop: EventLoop, log: Log, ledger: LedgerService, http: SharedHTTP) throws(SystemError) {
        self.loop = loop
        self.http = http
        self.log = log
        self.ledger = ledger
        outbox = Outbox(ledger.ledger.takeUnsentNotices())
        timer = try loop.makeTimer { [unowned self] in sendDue() }
    }

    /// How many wait.
    var count: Int { outbox.count }
    /// The moment of the oldest one that waits, in microseconds since the Unix epoch.
    var oldest: Int64? { outbox.oldest }

    /// Takes notices that are on disk, or wait to be.
    func add(_ notices: [OutboundNotice]) {
        for notice in notices {
            guard let displaced = outbox.add(notice) else { continue }
            giveUp(displaced, "no room for more notices")
        }
        sendDue()
    }

    /// The posted state of the network.
    func setReachable(_ reachable: Bool) {
        outbox.setReachable(reachable, at: loop.instant, using: &generator)
        sendDue()
    }

    private func sendDue() {
        for notice in outbox.due(at: loop.instant) { send(notice) }
        guard let deadline = outbox.deadline else { return }
        timer?.arm(at: max(deadline, loop.instant).microseconds)
    }

    private func send(_ notice: OutboundNotice) {
        var request = HTTPRequest(url: notice.url)
        request.timeout = Limits.noticeTimeout
        request.redirectsMax = Limits.noticeRedirectsMax
        request.bodyBytesMax = Limits.noticeAnswerBytesMax
        request.longBody = .isCut
        do throws(HTTPFailure) {
            try http.start(request) { [unowned self] result in
                switch result {
                case .success(let response):
                    let retryAfter = response.retryAfter(now: SystemClock.realtime() / 1_000_000)
                    ended(notice, .status(response.status, retryAfter: retryAfter))
                case .failure(let failure): ended(notice, NoticeAnswer(failure))
                }
                sendDue()
            }
        } catch {
            ended(notice, NoticeAnswer(error))
        }
    }

    private func ended(_ notice: OutboundNotice, _ answer: NoticeAnswer) {
        switch outbox.answered(notice, answer, at: ledger.clocks(), using: &generator) {
        case .delivered:
            ledger.keep([.noticeDone(id: notice.id)])
            log.write(.debug, "notice", "\(notice.kind) \(notice.id) is delivered")
        case .givenUp(let notice, let reason):
            giveUp(notice, reason)
        case .waits(let attempts):
            guard attempts != notice.attempts else { return }
            ledger.keep([.noticeTried(id: notice.id, attempts: attempts)])
            log.write(.debug, "notice", "\(notice.kind) \(notice.id) is not delivered: \(answer)")
        }
    }

    private func giveUp(_ notice: OutboundNotice, _ reason: String) {
        log.write(.warning, "notice", "\(notice.kind) \(notice.id) is given up: \(reason)")
        ledger.keep(ledger.ledger.changes(givingUp: notice, reason: reason, at: ledger.clocks()))
    }
}

extension NoticeAnswer {
    fileprivate init(_ failure: HTTPFailure) {
        switch failure.code {
        case .invalidRequest: self = .unsendable(failure.description)
        case .unavailable, .busy, .resolution, .connection, .security, .timeout, .interrupted, .malformed,
            .tooLong, .redirects, .other:
            self = .failed(failure.description)
        }
    }
}
