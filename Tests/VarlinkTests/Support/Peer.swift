import Glibc
import LinuxSupport

@testable import Varlink
@testable import VarlinkCore

/// A client that does what no client should: it sends any bytes, in any pieces, and reads when it likes.
final class Peer {
    private var socket: OwnedDescriptor?
    private var framer = MessageFramer(messageBytesMax: Limits.replyBytesMax)
    /// The messages that have been read.
    private(set) var messages: [String] = []
    /// Whether the server has closed the connection.
    private(set) var isClosed = false

    init(_ socket: consuming OwnedDescriptor) {
        self.socket = consume socket
    }

    /// Sends what the kernel takes now; how many bytes that was.
    @discardableResult
    func send(_ text: String) throws -> Int {
        try send(Array(text.utf8))
    }

    @discardableResult
    func send(_ bytes: [UInt8]) throws -> Int {
        guard let raw = socket?.raw else { return 0 }
        return try UnixSocket.send(raw, bytes) ?? 0
    }

    /// Reads what is there.
    func read() throws {
        guard let raw = socket?.raw else { return }
        while !isClosed {
            var bytes: [UInt8] = []
            do throws(SystemError) {
                switch try UnixSocket.receive(raw, into: &bytes, maximum: 1 << 16) {
                case .bytes: framer.append(bytes)
                case .wouldBlock: return
                case .endOfFile: isClosed = true
                }
            } catch {
                guard error.code == ECONNRESET else { throw error }
                isClosed = true
            }
            while let message = try framer.next() {
                messages.append(String(decoding: message, as: UTF8.self))
            }
        }
    }

    /// Says that nothing more will be sent.
    func closeOwnSide() {
        guard let raw = socket?.raw else { return }
        _ = shutdown(raw, CInt(SHUT_WR))
    }

    /// Goes away.
    func hangUp() {
        socket = nil
    }
}
