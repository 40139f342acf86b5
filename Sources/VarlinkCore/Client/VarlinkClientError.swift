public import LinuxBase

/// Why a call did not bring a result.
public enum VarlinkClientError: Error, Equatable, Sendable, CustomStringConvertible {
    /// Nobody answers at the socket.
    case cannotConnect(SystemError)
    /// The service answered with an error: its name with the interface, and what it carries.
    case remote(name: String, parameters: JSONObject)
    /// The service closed the connection before the last reply.
    case connectionClosed
    /// The time was over; the connection is closed, since the reply could still come.
    case timedOut
    /// The service sent something that is no reply; the connection is closed.
    case malformedReply
    /// The system refused.
    case system(SystemError)

    /// The error for people.
    public var description: String {
        switch self {
        case .cannotConnect(let error), .system(let error): "\(error)"
        case .remote(let name, let parameters):
            parameters.isEmpty ? name : "\(name) \(JSONValue.object(parameters))"
        case .connectionClosed: "the service closed the connection"
        case .timedOut: "no answer in time"
        case .malformedReply: "the service sent something that is no reply"
        }
    }
}
