import Glibc
import Testing

@testable import LinuxBase
@testable import LinuxSupport

extension LinuxSupportTests {
    /// Each in a process of its own, whose signals nobody else needs.
    @Suite("Signals")
    struct SignalTests {
        @Test("Each signal reaches its handler through the loop")
        func delivered() async {
            await #expect(processExitsWith: .success) {
                try Signals.prepare()
                let loop = try EventLoop()
                var log: [Signals] = []
                let watches = try Signals.allCases.map { signal in
                    try loop.watch(signal: signal) { log.append(signal) }
                }
                for round in 1...3 {
                    // To this thread: the test runner's others do not block it.
                    for signal in Signals.allCases { _ = pthread_kill(pthread_self(), signal.rawValue) }
                    try loop.turn(until: { log.count == 3 * round })
                }
                try loop.settle()
                try #require(log.count == 9)
                for signal in Signals.allCases { try #require(log.count { $0 == signal } == 3) }
                withExtendedLifetime(watches) {}
            }
        }

        @Test("A signal that is not blocked cannot be watched")
        func unblocked() async {
            await #expect(processExitsWith: .success) {
                var none = sigset_t()
                unsafe sigemptyset(&none)
                _ = unsafe pthread_sigmask(SIG_SETMASK, &none, nil)
                let loop = try EventLoop()
                let error = systemError { () throws(SystemError) in _ = try loop.watch(signal: .hangUp) {} }
                try #require(error?.operation == "sd_event_add_signal")
                try #require(error?.code == EBUSY)
            }
        }

        @Test("A write to a peer that is gone is an error, not a death")
        func brokenPipe() async {
            await #expect(processExitsWith: .success) {
                _ = signal(SIGPIPE, SIG_DFL)
                try Signals.prepare()
                var ends: [Int32] = [0, 0]
                try #require(unsafe pipe(&ends) == 0)
                _ = close(ends[0])
                let error = systemError { () throws(SystemError) in
                    _ = try check("write") { unsafe write(ends[1], "x", 1) }
                }
                try #require(error?.code == EPIPE)
            }
        }
    }
}
