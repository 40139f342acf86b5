public import AdSlots
internal import Campaigns
internal import HTTPClient
public import LinuxSupport
public import OpenRTB
internal import Reachability

/// A source of kind `openrtb`: posts a bid request, has the answer judged, and hands on what has won.
public final class OpenRTBSource: AdSource {
    /// What a source of this kind shares with the others.
    public struct Surroundings {
        let loop: EventLoop
        let http: SharedHTTP
        let deliveries: Deliveries
        let notices: any NoticeSender
        let connection: () -> ConnectionType
        let screens: any ScreenWatch
        let onFailure: (SystemError) -> Void

        /// - Parameters:
        ///   - deliveries: Keeps what is to be said once an ad has been taken and seen.
        ///   - notices: Sends what losers are told.
        ///   - connection: What a request would leave by now.
        ///   - screens: Knows which competitors are on other screens.
        ///   - onFailure: Is told when there is no timer for an answer.
        public init(
            loop: EventLoop, http: SharedHTTP, deliveries: Deliveries, notices: any NoticeSender,
            connection: @escaping () -> ConnectionType, screens: any ScreenWatch,
            onFailure: @escaping (SystemError) -> Void
        ) {
            self.loop = loop
            self.http = http
            self.deliveries = deliveries
            self.notices = notices
            self.connection = connection
            self.screens = screens
            self.onFailure = onFailure
        }
    }

    private let name: String
    private var settings: DemandSettings
    private var breaker: CircuitBreaker
    private let surroundings: Surroundings
    private let answers: AnswerTimers
    private var exchanges: [RequestID: (exchange: HTTPExchange, deadline: Instant)] = [:]
    private var generator = SystemRandomNumberGenerator()

    private var loop: EventLoop { surroundings.loop }

    /// - Parameter name: the source's, for the ads that come from it.
    public init(
        name: String, settings: DemandSettings, breaker: CircuitBreaker.Settings,
        in surroundings: Surroundings
    ) {
        self.name = name
        self.settings = settings
        self.breaker = CircuitBreaker(settings: breaker)
        self.surroundings = surroundings
        answers = AnswerTimers(loop: surroundings.loop, onFailure: surroundings.onFailure)
    }

    /// Takes other settings into force, for the questions that come. Another endpoint starts with a clean
    /// slate.
    public func configure(_ settings: DemandSettings, breaker: CircuitBreaker.Settings) {
        if settings.endpoint != self.settings.endpoint {
            self.breaker = CircuitBreaker(settings: breaker)
        } else {
            self.breaker.settings = breaker
        }
        self.settings = settings
    }

    /// Asks: posts a bid request, unless the exchange is being left alone.
    public func ask(_ request: SourceRequest, answer: @escaping (SourceAnswer) -> Void) {
        let now = loop.instant
        if case .refused(let error, let until) = breaker.begin(at: now) {
            let rest =
                until.map { " for \(max(1, ($0 - now).components.seconds)) s more" } ?? " but for a trial"
            return answers.deliver(.failed(error, "left alone\(rest)"), to: request.id, at: now, answer)
        }
        let wait = request.deadline - now
        let left = settings.timeout.map { min($0, wait) } ?? wait
        guard
            let bidRequest = BidRequest(
                id: newID(), settings: settings, slot: request.slot,
                format: Format(width: request.size.width, height: request.size.height),
                connection: surroundings.connection(), timeLeft: left,
                now: SystemClock.realtime() / 1_000, neighbours: neighbours(of: request.slot))
        else {
            note(.abandoned)
            let detail = "Overhead= leaves nothing of the time for an answer"
            return answers.deliver(.failed(.configuration, detail), to: request.id, at: now, answer)
        }
        do throws(HTTPFailure) {
            let exchange = try surroundings.http.start(post(bidRequest, within: left)) {
                [unowned self] result in
                exchanges[request.id] = nil
                answer(judged(result, of: bidRequest, for: request))
            }
            exchanges[request.id] = (exchange, request.deadline)
        } catch {
            let (word, outcome) = Self.word(for: error)
            note(outcome)
            answers.deliver(.failed(word, error.description), to: request.id, at: now, answer)
        }
    }

    /// Nobody waits for this answer any more.
    public func cancel(_ request: RequestID) {
        answers.cancel(request)
        guard let (exchange, deadline) = exchanges.removeValue(forKey: request) else { return }
        exchange.cancel()
        // The slot's own time for an answer may be over before ours.
        note(deadline <= loop.instant ? .failed(.timeout) : .abandoned)
    }

    /// The network is back: an exchange that could not be reached is tried at once.
    public func networkGained() {
        breaker.networkGained(at: loop.instant)
    }

