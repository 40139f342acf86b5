package import VarlinkCore

/// Why something was not done.
public enum AdslotError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Nobody answers at any of the sockets; what was tried, a line each.
    case noDaemon(String)
    /// The daemon refused: the name of the error with its interface, and what it says in words.
    case refused(name: String, message: String)
    /// The connection to the daemon is lost, or not there yet.
    case disconnected(String)
    /// The daemon sent something that makes no sense.
    case malformed(String)
    /// The host or the work has been closed.
    case closed
    /// The system refused something that the library needs.
    case system(String)

    /// The error for people.
    public var description: String {
        switch self {
        case .noDaemon(let tried): "no daemon: \(tried)"
        case .refused(_, let message): message
        case .disconnected(let reason): "disconnected: \(reason)"
        case .malformed(let what): "the daemon sent \(what)"
        case .closed: "closed"
        case .system(let reason): reason
        }
    }
}

extension AdslotError {
    /// What the daemon answered to a host or to work, in a sentence; `nil` for errors of other interfaces.
    package init?(remote name: String, _ parameters: JSONObject) {
        let message = parameters["message"]?.string ?? ""
        let sentence: String
        switch name {
        case "org.adslotd.Slots.UnknownSlot":
            let known = (parameters["known"]?.array ?? []).compactMap(\.string).joined(separator: ", ")
            sentence = "unknown slot '\(parameters["slot"]?.string ?? "")'; known are: \(known)"
        case "org.adslotd.Slots.SlotTaken":
            let host = parameters["host"]?.string ?? ""
            sentence =
                "slot '\(parameters["slot"]?.string ?? "")' has a host already"
                + (host.isEmpty ? "" : ": \(host)")
        case "org.adslotd.Slots.InvalidViewport": sentence = "invalid viewport: \(message)"
        case "org.adslotd.Slots.ShuttingDown", "org.adslotd.Work.ShuttingDown":
            sentence = "the daemon is stopping"
        case "org.adslotd.Work.NameTaken":
            sentence = "there is work named '\(parameters["name"]?.string ?? "")' already"
        case "org.adslotd.Work.InvalidTarget": sentence = message
        case "org.adslotd.Slots.NotPermitted", "org.adslotd.Work.NotPermitted":
            sentence = "not permitted: \(message)"
        default: return nil
        }
        self = .refused(name: name, message: sentence)
    }

    /// What the daemon answered to any call.
    static func answer(_ name: String, _ parameters: JSONObject) -> AdslotError {
        AdslotError(remote: name, parameters)
            ?? .refused(
                name: name,
                message: parameters.isEmpty ? name : "\(name) \(JSONValue.object(parameters))")
    }
}
