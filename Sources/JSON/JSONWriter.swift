/// Writes JSON straight into bytes: compact, in the order of the calls (RFC 8259).
///
/// Commas and colons come by themselves:
///
///     var writer = JSONWriter()
///     writer.object { writer in
///         writer.member("name", "eth0")
///         writer.key("addresses")
///         writer.array { $0.value("192.0.2.1") }
///     }
///     // {"name":"eth0","addresses":["192.0.2.1"]}
public struct JSONWriter: Sendable {
    /// What has been written.
    public private(set) var bytes: [UInt8]

    /// Whether a value stands right before, so that a comma comes first.
    private var followsValue = false

    /// Creates a writer with nothing written yet.
    public init() {
        bytes = []
        // Room for a state of the network as it is told, so that it is not moved while it is written.
        bytes.reserveCapacity(512)
    }

    /// Writes an object whose members `body` writes.
    public mutating func object(_ body: (inout JSONWriter) -> Void) {
        open(UInt8(ascii: "{"))
        body(&self)
        close(UInt8(ascii: "}"))
    }

    /// Writes an array whose elements `body` writes.
    public mutating func array(_ body: (inout JSONWriter) -> Void) {
        open(UInt8(ascii: "["))
        body(&self)
        close(UInt8(ascii: "]"))
    }

    /// Writes a key; its value must come next.
    public mutating func key(_ key: String) {
        separate()
        quote(key)
        bytes.append(UInt8(ascii: ":"))
        followsValue = false
    }

    /// Writes null.
    public mutating func null() {
        separate()
        raw("null")
    }

    /// Writes true or false.
    public mutating func value(_ value: Bool) {
        separate()
        raw(value ? "true" : "false")
    }

    /// Writes an integer.
    public mutating func value(_ value: Int64) {
        separate()
        digits(value)
    }

    /// Writes an integer.
    public mutating func value(_ value: Int) {
        self.value(Int64(value))
    }

    /// Writes the shortest number that reads back as `value`, and null when it is not finite.
    public mutating func value(_ value: Double) {
        separate()
        raw(value.isFinite ? value.description : "null")
    }

    /// Writes text.
    public mutating func value(_ value: String) {
        separate()
        quote(value)
    }

    /// Writes any value.
    public mutating func value(_ value: JSONValue) {
        switch value {
        case .null: null()
        case .bool(let value): self.value(value)
        case .integer(let value): self.value(value)
        case .double(let value): self.value(value)
        case .string(let value): self.value(value)
        case .array(let elements):
            array { for element in elements { $0.value(element) } }
        case .object(let object):
            self.object { for member in object.members { $0.member(member.key, member.value) } }
        }
    }

    /// Writes a value that is JSON already; it is not looked at.
    public mutating func value(encoded: [UInt8]) {
        separate()
        bytes.append(contentsOf: encoded)
    }

    /// Ends a message of Varlink with its NUL.
    package mutating func endMessage() {
        bytes.append(0)
    }

    private mutating func open(_ bracket: UInt8) {
        separate()
        bytes.append(bracket)
        followsValue = false
    }

    private mutating func close(_ bracket: UInt8) {
        bytes.append(bracket)
        followsValue = true
    }

    private mutating func separate() {
        if followsValue { bytes.append(UInt8(ascii: ",")) }
        followsValue = true
    }

    private mutating func raw(_ text: String) {
        unsafe Self.withCharacters(of: text) { unsafe bytes.append(contentsOf: $0) }
    }

    /// Lends the bytes of a text in one piece, which is copied many times faster than a view of the text.
    private static func withCharacters(of text: String, _ body: (UnsafeBufferPointer<UInt8>) -> Void) {
        var text = text
        text.withUTF8 { unsafe body($0) }
    }
}

extension JSONWriter {
    /// Writes a member of an object.
    public mutating func member(_ key: String, _ value: Bool) {
        self.key(key)
        self.value(value)
    }

    /// Writes a member of an object, null for `nil`.
    public mutating func member(_ key: String, _ value: Bool?) {
        self.key(key)
        if let value { self.value(value) } else { null() }
    }

    /// Writes a member of an object.
    public mutating func member(_ key: String, _ value: Int64) {
        self.key(key)
        self.value(value)
    }

    /// Writes a member of an object.
    public mutating func member(_ key: String, _ value: Int) {
        self.key(key)
        self.value(Int64(value))
    }

    /// Writes a member of an object, null for `nil`.
    public mutating func member(_ key: String, _ value: Int64?) {
        self.key(key)
        if let value { self.value(value) } else { null() }
    }

    /// Writes a member of an object, null for `nil`.
    public mutating func member(_ key: String, _ value: Int?) {
        self.key(key)
        if let value { self.value(Int64(value)) } else { null() }
    }

    /// Writes a member of an object.
    public mutating func member(_ key: String, _ value: String) {
        self.key(key)
        self.value(value)
    }

    /// Writes a member of an object, null for `nil`.
    public mutating func member(_ key: String, _ value: String?) {
        self.key(key)
        if let value { self.value(value) } else { null() }
    }

    /// Writes a member of an object.
    public mutating func member(_ key: String, _ value: Double) {
        self.key(key)
        self.value(value)
    }

    /// Writes a member of an object, an array of texts.
    public mutating func member(_ key: String, _ values: [String]) {
        self.key(key)
        array { for value in values { $0.value(value) } }
    }

    /// Writes a member of an object.
    public mutating func member(_ key: String, _ value: JSONValue) {
        self.key(key)
        self.value(value)
    }
}

extension JSONWriter {
    /// Writes a string with the escapes that RFC 8259, section 7 asks for and no others.
    private mutating func quote(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        unsafe Self.withCharacters(of: text) { characters in
            if unsafe characters.contains(where: Self.mustEscape) {
                unsafe characters.forEach { escape($0) }
            } else {
                unsafe bytes.append(contentsOf: characters)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private static func mustEscape(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    private mutating func escape(_ byte: UInt8) {
        guard Self.mustEscape(byte) else { return bytes.append(byte) }
        bytes.append(UInt8(ascii: "\\"))
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes.append(byte)
        case 0x08: bytes.append(UInt8(ascii: "b"))
        case 0x09: bytes.append(UInt8(ascii: "t"))
        case 0x0A: bytes.append(UInt8(ascii: "n"))
        case 0x0C: bytes.append(UInt8(ascii: "f"))
        case 0x0D: bytes.append(UInt8(ascii: "r"))
        default:
            raw(byte < 0x10 ? "u000" : "u00")
            raw(String(byte, radix: 16))
        }
    }

    private mutating func digits(_ value: Int64) {
        guard value.magnitude > 9 else {
            if value < 0 { bytes.append(UInt8(ascii: "-")) }
            return bytes.append(UInt8(ascii: "0") + UInt8(value.magnitude))
        }
        // The digits come from the right; twenty places hold the longest Int64 with its sign.
        var places = InlineArray<20, UInt8>(repeating: UInt8(ascii: "-"))
        var rest = value.magnitude
        var first = 20
        while rest > 0 {
            first -= 1
            places[first] = UInt8(ascii: "0") + UInt8(rest % 10)
            rest /= 10
        }
        if value < 0 { first -= 1 }
        for place in first..<20 { bytes.append(places[place]) }
    }
}

extension JSONValue {
    /// The value as compact JSON in UTF-8.
    public var encoded: [UInt8] {
        var writer = JSONWriter()
        writer.value(self)
        return writer.bytes
    }
}
