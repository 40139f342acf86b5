import Glibc
import LinuxSupport
import Testing

extension LinuxSupportTests {
    @Suite("Datagrams")
    struct DatagramTests {
        /// Two connected sockets, closed with the object.
        private final class Pair {
            let near: Int32
            let far: Int32

            init() throws {
                var raw: [Int32] = [-1, -1]
                let flags = Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
                try #require(unsafe socketpair(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | flags, 0, &raw) == 0)
                (near, far) = (raw[0], raw[1])
            }

            deinit {
                _ = close(near)
                _ = close(far)
            }
        }

        @Test("A datagram that fits is read whole, a longer one is told to be cut, and then there is nothing")
        func receive() throws {
            let pair = try Pair()
            let buffer = DatagramBuffer(capacity: 8)
            #expect(try DatagramSocket.receive(pair.near, into: buffer) == .wouldBlock)
            for text in ["12345678", "", "123456789", "abc"] {
                try #require(unsafe send(pair.far, text, text.utf8.count, 0) == text.utf8.count)
            }
            #expect(try DatagramSocket.receive(pair.near, into: buffer) == .bytes(8))
            let first = unsafe buffer.withBytes(8) { unsafe Array($0) }
            #expect(first == Array("12345678".utf8))
            #expect(try DatagramSocket.receive(pair.near, into: buffer) == .bytes(0))
            #expect(try DatagramSocket.receive(pair.near, into: buffer) == .truncated)
            #expect(try DatagramSocket.receive(pair.near, into: buffer) == .bytes(3))
            let last = unsafe buffer.withBytes(3) { unsafe Array($0) }
            #expect(last == Array("abc".utf8))
            let lent = unsafe buffer.withBytes(100) { $0.count }
            #expect(lent == 8, "never more than there is")
            #expect(try DatagramSocket.receive(pair.near, into: buffer) == .wouldBlock)
        }

        @Test("A receive buffer is granted whole, or it is said that it is not")
        func receiveBuffer() throws {
            let pair = try Pair()
            _ = try DatagramSocket.setReceiveBuffer(pair.near, bytes: 1 << 20)
            var size: Int32 = 0
            var length = socklen_t(MemoryLayout<Int32>.size)
            try #require(unsafe getsockopt(pair.near, SOL_SOCKET, SO_RCVBUF, &size, &length) == 0)
            let asked: Int32 = 1 << 10
            #expect(try DatagramSocket.setReceiveBuffer(pair.far, bytes: asked << 3))
            #expect(size >= asked)
        }

        @Test("A read that waits ends at its time limit")
        func timeLimit() throws {
            let pair = try Pair()
            _ = fcntl(pair.near, F_SETFL, fcntl(pair.near, F_GETFL) & ~O_NONBLOCK)
            try DatagramSocket.setReceiveTimeout(pair.near, seconds: 1)
            let begin = SystemClock.boottime()
            #expect(try DatagramSocket.receive(pair.near, into: DatagramBuffer(capacity: 8)) == .wouldBlock)
            #expect((900_000...5_000_000).contains(SystemClock.boottime() - begin))
        }

        @Test("An option that is refused is an error that names it")
        func option() throws {
            let pair = try Pair()
            let error = systemError { () throws(SystemError) in
                try DatagramSocket.setOption(pair.near, SOL_SOCKET, 9_999, 1, named: "NONSENSE")
            }
            #expect(error?.isUnsupportedOption == true)
            #expect(error?.subject == "NONSENSE")
        }
    }
}
