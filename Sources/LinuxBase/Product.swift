/// What the daemon and its command-line tool agree on without talking to each other.
public enum Product {
    /// The version of both.
    public static let version = "0.1.0"

    /// When this version was made, in seconds since the Unix epoch, to the month: a clock that stands before
    /// it is wrong. Raised with the version; a date of the build itself would make no two builds alike.
    public static let madeAt: Int64 = 1_777_593_600

    /// The socket of the service.
    public static let serviceSocket = "/run/adslotd/socket"

    /// The socket of an ordinary user's daemon, nil where the session has no runtime directory.
    public static var userSocket: String? {
        ProcessContext.environment("XDG_RUNTIME_DIR").map { "\($0)/adslotd/socket" }
    }

    /// Where clients look for a daemon, in order: at the socket named, else at the user's own, else at the
    /// service's.
    public static func sockets(named path: String?) -> [String] {
        path.map { [$0] } ?? [userSocket, serviceSocket].compactMap { $0 }
    }

    /// The socket that a daemon started by this user takes.
    public static var ownSocket: String {
        ProcessContext.userID == 0 ? serviceSocket : userSocket ?? serviceSocket
    }
}
