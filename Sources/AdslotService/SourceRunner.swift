internal import AdSlots
internal import Configuration
internal import LinuxSupport
internal import Reachability

/// Asks the sources and hands their answers on. What is answered is decided by the sources' own policies;
/// this keeps the time.
final class SourceRunner {
    /// What GetStatus shows of a source.
    struct Account {
        var requests = 0
        var fills = 0
        var lastError: SourceError?
    }

    private let loop: EventLoop
    /// Is told of each answer.
    var onAnswer: (RequestID, Result<Creative, SourceError>) -> Void = { _, _ in }
    private let onFailure: (SystemError) -> Void
    private(set) var settings: [SourceSettings]
    private var accounts: [String: Account] = [:]
    private var pending: [RequestID: LoopTimer] = [:]

    init(
        loop: EventLoop, settings: [SourceSettings],
        onFailure: @escaping (SystemError) -> Void
    ) {
        self.loop = loop
        self.settings = settings
        self.onFailure = onFailure
    }

    /// Takes other sources into force; questions under way keep their answers.
    func configure(_ settings: [SourceSettings]) {
        self.settings = settings
    }

    func account(of name: String) -> Account { accounts[name] ?? Account() }

    /// Asks a source. The answer comes later, and not at all once it is cancelled.
    func ask(_ request: SourceRequest) {
        accounts[request.source.name, default: Account()].requests += 1
        let now = loop.instant
        guard let source = settings.first(where: { $0.name == request.source.name }) else {
            return deliver(.failure(.configuration), to: request.id, at: now)
        }
        guard let reply = source.test.answer(to: request, at: now) else { return }
        deliver(reply.result, to: request.id, at: now + reply.after)
    }

    /// Nobody waits for this answer any more.
    func cancel(_ request: RequestID) {
        pending[request] = nil
    }

    func noteFill(source: String) {
        accounts[source, default: Account()].fills += 1
    }

    func noteFailure(source: String, _ error: SourceError) {
        accounts[source, default: Account()].lastError = error
    }

    /// Even an immediate answer goes through the loop, so that it never arrives inside the question.
    private func deliver(_ result: Result<Creative, SourceError>, to request: RequestID, at moment: Instant) {
        do throws(SystemError) {
            let timer = try loop.makeTimer { [unowned self] in
                guard pending.removeValue(forKey: request) != nil else { return }
                onAnswer(request, result)
            }
            timer.arm(at: moment.microseconds)
            pending[request] = timer
        } catch {
            // Without a timer the request's own time runs out, and the slot tries again.
            onFailure(error)
        }
    }
}
