public import LinuxSupport

/// Something that whoever looks after a server may want to read. Libraries do not log themselves.
public enum ServerNotice: Sendable, CustomStringConvertible {
    /// A client sent something that is no call; its connection is closed.
    case malformed(ConnectionID, PeerCredentials, reason: String)
    /// A client sent a message over the bound; its connection is closed.
    case oversize(ConnectionID, PeerCredentials, messageBytesMax: Int)
    /// A client closed its side within a message, which is ignored.
    case truncated(ConnectionID, PeerCredentials, bytes: Int)
    /// A client did not read what it had asked for and is dropped.
    case tooSlow(ConnectionID, PeerCredentials, queuedBytes: Int)
    /// There are too many clients; a new one was closed at once.
    case tooManyClients(clients: Int)
    /// One user has too many clients; a new one was closed at once.
    case tooManyClientsOfUser(uid: UInt32, clients: Int)
    /// A connection could not be taken and was closed.
    case connectionFailed(SystemError)
    /// Accepting failed and rests for a while.
    case acceptPaused(SystemError, microseconds: Int64)

    /// The notice for people.
    public var description: String {
        switch self {
        case .malformed(let id, let peer, let reason):
            "client \(id.value) (pid \(peer.pid)) sent no call: \(reason)"
        case .oversize(let id, let peer, let messageBytesMax):
            "client \(id.value) (pid \(peer.pid)) sent a message of more than \(messageBytesMax) bytes"
        case .truncated(let id, let peer, let bytes):
            "client \(id.value) (pid \(peer.pid)) ended within a message, \(bytes) bytes, ignoring"
        case .tooSlow(let id, let peer, let queuedBytes):
            "client \(id.value) (pid \(peer.pid)) does not read, dropped with \(queuedBytes) bytes queued"
        case .tooManyClients(let clients):
            "\(clients) clients, refusing another"
        case .tooManyClientsOfUser(let uid, let clients):
            "\(clients) clients of user \(uid), refusing another"
        case .connectionFailed(let error):
            "a connection could not be taken: \(error)"
        case .acceptPaused(let error, let microseconds):
            "accepting rests for \(microseconds / 1000) ms: \(error)"
        }
    }
}

/// What a server has counted since its start.
public struct ServerStatistics: Equatable, Sendable {
    /// Connections that are open now.
    public internal(set) var clients = 0
    /// Clients that were dropped because they did not read.
    public internal(set) var droppedClients = 0
    /// Connections that were closed at once because of a bound on clients.
    public internal(set) var refusedClients = 0
    /// Connections that were closed because of what they sent.
    public internal(set) var faultyClients = 0
    /// Calls that were handed to a method or refused.
    public internal(set) var calls = 0
}
