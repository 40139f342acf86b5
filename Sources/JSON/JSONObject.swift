/// The members of a JSON object, in the order in which they were written or read, each key once.
///
///     var object: JSONObject = ["name": "banner", "visible": true]
///     object["visible"] = false
public struct JSONObject: Sendable {
    /// One member of an object.
    public struct Member: Equatable, Sendable {
        /// The name of the member.
        public let key: String
        /// Its value.
        public var value: JSONValue

        /// Creates a member.
        public init(key: String, value: JSONValue) {
            self.key = key
            self.value = value
        }
    }

    /// The members in order.
    public private(set) var members: [Member]

    /// Creates an object without members.
    public init() {
        members = []
    }

    /// For the reader, which has made sure that no key comes twice.
    init(uniqueMembers: [Member]) {
        members = uniqueMembers
    }

    /// The number of members.
    public var count: Int { members.count }

    /// Whether there are no members.
    public var isEmpty: Bool { members.isEmpty }

    /// The keys in order.
    public var keys: [String] { members.map(\.key) }

    /// The value of a member, `nil` when there is none. Setting keeps the member's place, a new member
    /// comes last, and setting `nil` removes (a member whose value is JSON's null is `JSONValue.null`).
    public subscript(key: String) -> JSONValue? {
        get { members.first { $0.key == key }?.value }
        set {
            switch (members.firstIndex { $0.key == key }, newValue) {
            case (let index?, let value?): members[index].value = value
            case (let index?, nil): members.remove(at: index)
            case (nil, let value?): members.append(Member(key: key, value: value))
            case (nil, nil): break
            }
        }
    }
}

extension JSONObject: Equatable {
    /// Whether both have the same members. Their order does not count (RFC 8259, section 4).
    public static func == (left: JSONObject, right: JSONObject) -> Bool {
        if left.members == right.members { return true }
        guard left.count == right.count else { return false }
        let values = Dictionary(
            right.members.map { ($0.key, $0.value) }, uniquingKeysWith: { first, _ in first })
        return left.members.allSatisfy { values[$0.key] == $0.value }
    }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
    /// Creates an object from members in order. A key that comes twice is a programming error.
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        members = elements.map { Member(key: $0.0, value: $0.1) }
        precondition(Set(keys).count == count, "a key comes twice")
    }
}
