/// One interface as a server offers it: its name, its description, and who carries out its methods.
///
///     VarlinkInterface(
///         name: "org.example.Ping", description: text,
///         methods: [
///             "Ping": .reply { call in call.reply(["pong": true]) },
///             "Monitor": .stream { call in monitors.append(call) },
///             "Later": .unimplemented,
///         ])
public struct VarlinkInterface {
    /// The name, `org.example.Ping`.
    public let name: String
    /// The description in Varlink's interface definition language, as GetInterfaceDescription hands it out.
    public let description: String
    /// The methods by their names without the interface.
    public let methods: [String: VarlinkMethod]

    /// Creates an interface. Methods of the description that are not listed here are answered with
    /// MethodNotFound, so list them all.
    public init(name: String, description: String, methods: [String: VarlinkMethod]) {
        self.name = name
        self.description = description
        self.methods = methods
    }
}

/// How a method is carried out.
public enum VarlinkMethod {
    /// Takes a call and answers it, at once or later. A ``ParameterError`` that it throws is answered with
    /// `org.varlink.service.InvalidParameter`.
    public typealias Handler = (VarlinkCall) throws(ParameterError) -> Void

    /// Answers once, or many times where the caller has asked for more.
    case reply(Handler)
    /// Only makes sense with `more`; a call without it is answered with `org.varlink.service.ExpectedMore`.
    case stream(Handler)
    /// Part of the interface, but not carried out here: `org.varlink.service.MethodNotImplemented`.
    case unimplemented
}
