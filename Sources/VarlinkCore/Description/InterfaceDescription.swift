/// An interface, read from its description in Varlink's interface definition language.
///
///     let slots = try InterfaceDescription.parse(text)
///     slots.method("List")?.output  // [slots: []Slot]
public struct InterfaceDescription: Equatable, Sendable {
    /// A type that the interface names.
    public struct NamedType: Equatable, Sendable {
        /// The name.
        public let name: String
        /// A structure or an enumeration.
        public let type: VarlinkType
        /// The comment right before it.
        public let documentation: String
        /// The line in which it begins, counted from 1.
        public let line: Int
    }

    /// A method.
    public struct Method: Equatable, Sendable {
        /// The name without the interface.
        public let name: String
        /// The parameters of a call.
        public let input: [VarlinkField]
        /// The parameters of a reply.
        public let output: [VarlinkField]
        /// The comment right before it.
        public let documentation: String
        /// The line in which it begins, counted from 1.
        public let line: Int
    }

    /// An error.
    public struct ErrorType: Equatable, Sendable {
        /// The name without the interface.
        public let name: String
        /// What the error carries.
        public let fields: [VarlinkField]
        /// The comment right before it.
        public let documentation: String
        /// The line in which it begins, counted from 1.
        public let line: Int
    }

    /// The name, `org.example.Ping`.
    public let name: String
    /// The comment at the beginning.
    public let documentation: String
    /// The types in the order of the text.
    public internal(set) var types: [NamedType] = []
    /// The methods in the order of the text.
    public internal(set) var methods: [Method] = []
    /// The errors in the order of the text.
    public internal(set) var errors: [ErrorType] = []

    init(name: String, documentation: String) {
        self.name = name
        self.documentation = documentation
    }

    /// Reads a description.
    ///
    /// - Throws: the first thing that is wrong, and its line.
    public static func parse(_ text: String) throws(DescriptionError) -> InterfaceDescription {
        var parser = try DescriptionParser(text)
        return try parser.interface()
    }

    /// The type of a name.
    public func type(_ name: String) -> NamedType? { types.first { $0.name == name } }

    /// The method of a name.
    public func method(_ name: String) -> Method? { methods.first { $0.name == name } }

    /// The error of a name.
    public func error(_ name: String) -> ErrorType? { errors.first { $0.name == name } }
}

/// What is wrong with a description, and where.
public struct DescriptionError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The line, counted from 1.
    public let line: Int
    /// What is wrong.
    public let message: String

    /// The place and the reason, for people.
    public var description: String { "line \(line): \(message)" }
}
