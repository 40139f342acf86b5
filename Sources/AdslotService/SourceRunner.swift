internal import AdSlots
internal import AdSources
internal import Configuration
internal import LinuxSupport
internal import OpenRTB

/// Asks the sources and hands their answers on, and keeps what GetStatus tells of them. What is answered is
/// the sources' own affair.
final class SourceRunner {
    /// What GetStatus shows of a source.
    struct Account {
        var requests = 0
        var fills = 0
        var lastError: SourceError?
    }

    private let loop: EventLoop
    private let log: Log
    /// Is told of each answer.
    var onAnswer: (RequestID, SourceAnswer) -> Void = { _, _ in }
    /// What a request would leave by now.
    var connection: () -> ConnectionType = { .unknown }
    private(set) var settings: [SourceSettings] = []
    private var accounts: [String: Account] = [:]
    private var sources: [String: any AdSource] = [:]
    /// Whom each question under way went to, also after a reload that took that source away.
    private var asked: [RequestID: any AdSource] = [:]
    /// What asks exchanges, and tells bidders.
    let http: SharedHTTP
    private let notices: any NoticeSender
    private let deliveries = Deliveries()
    private let house: HouseAds

    /// - Parameters:
    ///   - notices: sends what bidders are told whose bids lost.
    ///   - house: the house campaigns, and what is on all screens.
    init(
        loop: EventLoop, log: Log, settings: [SourceSettings], notices: any NoticeSender, house: HouseAds
    ) {
        self.loop = loop
        self.log = log
        http = SharedHTTP(loop: loop, userAgent: "adslotd/\(Product.version)")
        self.notices = notices
        self.house = house
        configure(settings)
    }

    /// Takes other sources into force; questions under way keep their answers.
    func configure(_ settings: [SourceSettings]) {
        self.settings = settings
        var kept: [String: any AdSource] = [:]
        for source in settings {
            switch (source.kind, sources[source.name]) {
            case (.test, let test as TestAdSource):
                test.policy = source.test
                kept[source.name] = test
            case (.openrtb, let exchange as OpenRTBSource):
                exchange.configure(source.demand, breaker: source.breaker)
                kept[source.name] = exchange
            case (.house, let house as HouseSource):
                kept[source.name] = house
            case (_, _):
                kept[source.name] = made(source)
            }
        }
        sources = kept
    }

    private func made(_ source: SourceSettings) -> any AdSource {
        let onFailure: (SystemError) -> Void = { [log] error in
            log.write(.warning, "source \(source.name)", "no timer for an answer: \(error)")
        }
        switch source.kind {
        case .test:
            return TestAdSource(policy: source.test, loop: loop, onFailure: onFailure)
        case .openrtb:
            let surroundings = OpenRTBSource.Surroundings(
                loop: loop, http: http, deliveries: deliveries, notices: notices,
                connection: { [unowned self] in connection() }, screens: house, onFailure: onFailure)
            return OpenRTBSource(
                name: source.name, settings: source.demand, breaker: source.breaker, in: surroundings)
        case .house:
            return HouseSource(name: source.name, ads: house, loop: loop, onFailure: onFailure)
        }
    }

    /// Whether ads of a source count for competitive separation: those of kind `test` are nobody's.
    func isJudged(_ name: String) -> Bool { !(sources[name] is TestAdSource) }

    func account(of name: String) -> Account { accounts[name] ?? Account() }

    /// Asks a source. The answer comes later, and not at all once it is cancelled.
    func ask(_ request: SourceRequest) {
        accounts[request.source.name, default: Account()].requests += 1
        // Without a source the request's own time runs out; the configuration allows no such slot.
        guard let source = sources[request.source.name] else { return }
        asked[request.id] = source
        source.ask(request) { [unowned self] answer in
            asked[request.id] = nil
            if case .failure(let error) = answer.result, let detail = answer.detail {
                log.write(.debug, "source \(request.source.name)", "\(error.rawValue): \(detail)")
            }
            onAnswer(request.id, answer)
        }
    }

    /// Nobody waits for this answer any more.
    func cancel(_ request: RequestID) {
        asked.removeValue(forKey: request)?.cancel(request)
    }

    /// The posted state of the network has changed.
    func networkChanged(reachable: Bool) {
        guard reachable else { return }
        for source in sources.values { source.networkGained() }
    }

    func noteFill(of creative: Creative) {
        accounts[creative.source, default: Account()].fills += 1
    }

    /// What bidders are to be told of what has happened: that their ad was taken, or seen. Asked once.
    func notices(of effects: [Effect]) -> [Notice] {
        effects.compactMap { effect in
            switch effect {
            case .filled(_, let creative): creative.request.flatMap { deliveries.taken($0) }
            case .impression(let impression):
                impression.creative.request.flatMap {
                    deliveries.seen($0, at: SystemClock.realtime() / 1_000)
                }
            default: nil
            }
        }
    }

    func noteFailure(source: String, _ error: SourceError) {
        accounts[source, default: Account()].lastError = error
    }
}
