import Glibc
import LinuxSupport
import Testing

/// A server on 127.0.0.1 that answers as a test says, on the loop of the client itself.
final class HTTPPeer {
    /// What a request for a path gets.
    enum Answer {
        /// These bytes, then the end of the stream.
        case bytes(String)
        /// These bytes, and nothing more; the connection stays.
        case kept(String)
        /// Nothing at all.
        case silence
        /// These bytes, then this piece for ever.
        case endless(String, piece: String)
        /// These bytes, then a reset.
        case reset(String)
    }

    private final class Connection {
        let socket: OwnedDescriptor
        var watch: IOWatch?
        var received: [UInt8] = []
        var endless: [UInt8] = []

        init(_ socket: consuming OwnedDescriptor) { self.socket = socket }
    }

    let port: UInt16
    var answers: [String: Answer] = [:]
    /// The requests so far, whole.
    private(set) var requests: [String] = []
    private(set) var connectionCount = 0

    private let loop: EventLoop
    private let listener: OwnedDescriptor
    private var watch: IOWatch?
    private var connections: [Int32: Connection] = [:]

    init(loop: EventLoop) throws {
        self.loop = loop
        let raw = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        try #require(raw >= 0)
        listener = OwnedDescriptor(takingOver: raw)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let bound = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                unsafe bind(raw, address, length) == 0 && listen(raw, 16) == 0
                    && getsockname(raw, address, &length) == 0
            }
        }
        try #require(bound)
        port = UInt16(bigEndian: address.sin_port)
        watch = try loop.watch(raw, for: .readable) { [unowned self] _ in accept() }
    }

    func url(_ path: String) -> String { "http://127.0.0.1:\(port)\(path)" }

    /// How many connections the client still holds.
    var openCount: Int { connections.count }

    private func accept() {
        guard let socket = try? UnixSocket.accept(listener.raw) else { return }
        connectionCount += 1
        let raw = socket.raw
        let connection = Connection(socket)
        connections[raw] = connection
        connection.watch = try? loop.watch(raw, for: .readable) { [unowned self] readiness in
            if readiness.contains(.writable) { sendMore(raw) }
            if !readiness.isDisjoint(with: [.readable, .hangUp, .error]) { receive(raw) }
        }
    }

    private func receive(_ raw: Int32) {
        guard let connection = connections[raw] else { return }
        guard case .bytes = try? UnixSocket.receive(raw, into: &connection.received, maximum: 65_536) else {
            connections[raw] = nil
            return
        }
        let text = String(decoding: connection.received, as: UTF8.self)
        guard let end = text.firstRange(of: "\r\n\r\n") else { return }
        let head = text[..<end.lowerBound]
        let length = head.split(separator: "\r\n").first { $0.lowercased().hasPrefix("content-length: ") }
            .flatMap { Int($0.dropFirst(16)) }
        guard text[end.upperBound...].utf8.count >= length ?? 0 else { return }
        connection.received = []
        requests.append(text)
        answer(raw, to: head.split(separator: " ").dropFirst().first.map(String.init) ?? "")
    }

    private func answer(_ raw: Int32, to path: String) {
        switch answers[path] ?? .bytes("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n") {
        case .bytes(let text):
            send(raw, text)
            connections[raw] = nil
        case .kept(let text): send(raw, text)
        case .silence: break
        case .endless(let text, let piece):
            send(raw, text)
            connections[raw]?.endless = Array(String(repeating: piece, count: 1_000).utf8)
            connections[raw]?.watch?.interest = [.readable, .writable]
        case .reset(let text):
            send(raw, text)
            var linger = linger(l_onoff: 1, l_linger: 0)
            _ = unsafe setsockopt(
                raw, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<Glibc.linger>.size))
            connections[raw] = nil
        }
    }

    private func sendMore(_ raw: Int32) {
        guard let connection = connections[raw], !connection.endless.isEmpty else { return }
        if (try? UnixSocket.send(raw, connection.endless)) == nil { connections[raw] = nil }
    }

    private func send(_ raw: Int32, _ text: String) {
        _ = try? UnixSocket.send(raw, Array(text.utf8))
    }
}
