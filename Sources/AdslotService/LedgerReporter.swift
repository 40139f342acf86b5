internal import Ledger
internal import LinuxSupport
internal import Varlink

/// Puts a report together step by step, with everybody else served between the steps.
final class LedgerReporter {
    private let service: LedgerService
    private let call: VarlinkCall
    private var draft: ReportDraft
    private var timer: LoopTimer?

    init(_ draft: ReportDraft, of service: LedgerService, _ call: VarlinkCall) {
        self.draft = draft
        self.service = service
        self.call = call
    }

    /// Answers the call when all is summed up. The timer keeps this object until then.
    func run(on loop: EventLoop) {
        do throws(SystemError) {
            timer = try loop.makeTimer { self.step(on: loop) }
            step(on: loop)
        } catch {
            call.fail("org.adslotd.Ledger.Unavailable", ["message": .string(error.description)])
        }
    }

    private func step(on loop: EventLoop) {
        // Nobody waits for it any more.
        guard call.isOpen else { return timer = nil }
        do throws(LedgerError) {
            try service.ledger.add(to: &draft, at: service.clocks())
            guard draft.isComplete else { return timer?.arm(at: loop.now) ?? () }
            let report = try service.ledger.finish(draft, at: service.clocks())
            call.reply(EncodedReply { $0.members(of: report) })
        } catch {
            call.failUnavailable(error)
        }
        timer = nil
    }
}
