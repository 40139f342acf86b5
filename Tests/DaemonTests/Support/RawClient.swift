import Foundation
import LinuxSupport
import Testing
import Varlink

/// A client that sends any bytes.
final class RawClient {
    private let socket: OwnedDescriptor
    private var received: [UInt8] = []
    private var isClosed = false

    init(_ path: String) throws {
        socket = try UnixSocket.connect(path: path)
    }

    /// Sends what the daemon takes; it may close the connection in the middle.
    func send(_ text: String) throws { try send(Array(text.utf8)) }

    func send(_ bytes: [UInt8]) throws {
        let deadline = Deadline()
        var sent = 0
        while sent < bytes.count {
            do throws(SystemError) {
                if let count = try UnixSocket.send(socket.raw, bytes, from: sent) {
                    sent += count
                } else if !deadline.pause() {
                    return
                }
            } catch {
                guard error.code == EPIPE || error.code == ECONNRESET else { throw error }
                isClosed = true
                return
            }
        }
    }

    /// Sends as much of an endless text as the kernel takes without anybody reading.
    func flood(with text: String) throws {
        let bytes = Array(text.utf8)
        for _ in 0..<100_000 {
            do throws(SystemError) {
                guard try UnixSocket.send(socket.raw, bytes) == bytes.count else { return }
            } catch {
                guard error.code == EPIPE || error.code == ECONNRESET else { throw error }
                return
            }
        }
    }

    /// The next message.
    func next() throws -> JSONObject {
        let deadline = Deadline()
        while true {
            if let end = received.firstIndex(of: 0) {
                let message = Array(received[..<end])
                received.removeSubrange(...end)
                return try #require(try JSONValue(reading: message).object)
            }
            guard try read(deadline) else { throw NotInTime(what: "a message", account: "closed") }
        }
    }

    /// Waits until the daemon closes the connection.
    func waitUntilClosed() throws {
        let deadline = Deadline()
        while try read(deadline) {}
    }

    /// - Returns: false when the connection is closed.
    private func read(_ deadline: Deadline) throws -> Bool {
        if isClosed { return false }
        do throws(SystemError) {
            switch try UnixSocket.receive(socket.raw, into: &received, maximum: 65_536) {
            case .bytes: return true
            case .endOfFile: return false
            case .wouldBlock: break
            }
        } catch {
            guard error.code == ECONNRESET else { throw error }
            return false
        }
        guard deadline.waitReadable(socket.raw) else {
            throw NotInTime(what: "a message or the end of the connection", account: "")
        }
        return true
    }
}
