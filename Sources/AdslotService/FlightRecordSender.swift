internal import Varlink

/// Sends a flight record piece by piece, each when the kernel has taken the one before it: a slow reader
/// makes it wait, and is not dropped.
final class FlightRecordSender {
    private let file: [UInt8]
    private let call: VarlinkCall
    private let onEnd: () -> Void
    private var sent = 0

    /// - Parameter onEnd: is called once, when the last piece has been queued or the client has gone.
    init(_ file: [UInt8], _ call: VarlinkCall, onEnd: @escaping () -> Void) {
        self.file = file
        self.call = call
        self.onEnd = onEnd
        call.onEnd(onEnd)
    }

    /// Sends the next piece. What waits for the one after it keeps this object.
    func send() {
        let end = min(sent + Limits.flightRecordPieceBytes, file.count)
        let continues = end < file.count
        let reply = EncodedReply(continues: continues) { writer in
            writer.member("data", Base64.encode(file[sent..<end]))
            writer.member("sizeBytes", file.count)
        }
        sent = end
        call.reply(reply)
        if continues { call.whenSent { self.send() } } else { onEnd() }
    }
}
