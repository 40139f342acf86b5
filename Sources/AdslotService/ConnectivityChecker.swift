internal import HTTPClient
internal import LinuxSupport
internal import Reachability

/// Asks what the model wants asked of the internet, one question at a time.
final class ConnectivityChecker {
    private let loop: EventLoop
    private let log: Log
    private let onAnswer: (_ question: Int, ConnectivityAnswer) -> Void
    /// Made with the first question: without one libcurl is never loaded.
    private var client: HTTPClient?
    private var question: ConnectivityQuestion?
    private var exchange: HTTPExchange?
    private var isUnavailable = false

    init(loop: EventLoop, log: Log, onAnswer: @escaping (_ question: Int, ConnectivityAnswer) -> Void) {
        self.loop = loop
        self.log = log
        self.onAnswer = onAnswer
    }

    /// Goes on with a question, begins another, or gives up.
    func follow(_ wanted: ConnectivityQuestion?) {
        guard wanted != question else { return }
        if let question, let exchange {
            exchange.cancel()
            log.write(.debug, "connectivity", "\(question.url): given up without an answer")
        }
        exchange = nil
        question = wanted
        if let wanted { ask(wanted) }
    }

    private func ask(_ question: ConnectivityQuestion) {
        var request = HTTPRequest(url: question.url)
        request.headers = [HTTPHeader("Cache-Control", "no-cache")]
        request.bodyBytesMax = question.bodyBytes
        request.longBody = .isCut
        request.timeout = max(.milliseconds(1), question.deadline - loop.instant)
        request.connectTimeout = request.timeout
        // A portal may have answered for the name, or on the connection, and be gone.
        request.startsAfresh = true
        do throws(HTTPFailure) {
            exchange = try existingClient().start(request) { [unowned self] in ended(question, $0) }
        } catch {
            // The question's deadline passes, and it is asked again later.
            guard !isUnavailable else { return }
            isUnavailable = true
            log.write(.warning, "connectivity", "ConnectivityCheck= cannot be carried out: \(error)")
        }
    }

    private func existingClient() throws(HTTPFailure) -> HTTPClient {
        if let client { return client }
        let made = try HTTPClient(loop: loop, userAgent: "adslotd/\(Product.version)")
        client = made
        return made
    }

    private func ended(_ question: ConnectivityQuestion, _ result: Result<HTTPResponse, HTTPFailure>) {
        exchange = nil
        switch result {
        case .success(let response):
            log.write(.debug, "connectivity", "\(question.url) answers \(response.status)")
            onAnswer(question.number, .response(status: response.status, body: response.body))
        case .failure(let failure):
            log.write(.debug, "connectivity", "\(question.url): \(failure)")
            onAnswer(question.number, .failed)
        }
    }
}
