internal import Configuration
internal import Reachability
internal import Varlink

/// The options of `campaign` and `creative`, as the interface has them.
struct InventoryOptions {
    /// The fields that were named, with their values.
    var fields: JSONObject = [:]
    private var cleared: [String] = []
    private var revision: Int64?
    /// Which options were given, in their order, and the field of each.
    private var given: [(option: String, field: String)] = []

    /// The fields that each noun has.
    private static let known: [String: Set<String>] = [
        "campaign": [
            "name", "advertiser", "domain", "categories", "price", "currency", "start", "end", "dayparts",
            "tier", "weight", "impressions", "caps", "enabled",
        ],
        "creative": ["address", "size", "kind", "clickURL", "enabled", "revision"],
    ]

    private static let texts: [String: String] = [
        "--name": "name", "--advertiser": "advertiser", "--domain": "domain", "--cpm": "price",
        "--currency": "currency", "--url": "address", "--click": "clickURL",
    ]
    private static let numbers: [String: String] = [
        "--tier": "tier", "--weight": "weight", "--impressions": "impressions",
    ]
    private static let moments: [String: String] = ["--from": "start", "--until": "end"]
    private static let lists: [String: String] = ["--category": "categories", "--hours": "dayparts"]
    private static let clearing: [String: String] = [
        "--no-domain": "domain", "--no-from": "start", "--no-until": "end", "--no-click": "clickURL",
    ]
    private static let emptying: [String: String] = [
        "--no-category": "categories", "--no-hours": "dayparts", "--no-cap": "caps",
    ]

    /// Takes an option.
    mutating func take(_ option: inout GivenOption) throws(Failure) {
        let name = option.name
        if let field = Self.texts[name] {
            try set(field, .string(try option.value()), name)
        } else if let field = Self.numbers[name] {
            try set(field, .integer(try Self.number(name, try option.value())), name)
        } else if let field = Self.moments[name] {
            try set(field, .integer(try Self.moment(name, try option.value())), name)
        } else if let field = Self.lists[name] {
            try append(.string(try option.value()), to: field, name)
        } else if let field = Self.clearing[name] {
            try set(field, nil, name)
            cleared.append(field)
        } else if let field = Self.emptying[name] {
            try set(field, [], name)
        } else {
            try takeOther(&option)
        }
    }

    private mutating func takeOther(_ option: inout GivenOption) throws(Failure) {
        let name = option.name
        switch name {
        case "--cap": try append(try Self.cap(try option.value()), to: "caps", name)
        case "--enable", "--disable": try set("enabled", .bool(name == "--enable"), name)
        case "--size": try set("size", try Self.size(try option.value()), name)
        case "--kind":
            let kind = try option.value()
            guard kind == "image" || kind == "html" else {
                throw .usage("--kind takes one of image and html, not '\(kind)'")
            }
            try set("kind", .string(kind), name)
        case "--revision": revision = try Self.number(name, try option.value())
        default: throw .usage("unknown option '\(name)'")
        }
    }

    /// Gives away the fields of a noun.
    mutating func takeFields(of noun: String) throws(Failure) -> JSONObject {
        for (option, field) in given where Self.known[noun]?.contains(field) != true {
            throw .usage("\(option) does not go with \(noun)")
        }
        given = []
        defer { fields = [:] }
        return fields
    }

    /// Gives away the fields that shall hold nothing.
    mutating func takeCleared() -> [String] {
        defer { cleared = [] }
        return cleared
    }

    /// Gives away the revision that was named.
    mutating func takeRevision() -> Int64? {
        defer { revision = nil }
        return revision
    }

    /// Refuses what was given and is of no use.
    func checkTaken(_ verb: String) throws(Failure) {
        if let (option, _) = given.first { throw .usage("\(option) does not go with \(verb)") }
        if revision != nil { throw .usage("--revision does not go with \(verb)") }
        if !cleared.isEmpty { throw .usage("there is nothing to take away from what \(verb) makes") }
    }

    private mutating func set(_ field: String, _ value: JSONValue?, _ option: String) throws(Failure) {
        guard !given.contains(where: { $0.field == field }) else {
            throw .usage("\(option) says again, or otherwise, what was said before")
        }
        fields[field] = value
        given.append((option, field))
    }

    private mutating func append(
        _ value: JSONValue, to field: String, _ option: String
    ) throws(Failure) {
        guard let list = fields[field]?.array else { return try set(field, [value], option) }
        guard given.contains(where: { $0 == (option, field) }) else {
            throw .usage("\(option) says again, or otherwise, what was said before")
        }
        fields[field] = .array(list + [value])
    }

    private static func number(_ option: String, _ text: String) throws(Failure) -> Int64 {
        guard let number = Int64(text), number > 0 else {
            throw .usage("\(option) takes a whole number, not '\(text)'")
        }
        return number
    }

    private static func moment(_ option: String, _ text: String) throws(Failure) -> Int64 {
        guard let moment = WallText.parse(text, isLocal: true) else {
            throw .usage("\(option) takes a moment such as 2026-12-01 or 2026-12-01T08:00, not '\(text)'")
        }
        return moment
    }

    private static func size(_ text: String) throws(Failure) -> JSONValue {
        let sides = text.split(separator: "x", omittingEmptySubsequences: false).map { Int64($0) }
        guard sides.count == 2, let width = sides[0], let height = sides[1] else {
            throw .usage("--size takes a size such as 320x50, not '\(text)'")
        }
        return ["width": .integer(width), "height": .integer(height)]
    }

    /// `3/1h` or `20/24h:device`.
    private static func cap(_ text: String) throws(Failure) -> JSONValue {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        let numbers = parts[0].split(separator: "/", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), numbers.count == 2, let count = Int64(numbers[0]),
            let window = DurationText.parse(String(numbers[1])), window.microseconds >= 1_000_000,
            parts.count == 1 || parts[1] == "slot" || parts[1] == "device"
        else { throw .usage("--cap takes a count and a time such as 3/1h or 20/24h:device, not '\(text)'") }
        return [
            "count": .integer(count), "windowSeconds": .integer(window.microseconds / 1_000_000),
            "scope": .string(parts.count == 2 ? String(parts[1]) : "slot"),
        ]
    }
}
