/// A parameter is missing, unknown, or its value cannot be taken.
public struct ParameterError: Error, Equatable, Sendable {
    /// The parameter, with dots for the objects around it: `viewport.width`.
    public let parameter: String

    /// Creates an error that names a parameter.
    public init(_ parameter: String) {
        self.parameter = parameter
    }
}

/// Reads the parameters of a call, one by one and with their types. Whatever nobody asked for is refused
/// at the end (``VarlinkCall/read(_:)`` sees to that). Null is like a parameter left out.
///
///     let (slot, width) = try call.read { parameters throws(ParameterError) in
///         (try parameters.string("slot"), try parameters.object("viewport") { try $0.int("width") })
///     }
public struct Parameters: Sendable {
    private let object: JSONObject
    private let prefix: String
    private var asked: Set<String> = []

    /// Creates a reader for an object.
    ///
    /// - Parameter prefix: what errors put before a name, `viewport.`.
    public init(_ object: JSONObject, prefix: String = "") {
        self.object = object
        self.prefix = prefix
    }

    /// The error for a value that has the right type but cannot be taken.
    public func invalid(_ name: String) -> ParameterError {
        ParameterError(prefix + name)
    }

    /// The value of any type, `nil` when it is missing or null.
    public mutating func optionalValue(_ name: String) -> JSONValue? {
        asked.insert(name)
        guard let value = object[name], !value.isNull else { return nil }
        return value
    }

    /// Text that may be missing.
    public mutating func optionalString(_ name: String) throws(ParameterError) -> String? {
        try optional(name, \.string)
    }

    /// Text.
    public mutating func string(_ name: String) throws(ParameterError) -> String {
        try require(name, try optionalString(name))
    }

    /// An integer that may be missing.
    public mutating func optionalInt(_ name: String) throws(ParameterError) -> Int? {
        try optional(name) { $0.integer.map { Int($0) } }
    }

    /// An integer.
    public mutating func int(_ name: String) throws(ParameterError) -> Int {
        try require(name, try optionalInt(name))
    }

    /// A truth value that may be missing.
    public mutating func optionalBool(_ name: String) throws(ParameterError) -> Bool? {
        try optional(name, \.bool)
    }

    /// A truth value.
    public mutating func bool(_ name: String) throws(ParameterError) -> Bool {
        try require(name, try optionalBool(name))
    }

    /// A list of texts that may be missing.
    public mutating func optionalStrings(_ name: String) throws(ParameterError) -> [String]? {
        try optional(name) { value in
            guard let elements = value.array else { return nil }
            let strings = elements.compactMap(\.string)
            return strings.count == elements.count ? strings : nil
        }
    }

    /// One of the words of an enumeration that may be missing.
    public mutating func optionalChoice<Choice: RawRepresentable<String>>(
        _ name: String, of _: Choice.Type
    ) throws(ParameterError) -> Choice? {
        try optional(name) { $0.string.flatMap(Choice.init(rawValue:)) }
    }

    /// One of the words of an enumeration.
    public mutating func choice<Choice: RawRepresentable<String>>(
        _ name: String, of type: Choice.Type
    ) throws(ParameterError) -> Choice {
        try require(name, try optionalChoice(name, of: type))
    }

    /// An object that may be missing; `read` takes its members, and those it does not ask for are refused.
    public mutating func optionalObject<Value>(
        _ name: String, _ read: (inout Parameters) throws(ParameterError) -> Value
    ) throws(ParameterError) -> Value? {
        guard let object = try optional(name, \.object) else { return nil }
        var inner = Parameters(object, prefix: prefix + name + ".")
        let value = try read(&inner)
        try inner.finish()
        return value
    }

    /// An object; `read` takes its members, and those it does not ask for are refused.
    public mutating func object<Value>(
        _ name: String, _ read: (inout Parameters) throws(ParameterError) -> Value
    ) throws(ParameterError) -> Value {
        try require(name, try optionalObject(name, read))
    }

    /// A list of objects that may be missing; `read` takes the members of each.
    public mutating func optionalObjects<Value>(
        _ name: String, _ read: (inout Parameters) throws(ParameterError) -> Value
    ) throws(ParameterError) -> [Value]? {
        guard let elements = try optional(name, \.array) else { return nil }
        var values: [Value] = []
        for (index, element) in elements.enumerated() {
            let place = "\(prefix)\(name)[\(index)]"
            guard let object = element.object else { throw ParameterError(place) }
            var inner = Parameters(object, prefix: place + ".")
            values.append(try read(&inner))
            try inner.finish()
        }
        return values
    }

    /// Refuses what nobody asked for.
    public func finish() throws(ParameterError) {
        for member in object.members where !asked.contains(member.key) { throw invalid(member.key) }
    }

    private mutating func optional<Value>(
        _ name: String, _ convert: (JSONValue) -> Value?
    ) throws(ParameterError) -> Value? {
        guard let value = optionalValue(name) else { return nil }
        guard let converted = convert(value) else { throw invalid(name) }
        return converted
    }

    private func require<Value>(_ name: String, _ value: Value?) throws(ParameterError) -> Value {
        guard let value else { throw invalid(name) }
        return value
    }
}
