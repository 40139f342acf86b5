/// A JSON value (RFC 8259).
///
///     let value: JSONValue = ["width": 320, "label": "banner", "sizes": [50, 90], "host": nil]
///     value["width"]?.integer  // 320
public enum JSONValue: Equatable, Sendable {
    /// Nothing.
    case null
    /// True or false.
    case bool(Bool)
    /// A number written without fraction or exponent that an `Int64` holds exactly.
    case integer(Int64)
    /// Any other number. It is finite when it was read; one that is not is written as null.
    case double(Double)
    /// Text.
    case string(String)
    /// Values in order.
    case array([JSONValue])
    /// Named values in order.
    case object(JSONObject)

    /// The truth value, `nil` for anything else.
    public var bool: Bool? {
        if case .bool(let value) = self { value } else { nil }
    }

    /// The integer, `nil` for anything else, a number with a fraction or exponent included.
    public var integer: Int64? {
        if case .integer(let value) = self { value } else { nil }
    }

    /// The number, an integer included, `nil` for anything else.
    public var double: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .double(let value): value
        case .null, .bool, .string, .array, .object: nil
        }
    }

    /// The text, `nil` for anything else.
    public var string: String? {
        if case .string(let value) = self { value } else { nil }
    }

    /// The elements, `nil` for anything but an array.
    public var array: [JSONValue]? {
        if case .array(let value) = self { value } else { nil }
    }

    /// The members, `nil` for anything but an object.
    public var object: JSONObject? {
        if case .object(let value) = self { value } else { nil }
    }

    /// Whether this is JSON's null.
    public var isNull: Bool { self == .null }

    /// The member of an object, `nil` where there is none or this is no object.
    public subscript(key: String) -> JSONValue? { object?[key] }

    /// The element of an array, `nil` where there is none or this is no array.
    public subscript(index: Int) -> JSONValue? {
        guard let array, array.indices.contains(index) else { return nil }
        return array[index]
    }
}

extension JSONValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByStringLiteral, ExpressibleByArrayLiteral,
    ExpressibleByDictionaryLiteral
{
    /// Creates JSON's null.
    public init(nilLiteral: ()) { self = .null }

    /// Creates a truth value.
    public init(booleanLiteral value: Bool) { self = .bool(value) }

    /// Creates an integer.
    public init(integerLiteral value: Int64) { self = .integer(value) }

    /// Creates a number.
    public init(floatLiteral value: Double) { self = .double(value) }

    /// Creates text.
    public init(stringLiteral value: String) { self = .string(value) }

    /// Creates an array.
    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }

    /// Creates an object, its members in the order given. A key that comes twice is a programming error.
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        let object = JSONObject(uniqueMembers: elements.map { JSONObject.Member(key: $0.0, value: $0.1) })
        precondition(Set(object.keys).count == object.count, "a key comes twice")
        self = .object(object)
    }
}

extension JSONValue: CustomStringConvertible {
    /// The value as compact JSON.
    public var description: String {
        String(decoding: encoded, as: UTF8.self)
    }
}
