import Glibc
import Testing

@testable import LinuxBase
@testable import LinuxSupport

extension LinuxSupportTests {
    @Suite("The gateway to errno")
    struct ErrorTests {
        /// A call that answers as it is told, one answer a call: a result, or -1 with an errno.
        private final class Call {
            enum Answer {
                case result(Int)
                case failure(Int32)
            }

            private var answers: [Answer]
            private(set) var calls = 0

            init(_ answers: Answer...) {
                self.answers = answers
            }

            func callAsFunction() -> Int {
                calls += 1
                switch answers.removeFirst() {
                case .result(let result): return result
                case .failure(let code):
                    errno = code
                    return -1
                }
            }
        }

        @Test("A call that a signal interrupts is made again")
        func interrupted() throws {
            let call = Call(.failure(EINTR), .failure(EINTR), .result(5))
            #expect(try check("call") { call() } == 5)
            #expect(call.calls == 3)
            let other = Call(.failure(EINTR), .result(0))
            #expect(try checkNonBlocking("call") { other() } == 0)
            #expect(other.calls == 2)
        }

        @Test("A failure is told at once, with what was tried on what, and why")
        func failure() {
            let call = Call(.failure(EINTR), .failure(EACCES))
            let error = systemError { () throws(SystemError) in _ = try check("open", on: "/a") { call() } }
            #expect(error == SystemError(operation: "open", subject: "/a", code: EACCES))
            #expect(error?.description == "open /a: Permission denied")
            #expect(
                SystemError(operation: "socket", code: EMFILE).description == "socket: Too many open files")
        }

        @Test("What would have to wait is no failure", arguments: [EAGAIN, EWOULDBLOCK])
        func wouldBlock(code: Int32) throws {
            let call = Call(.failure(code))
            #expect(try checkNonBlocking("recv") { call() } == nil)
            let error = systemError { () throws(SystemError) in
                _ = try checkNonBlocking("recv") { Call(.failure(ECONNRESET))() }
            }
            #expect(error?.code == ECONNRESET)
            let blocking = systemError { () throws(SystemError) in
                _ = try check("recv") { Call(.failure(code))() }
            }
            #expect(blocking?.code == code, "a blocking call that gives up has run into its time limit")
        }

        @Test("A signal during a read that waits does not end it")
        func realInterruption() throws {
            // Another thread interrupts this one's recv many times before it sends.
            var action = sigaction()
            unsafe action.__sigaction_handler.sa_handler = { _ in }
            var old = sigaction()
            try #require(unsafe sigaction(SIGUSR1, &action, &old) == 0)
            defer { _ = unsafe sigaction(SIGUSR1, &old, nil) }
            let pair = try SocketPair()
            let flags = fcntl(pair.near, F_GETFL)
            _ = fcntl(pair.near, F_SETFL, flags & ~O_NONBLOCK)

            final class Knocker {
                let thread = pthread_self()
                let far: Int32
                init(far: Int32) { self.far = far }
            }
            let knocker = Knocker(far: pair.far)
            var thread = pthread_t()
            let context = unsafe Unmanaged.passUnretained(knocker).toOpaque()
            let status = unsafe pthread_create(
                &thread, nil,
                { context in
                    guard let context = unsafe context else { return nil }
                    let knocker = unsafe Unmanaged<Knocker>.fromOpaque(context).takeUnretainedValue()
                    for _ in 0..<20 {
                        usleep(500)
                        _ = pthread_kill(knocker.thread, SIGUSR1)
                    }
                    _ = unsafe send(knocker.far, "x", 1, 0)
                    return nil
                }, context)
            try #require(status == 0)
            var bytes: [UInt8] = []
            #expect(try UnixSocket.receive(pair.near, into: &bytes, maximum: 1) == .bytes(1))
            pthread_join(thread, nil)
        }

        @Test("A negative answer of sd-event is its errno")
        func negative() throws {
            #expect(try checkNegative("sd_event_run", 3) == 3)
            let error = systemError { () throws(SystemError) in try checkNegative("sd_event_run", -ESTALE) }
            #expect(error == SystemError(operation: "sd_event_run", code: ESTALE))
        }

        @Test("Errors are sorted by what can be done about them")
        func kinds() {
            func error(_ code: Int32) -> SystemError { SystemError(operation: "x", code: code) }
            #expect(error(ENOENT).isMissing && !error(EACCES).isMissing)
            #expect(error(EMFILE).isOutOfDescriptors && error(ENFILE).isOutOfDescriptors)
            #expect(!error(ENOMEM).isOutOfDescriptors)
            #expect(
                error(EACCES).isNotPermitted && error(EPERM).isNotPermitted && !error(ENOENT).isNotPermitted)
            #expect(error(ENOPROTOOPT).isUnsupportedOption && !error(EINVAL).isUnsupportedOption)
            errno = EXDEV
            #expect(SystemError.last("rename") == SystemError(operation: "rename", code: EXDEV))
            #expect(SystemError.outOfMemory("x").code == ENOMEM)
            #expect(SystemError.malformed("x").code == EBADMSG)
        }
    }
}
