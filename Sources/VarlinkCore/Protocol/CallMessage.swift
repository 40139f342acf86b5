/// One call as it stands on the wire (varlink.org, "Method call").
public struct CallMessage: Equatable, Sendable {
    /// The method with its interface, `org.varlink.service.GetInfo`.
    public var method: String
    /// The parameters by name.
    public var parameters: JSONObject
    /// The caller takes several replies.
    public var wantsMore: Bool
    /// The caller takes no reply at all.
    public var isOneway: Bool
    /// The caller wants to speak another protocol on this connection from here on.
    public var wantsUpgrade: Bool

    /// Creates a call.
    public init(
        method: String, parameters: JSONObject = [:], wantsMore: Bool = false, isOneway: Bool = false,
        wantsUpgrade: Bool = false
    ) {
        self.method = method
        self.parameters = parameters
        self.wantsMore = wantsMore
        self.isOneway = isOneway
        self.wantsUpgrade = wantsUpgrade
    }

    /// Why a message is no call.
    public enum Failure: Error, Equatable, Sendable, CustomStringConvertible {
        /// It is no JSON.
        case json(JSONError)
        /// It is JSON, but no object.
        case notAnObject
        /// It does not name a method.
        case missingMethod
        /// A key that Varlink defines has a value of another type.
        case wrongType(key: String)

        /// The reason, for people.
        public var description: String {
            switch self {
            case .json(let error): "no JSON: \(error)"
            case .notAnObject: "no object"
            case .missingMethod: "no method"
            case .wrongType(let key): "wrong type of '\(key)'"
            }
        }
    }

    /// Reads a call from a message without its NUL. Unknown keys are ignored; a null is like a key left out.
    public init(reading message: ArraySlice<UInt8>) throws(Failure) {
        let value: JSONValue
        do {
            value = try JSONValue(reading: message)
        } catch {
            throw .json(error)
        }
        guard let object = value.object else { throw .notAnObject }
        self.init(method: "")
        var names: String?
        for member in object.members where !member.value.isNull {
            switch member.key {
            case "method": names = try Self.expect(member.value.string, member.key)
            case "parameters": parameters = try Self.expect(member.value.object, member.key)
            case "more": wantsMore = try Self.expect(member.value.bool, member.key)
            case "oneway": isOneway = try Self.expect(member.value.bool, member.key)
            case "upgrade": wantsUpgrade = try Self.expect(member.value.bool, member.key)
            default: break
            }
        }
        guard let names else { throw .missingMethod }
        method = names
    }

    private static func expect<Value>(_ value: Value?, _ key: String) throws(Failure) -> Value {
        guard let value else { throw .wrongType(key: key) }
        return value
    }

    /// The call as a whole message, its NUL included.
    public var encoded: [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("method", method)
            if !parameters.isEmpty { writer.member("parameters", .object(parameters)) }
            if wantsMore { writer.member("more", true) }
            if isOneway { writer.member("oneway", true) }
            if wantsUpgrade { writer.member("upgrade", true) }
        }
        writer.endMessage()
        return writer.bytes
    }
}
