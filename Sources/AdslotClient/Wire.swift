internal import LinuxBase
internal import VarlinkCore

/// One connection to the daemon that never waits: calls go out as the socket takes them, replies are taken as
/// they come.
final class Wire {
    let descriptor: CInt
    private let socket: OwnedDescriptor
    private let poller: Poller
    private var framer = MessageFramer(messageBytesMax: VarlinkCore.Limits.replyBytesMax)
    private var output: [UInt8] = []
    private var sent = 0

    /// Connects; the poller is told of the socket until this object goes.
    init(_ path: String, _ poller: Poller) throws(SystemError) {
        socket = try UnixSocket.connect(path: path)
        descriptor = socket.raw
        self.poller = poller
        try poller.add(descriptor, .readable)
    }

    deinit {
        poller.remove(descriptor)
    }

    /// Sends a call, or has it wait until the socket takes it.
    func send(_ call: CallMessage) throws(AdslotError) {
        output += call.encoded
        try flush()
    }

    /// Sends what waits.
    func flush() throws(AdslotError) {
        do throws(SystemError) {
            while sent < output.count {
                guard let count = try UnixSocket.send(descriptor, output, from: sent) else {
                    return try poller.change(descriptor, to: [.readable, .writable])
                }
                sent += count
            }
            guard !output.isEmpty else { return }
            output.removeAll(keepingCapacity: true)
            sent = 0
            try poller.change(descriptor, to: .readable)
        } catch {
            throw Self.error(error)
        }
    }

    /// Takes what has come; further bytes are read when the socket is ready the next time.
    func receive() throws(AdslotError) -> [ReplyMessage] {
        var bytes: [UInt8] = []
        do throws(SystemError) {
            switch try UnixSocket.receive(descriptor, into: &bytes, maximum: Limits.receiveBytes) {
            case .bytes: framer.append(bytes)
            case .wouldBlock: break
            case .endOfFile: throw SystemError.disconnection("recv")
            }
        } catch {
            throw Self.error(error)
        }
        var replies: [ReplyMessage] = []
        while true {
            let message: ArraySlice<UInt8>?
            do {
                message = try framer.next()
            } catch {
                throw .malformed("a message of more than \(error.messageBytesMax) bytes")
            }
            guard let message else { return replies }
            guard let reply = ReplyMessage(reading: message) else { throw .malformed("no reply") }
            replies.append(reply)
        }
    }

    private static func error(_ error: SystemError) -> AdslotError {
        .disconnected(error.isDisconnection ? "the daemon closed the connection" : error.description)
    }
}
