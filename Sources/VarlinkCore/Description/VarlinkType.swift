/// A type of Varlink's interface definition language (varlink.org, "Interface definition").
public indirect enum VarlinkType: Equatable, Sendable {
    /// `bool`
    case bool
    /// `int`: 64 bits with a sign.
    case int
    /// `float`
    case float
    /// `string`
    case string
    /// `object`: an object with any members.
    case object
    /// A type that the interface names.
    case named(String)
    /// `?type`: may be null or left out.
    case optional(VarlinkType)
    /// `[]type`
    case array(VarlinkType)
    /// `[string]type`: any names, values of one type.
    case dictionary(VarlinkType)
    /// `(one, two)`: one of some words.
    case enumeration([String])
    /// `(name: type, …)`
    case structure([VarlinkField])
}

/// A named part of a structure.
public struct VarlinkField: Equatable, Sendable {
    /// The name.
    public let name: String
    /// The type of its value.
    public let type: VarlinkType

    /// Creates a field.
    public init(name: String, type: VarlinkType) {
        self.name = name
        self.type = type
    }
}