    private func post(_ bidRequest: BidRequest, within time: Duration) -> HTTPRequest {
        var request = HTTPRequest(url: settings.endpoint)
        request.method = .post(bidRequest.encoded)
        request.headers =
            BidRequest.headers.map { HTTPHeader($0.0, $0.1) }
            + settings.headers.map { HTTPHeader($0.name, $0.value) }
        request.timeout = time
        request.connectTimeout = time
        request.bodyBytesMax = OpenRTB.Limits.responseBytesMax
        request.acceptsCompression = true
        // The configured fields, a key among them perhaps, are for nobody but the endpoint.
        request.redirectsMax = settings.headers.isEmpty ? Limits.redirectsMax : 0
        return request
    }

    private func judged(
        _ result: Result<HTTPResponse, HTTPFailure>, of bidRequest: BidRequest, for request: SourceRequest
    ) -> SourceAnswer {
        switch result {
        case .failure(let failure):
            let (word, outcome) = Self.word(for: failure)
            note(outcome)
            return .failed(word, failure.description)
        case .success(let response):
            return judged(response, of: bidRequest, for: request)
        }
    }

    private func judged(
        _ response: HTTPResponse, of bidRequest: BidRequest, for request: SourceRequest
    ) -> SourceAnswer {
        switch response.status {
        case 200:
            // What stood beside the slot when it was asked is in the request; this is what does now.
            let auction = bidRequest.judge(response.body) { domains, categories in
                let separation = Separation(domains: domains, categories: categories)
                return surroundings.screens.competitor(of: separation, besides: request.slot)
            }
            return judged(auction, for: request)
        case 204:
            note(.worked)
            return .failed(.noFill, "status 204")
        case 429:
            return throttled(response)
        case 503 where response.header("Retry-After") != nil:
            return throttled(response)
        case 408:
            note(.failed(.timeout))
            return .failed(.timeout, "status 408")
        case 400..<500:
            note(.failed(.configuration))
            return .failed(.configuration, "status \(response.status)")
        default:
            note(.failed(.serverFailure))
            return .failed(.serverFailure, "status \(response.status)")
        }
    }

    private func throttled(_ response: HTTPResponse) -> SourceAnswer {
        let asked = response.retryAfter(now: SystemClock.realtime() / 1_000_000) ?? Limits.pause.usual
        let pause = min(max(asked, Limits.pause.least), Limits.pause.most)
        note(.throttled(pause))
        return .failed(.throttled, "status \(response.status), left alone for \(pause.components.seconds) s")
    }

    private func judged(_ auction: AuctionResult, for request: SourceRequest) -> SourceAnswer {
        surroundings.notices.enqueue(auction.losses)
        switch auction.outcome {
        case .won(let win):
            note(.worked)
            surroundings.deliveries.note(win, for: request.id)
            return SourceAnswer(.success(creative(of: win, size: request.size)))
        case .noFill(let reason):
            note(.worked)
            return .failed(.noFill, reason)
        case .refused(let flaw):
            let word = SourceError(flaw.kind)
            // An exchange that bids works; only one that does not speak to the question is broken.
            note(word == .serverFailure ? .failed(.serverFailure) : .worked)
            return .failed(word, flaw.description)
        }
    }

    private func creative(of win: Win, size: Size) -> AdSlots.Creative {
        AdSlots.Creative(
            id: win.creativeID, source: name, mediaType: "text/html", size: size, markup: win.markup,
            clickURL: win.clickURL, advertiserDomains: win.domains, categories: win.categories,
            expires: win.expirySeconds.map { loop.instant + .seconds($0) }, isFromNetwork: true,
            campaign: win.campaignID,
            price: CPM(nanos: win.price.billionths, currency: win.currency))
    }

    private func neighbours(of slot: String) -> BidRequest.Neighbours {
        let separation = surroundings.screens.neighbours(of: slot)
        return BidRequest.Neighbours(domains: separation.domains, categories: separation.categories)
    }

    private func note(_ outcome: CircuitBreaker.Outcome) {
        breaker.ended(outcome, at: loop.instant, using: &generator)
    }

    /// 128 random bits: nobody can guess the next, or tell devices apart by them.
    private func newID() -> String {
        (0..<2).map { _ in
            let digits = String(generator.next() as UInt64, radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
    }

    private static func word(for failure: HTTPFailure) -> (SourceError, CircuitBreaker.Outcome) {
        switch failure.code {
        case .timeout: (.timeout, .failed(.timeout))
        case .resolution, .connection, .security: (.unreachable, .failed(.unreachable))
        case .interrupted, .malformed, .tooLong, .redirects, .other:
            (.serverFailure, .failed(.serverFailure))
        case .unavailable, .invalidRequest: (.configuration, .failed(.configuration))
        // Our own bound, and not the source's fault.
        case .busy: (.throttled, .abandoned)
        }
    }
}

extension SourceError {
    /// The contract's word for what is wrong with an answer.
    init(_ kind: BidFlaw.Kind) {
        switch kind {
        case .noFill: self = .noFill
        case .wrongAnswer: self = .serverFailure
        case .wrongCreative: self = .invalidCreative
        case .expired: self = .expired
        }
    }
}
