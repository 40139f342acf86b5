internal import LinuxBase
internal import Synchronization

/// What a loop can drive.
protocol LoopDriven: AnyObject, SendableMetatype {
    var descriptor: CInt { get }
    func process()
    func close()
}

extension SlotHost: LoopDriven {}
extension PausableWork: LoopDriven {}

/// A thread that drives one subject, which lives and dies on it. Everybody else reaches it by
/// ``perform(_:)``.
final class BackgroundLoop<Subject: LoopDriven>: Sendable {
    typealias Job = @Sendable (Subject) -> Void

    private struct Inbox {
        var jobs: [Job] = []
        var isClosed = false
    }

    private let inbox = Mutex(Inbox())
    private let wakeUp: WakeUp

    /// Starts the thread.
    /// - Parameter make: makes the subject, on the thread.
    /// - Parameter whenOver: is called on it at the end, with the reason where it is an error.
    init(
        _ make: @escaping @Sendable () throws(AdslotError) -> Subject,
        whenOver: @escaping @Sendable (AdslotError?) -> Void
    ) throws(AdslotError) {
        do throws(SystemError) {
            wakeUp = try WakeUp()
            try SystemThread.start { [self] in
                do throws(AdslotError) {
                    let subject = try make()
                    run(subject)
                    subject.close()
                    whenOver(nil)
                } catch {
                    whenOver(error)
                }
                // Jobs that came too late have nobody left to do them: dropping them ends who waits.
                inbox.withLock { $0 = Inbox(isClosed: true) }
            }
        } catch {
            throw .system(error.description)
        }
    }

    /// Has something done on the thread.
    /// - Returns: false when it has ended, or has more to do than it should.
    @discardableResult
    func perform(_ job: @escaping Job) -> Bool {
        let isTaken = inbox.withLock { inbox in
            guard !inbox.isClosed, inbox.jobs.count < Limits.callsMax else { return false }
            inbox.jobs.append(job)
            return true
        }
        if isTaken { wakeUp.raise() }
        return isTaken
    }

    /// Ends the thread, soon. What was asked for before is done first.
    func close() {
        inbox.withLock { $0.isClosed = true }
        wakeUp.raise()
    }

    private func run(_ subject: Subject) {
        while true {
            let (jobs, isClosed) = inbox.withLock { inbox in
                defer { inbox.jobs = [] }
                return (inbox.jobs, inbox.isClosed)
            }
            for job in jobs { job(subject) }
            if isClosed { return }
            // A wait that fails would spin; it fails only for want of memory, and then waits a little.
            if (try? Waiting.wait(forEither: subject.descriptor, wakeUp.descriptor)) == nil {
                Waiting.pause(milliseconds: 100)
            }
            wakeUp.lower()
            subject.process()
        }
    }
}
