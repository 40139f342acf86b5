internal import JSON

/// The members of one object of an answer, read by type. A member that is null is one that is not there.
struct Fields {
    private let object: JSONObject
    /// Where the object is, with a dot behind it, or nothing for the outermost.
    private let path: String

    /// - Throws: when the value is no object.
    init(_ value: JSONValue, at place: String) throws(BidFlaw) {
        guard let object = value.object else {
            throw BidFlaw(.wrongAnswer, place, "no object")
        }
        self.object = object
        path = place.isEmpty ? "" : place + "."
    }

    /// The full name of a member.
    func place(_ key: String) -> String { path + key }

    private func value(_ key: String) -> JSONValue? {
        guard let value = object[key], !value.isNull else { return nil }
        return value
    }

    /// Whether a member is there.
    func has(_ key: String) -> Bool { value(key) != nil }

    func text(_ key: String) throws(BidFlaw) -> String? {
        guard let value = value(key) else { return nil }
        guard let text = value.string else { throw BidFlaw(.wrongAnswer, place(key), "no text") }
        return text
    }

    /// A text of bounded length without control characters.
    func identifier(_ key: String) throws(BidFlaw) -> String? {
        guard let text = try text(key) else { return nil }
        guard text.utf8.count <= Limits.identifierBytesMax else {
            throw BidFlaw(.wrongAnswer, place(key), "longer than \(Limits.identifierBytesMax) bytes")
        }
        guard text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
            throw BidFlaw(.wrongAnswer, place(key), "a control character")
        }
        return text
    }

    /// A whole number, which may be written with a fraction of nothing.
    func integer(_ key: String) throws(BidFlaw) -> Int64? {
        guard let value = value(key) else { return nil }
        guard let number = Self.integer(value) else {
            throw BidFlaw(.wrongAnswer, place(key), "no whole number")
        }
        return number
    }

    private static func integer(_ value: JSONValue) -> Int64? {
        value.integer ?? value.double.flatMap { Int64(exactly: $0) }
    }

    /// An exact price.
    func price(_ key: String) throws(BidFlaw) -> Price? {
        guard let value = value(key) else { return nil }
        let text: String
        switch value {
        case .integer(let number): text = String(number)
        // The shortest text that reads as the same number: for up to 15 digits that which was written.
        case .double(let number): text = number.description
        case .null, .bool, .string, .array, .object:
            throw BidFlaw(.wrongAnswer, place(key), "no number")
        }
        guard let price = Price(text) else {
            throw BidFlaw(.wrongAnswer, place(key), "\(text) is no price")
        }
        return price
    }

    func texts(_ key: String) throws(BidFlaw) -> [String] {
        var texts: [String] = []
        for (place, value) in try elements(key) {
            guard let text = value.string, text.utf8.count <= Limits.identifierBytesMax else {
                throw BidFlaw(.wrongAnswer, place, "no short text")
            }
            texts.append(text)
        }
        return texts
    }

    func integers(_ key: String) throws(BidFlaw) -> [Int64] {
        var numbers: [Int64] = []
        for (place, value) in try elements(key) {
            guard let number = Self.integer(value) else {
                throw BidFlaw(.wrongAnswer, place, "no whole number")
            }
            numbers.append(number)
        }
        return numbers
    }

    /// The elements of an array, each with its place; none where there is no array.
    func elements(
        _ key: String, max: Int = Limits.listEntriesMax
    ) throws(BidFlaw) -> [(place: String, value: JSONValue)] {
        guard let value = value(key) else { return [] }
        guard let array = value.array else { throw BidFlaw(.wrongAnswer, place(key), "no array") }
        guard array.count <= max else {
            throw BidFlaw(.wrongAnswer, place(key), "more than \(max) elements")
        }
        return array.enumerated().map { ("\(place(key))[\($0.offset)]", $0.element) }
    }
}
