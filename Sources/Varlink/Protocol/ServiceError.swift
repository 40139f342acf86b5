/// The errors that every service may answer with (varlink.org, interface org.varlink.service).
public enum ServiceError: Error, Equatable, Sendable {
    /// No such interface here.
    case interfaceNotFound(String)
    /// The interface has no such method.
    case methodNotFound(String)
    /// The interface has this method, but this service does not carry it out.
    case methodNotImplemented(String)
    /// A parameter is missing, unknown, or its value cannot be taken.
    case invalidParameter(String)
    /// The caller may not do this.
    case permissionDenied
    /// The method only makes sense when called with `more`.
    case expectedMore

    /// The name on the wire.
    public var name: String {
        switch self {
        case .interfaceNotFound: "org.varlink.service.InterfaceNotFound"
        case .methodNotFound: "org.varlink.service.MethodNotFound"
        case .methodNotImplemented: "org.varlink.service.MethodNotImplemented"
        case .invalidParameter: "org.varlink.service.InvalidParameter"
        case .permissionDenied: "org.varlink.service.PermissionDenied"
        case .expectedMore: "org.varlink.service.ExpectedMore"
        }
    }

    /// What the error carries on the wire.
    public var parameters: JSONObject {
        switch self {
        case .interfaceNotFound(let name): ["interface": .string(name)]
        case .methodNotFound(let name), .methodNotImplemented(let name): ["method": .string(name)]
        case .invalidParameter(let name): ["parameter": .string(name)]
        case .permissionDenied, .expectedMore: [:]
        }
    }

    /// The error as a whole reply.
    public var encoded: EncodedReply {
        EncodedReply(error: name, parameters: parameters)
    }
}
