/// A strict reader of one JSON text (RFC 8259).
///
/// Stricter than the RFC has to be in two places: a key that comes twice in an object is refused, as in
/// I-JSON (RFC 7493), since two readers of one message could disagree about it; and so is a number that
/// no finite double can stand for.
struct JSONReader {
    /// How many bytes have been read. The bytes are handed to each step, so that nothing is retained.
    var position = 0

    /// Reads the whole of `bytes` as one value with white space around it.
    static func read(_ bytes: Span<UInt8>) throws(JSONError) -> JSONValue {
        var reader = JSONReader()
        reader.skipSpace(bytes)
        let value = try reader.value(bytes, depth: 0)
        reader.skipSpace(bytes)
        guard reader.position == bytes.count else { throw JSONError(.trailingBytes, at: reader.position) }
        return value
    }

    /// The byte at the position, without moving on.
    func peek(_ bytes: Span<UInt8>) throws(JSONError) -> UInt8 {
        guard position < bytes.count else { throw JSONError(.unexpectedEnd, at: position) }
        return bytes[position]
    }

    private mutating func skipSpace(_ bytes: Span<UInt8>) {
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\t"): position += 1
            default: return
            }
        }
    }

    private mutating func value(_ bytes: Span<UInt8>, depth: Int) throws(JSONError) -> JSONValue {
        switch try peek(bytes) {
        case UInt8(ascii: "\""): return .string(try string(bytes))
        case UInt8(ascii: "{"): return .object(try object(bytes, depth: depth))
        case UInt8(ascii: "["): return .array(try array(bytes, depth: depth))
        case UInt8(ascii: "t"): return try word("true", as: .bool(true), bytes)
        case UInt8(ascii: "f"): return try word("false", as: .bool(false), bytes)
        case UInt8(ascii: "n"): return try word("null", as: .null, bytes)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number(bytes)
        default: throw JSONError(.unexpectedByte, at: position)
        }
    }

    private mutating func word(
        _ word: String, as value: JSONValue, _ bytes: Span<UInt8>
    ) throws(JSONError) -> JSONValue {
        for expected in word.utf8 {
            guard try peek(bytes) == expected else { throw JSONError(.unexpectedByte, at: position) }
            position += 1
        }
        return value
    }

    private mutating func array(_ bytes: Span<UInt8>, depth: Int) throws(JSONError) -> [JSONValue] {
        guard depth < JSONLimits.nestingMax else { throw JSONError(.nestedTooDeep, at: position) }
        position += 1
        skipSpace(bytes)
        var elements: [JSONValue] = []
        if try peek(bytes) == UInt8(ascii: "]") {
            position += 1
            return elements
        }
        repeat {
            skipSpace(bytes)
            elements.append(try value(bytes, depth: depth + 1))
            skipSpace(bytes)
        } while try goesOn(until: UInt8(ascii: "]"), bytes)
        return elements
    }

    private mutating func object(_ bytes: Span<UInt8>, depth: Int) throws(JSONError) -> JSONObject {
        guard depth < JSONLimits.nestingMax else { throw JSONError(.nestedTooDeep, at: position) }
        position += 1
        skipSpace(bytes)
        var members = UniqueMembers()
        if try peek(bytes) == UInt8(ascii: "}") {
            position += 1
            return JSONObject()
        }
        repeat {
            skipSpace(bytes)
            let start = position
            guard try peek(bytes) == UInt8(ascii: "\"") else { throw JSONError(.unexpectedByte, at: start) }
            let key = try string(bytes)
            skipSpace(bytes)
            guard try peek(bytes) == UInt8(ascii: ":") else { throw JSONError(.unexpectedByte, at: position) }
            position += 1
            skipSpace(bytes)
            let value = try value(bytes, depth: depth + 1)
            guard members.insert(key, value) else { throw JSONError(.duplicateKey, at: start) }
            skipSpace(bytes)
        } while try goesOn(until: UInt8(ascii: "}"), bytes)
        return JSONObject(uniqueMembers: members.all)
    }

    /// Whether a comma stands here; `end` may stand here instead.
    private mutating func goesOn(until end: UInt8, _ bytes: Span<UInt8>) throws(JSONError) -> Bool {
        let byte = try peek(bytes)
        guard byte == UInt8(ascii: ",") || byte == end else { throw JSONError(.unexpectedByte, at: position) }
        position += 1
        return byte != end
    }
}

/// The members read so far. Large objects are searched by hash: a message of many keys must not cost the
/// square of its length.
private struct UniqueMembers {
    private(set) var all: [JSONObject.Member] = []
    private var keys: Set<String> = []

    /// Adds a member; false when its key is there already.
    mutating func insert(_ key: String, _ value: JSONValue) -> Bool {
        if all.count < JSONLimits.linearSearchMax {
            guard !all.contains(where: { $0.key == key }) else { return false }
        } else {
            if keys.isEmpty { keys = Set(all.map(\.key)) }
            guard keys.insert(key).inserted else { return false }
        }
        all.append(JSONObject.Member(key: key, value: value))
        return true
    }
}

extension JSONValue {
    /// Reads one JSON text.
    ///
    /// - Parameter bytes: the text in UTF-8, without a terminating NUL.
    /// - Throws: what is wrong, and at which byte.
    public init(reading bytes: [UInt8]) throws(JSONError) {
        self = try JSONReader.read(bytes.span)
    }

    /// Reads one JSON text. Positions in an error count from the start of the slice.
    public init(reading bytes: ArraySlice<UInt8>) throws(JSONError) {
        self = try JSONReader.read(bytes.span)
    }

    /// Reads one JSON text.
    public init(reading text: String) throws(JSONError) {
        self = try JSONReader.read(Array(text.utf8).span)
    }
}
