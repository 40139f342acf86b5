import Foundation
import Testing

/// Threads on which tests may block. A test of the real daemon mostly waits for the kernel's timers, so many
/// of them fit on few cores; the pool of Swift's own tasks has one thread a core and must not be blocked.
final class BlockingThreads: TaskExecutor, @unchecked Sendable {
    /// As many tests as run at a time.
    static let shared = BlockingThreads(count: 12)

    private let condition = NSCondition()
    private var queue: [UnownedJob] = []

    private init(count: Int) {
        for _ in 0..<count {
            let thread = Thread { [self] in
                while true { unsafe take().runSynchronously(on: asUnownedTaskExecutor()) }
            }
            thread.stackSize = 8 << 20
            thread.start()
        }
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        condition.withLock {
            queue.append(job)
            condition.signal()
        }
    }

    private func take() -> UnownedJob {
        condition.withLock {
            while queue.isEmpty { condition.wait() }
            return queue.removeFirst()
        }
    }
}

/// Runs each test of a suite on a thread of its own.
struct OwnThread: SuiteTrait, TestTrait, TestScoping {
    let isRecursive = true

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        try await withTaskExecutorPreference(BlockingThreads.shared) {
            try await function()
        }
    }
}

extension Trait where Self == OwnThread {
    /// The test blocks its thread.
    static var ownThread: OwnThread { OwnThread() }
}
