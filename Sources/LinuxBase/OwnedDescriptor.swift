internal import Glibc

/// A file descriptor that is closed when its owner goes.
public struct OwnedDescriptor: ~Copyable, Sendable {
    /// The number, valid as long as this value lives.
    public let raw: Int32

    /// Takes over a descriptor: from here on nobody else closes it.
    public init(takingOver raw: Int32) {
        self.raw = raw
    }

    /// Gives the descriptor away without closing it.
    public consuming func release() -> Int32 {
        let raw = raw
        discard self
        return raw
    }

    deinit {
        // A failed close leaves nothing to do: Linux frees the number in any case.
        _ = close(raw)
    }
}
