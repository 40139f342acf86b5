/// Cuts a stream of bytes into messages: each ends with a NUL (varlink.org, "Wire format").
///
/// Every byte is looked at once, however the stream is cut into pieces.
public struct MessageFramer: Sendable {
    /// A message is longer than the bound.
    public struct Oversize: Error, Equatable, Sendable {
        /// The bound, in bytes without the NUL.
        public let messageBytesMax: Int
    }

    private let messageBytesMax: Int
    private var buffer: [UInt8] = []
    /// Where the next message begins.
    private var start = 0
    /// Up to where there is no NUL.
    private var scanned = 0

    /// Creates a framer for messages of at most `messageBytesMax` bytes without the NUL.
    public init(messageBytesMax: Int) {
        self.messageBytesMax = messageBytesMax
    }

    /// The bytes that no message has been made of yet.
    public var rest: ArraySlice<UInt8> { buffer[start...] }

    /// Takes what has been received.
    public mutating func append(_ bytes: [UInt8]) {
        discardTaken()
        buffer.append(contentsOf: bytes)
    }

    /// Takes the next whole message, without its NUL.
    ///
    /// - Returns: `nil` until more has been received.
    /// - Throws: when the message is too long, whether its end has come or not.
    public mutating func next() throws(Oversize) -> ArraySlice<UInt8>? {
        let end = buffer[scanned...].firstIndex(of: 0)
        scanned = end ?? buffer.count
        guard scanned - start <= messageBytesMax else { throw Oversize(messageBytesMax: messageBytesMax) }
        guard let end else { return nil }
        let message = buffer[start..<end]
        start = end + 1
        scanned = start
        return message
    }

    /// Forgets the messages that were taken. What is moved is the beginning of one message, once.
    private mutating func discardTaken() {
        guard start > 0 else { return }
        if start == buffer.count {
            // A quiet connection keeps a small buffer only: there may be thousands of them.
            buffer.removeAll(keepingCapacity: buffer.capacity <= Limits.keptBufferBytesMax)
        } else {
            buffer.removeSubrange(..<start)
        }
        scanned -= start
        start = 0
    }
}
