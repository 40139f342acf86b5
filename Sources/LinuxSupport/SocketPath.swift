/// Where the daemon's socket is.
public enum SocketPath {
    /// The service's.
    public static let service = "/run/adslotd/socket"

    /// An ordinary user's, nil where the session has no runtime directory.
    public static var user: String? {
        ProcessContext.environment("XDG_RUNTIME_DIR").map { "\($0)/adslotd/socket" }
    }

    /// The one that a daemon started by this user takes.
    public static var ownDefault: String {
        ProcessContext.userID == 0 ? service : user ?? service
    }
}
