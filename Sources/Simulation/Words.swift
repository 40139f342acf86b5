internal import AdSlots
internal import Configuration
internal import Reachability

/// Why a word cannot be what it should be; the line is added by whoever knows it.
struct WordError: Error {
    let message: String

    init(_ message: String) {
        self.message = message
    }
}

/// The words of one line, taken one by one. What nobody has taken at the end is an error.
struct Words {
    private var rest: ArraySlice<Substring>

    init(_ line: some StringProtocol) {
        rest = Array(String(line).split(whereSeparator: \.isBlank).map { Substring($0) })[...]
    }

    /// The next word, which must be there.
    /// - Parameter what: what it is, for the error.
    mutating func next(_ what: String) throws(WordError) -> String {
        guard let word = rest.popFirst() else { throw WordError("\(what) is missing") }
        return String(word)
    }

    /// Takes the option `key=…` out of the words that are left, wherever it stands.
    mutating func option(_ key: String) throws(WordError) -> String? {
        guard let index = rest.firstIndex(where: { $0.hasPrefix("\(key)=") }) else { return nil }
        let value = String(rest.remove(at: index).dropFirst(key.count + 1))
        guard !value.isEmpty else { throw WordError("\(key)= has no value") }
        return value
    }

    /// Takes the first of these words that is there.
    mutating func flag<Value: RawRepresentable & CaseIterable>(
        of type: Value.Type
    ) -> Value? where Value.RawValue == String {
        for (index, word) in zip(rest.indices, rest) {
            guard let value = Value(rawValue: String(word)) else { continue }
            rest.remove(at: index)
            return value
        }
        return nil
    }

    /// Takes that word, and says whether it was there.
    mutating func flag(_ name: String) -> Bool {
        guard let index = rest.firstIndex(of: Substring(name)) else { return false }
        rest.remove(at: index)
        return true
    }

    /// Refuses what nobody has taken.
    func end() throws(WordError) {
        guard let word = rest.first else { return }
        throw WordError("'\(word)' does not belong here")
    }
}

extension Character {
    /// Separates words; a carriage return does too, so that files of other systems can be read.
    var isBlank: Bool { self == " " || self == "\t" || self == "\r" }
}

// Words that are values.
extension Words {
    mutating func duration(_ what: String) throws(WordError) -> Duration {
        try Words.duration(next(what), what)
    }

    static func duration(_ word: String, _ what: String) throws(WordError) -> Duration {
        guard let duration = DurationText.parse(word) else {
            throw WordError("\(what) takes a time such as 250ms, 12.5s or 3h, not '\(word)'")
        }
        return duration
    }

    mutating func optionalDuration(_ key: String) throws(WordError) -> Duration? {
        guard let word = try option(key) else { return nil }
        return try Words.duration(word, "\(key)=")
    }

    mutating func size(_ what: String) throws(WordError) -> Size {
        try Words.size(next(what), what)
    }

    static func size(_ word: String, _ what: String) throws(WordError) -> Size {
        let sides = word.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
        guard sides.count == 2, let width = sides[0], let height = sides[1] else {
            throw WordError("\(what) takes a size such as 320x50, not '\(word)'")
        }
        return Size(width: width, height: height)
    }

    mutating func count(_ what: String) throws(WordError) -> Int {
        let word = try next(what)
        guard let count = Int(word), count >= 0 else {
            throw WordError("\(what) takes a count, not '\(word)'")
        }
        return count
    }

    mutating func yesOrNo(_ what: String) throws(WordError) -> Bool {
        try Words.yesOrNo(next(what), what)
    }

    static func yesOrNo(_ word: String, _ what: String) throws(WordError) -> Bool {
        switch word {
        case "yes": return true
        case "no": return false
        default: throw WordError("\(what) takes yes or no, not '\(word)'")
        }
    }

    mutating func optionalYesOrNo(_ key: String) throws(WordError) -> Bool? {
        guard let word = try option(key) else { return nil }
        return try Words.yesOrNo(word, "\(key)=")
    }

    mutating func choice<Value: RawRepresentable & CaseIterable>(
        _ what: String, of type: Value.Type, except excluded: [Value] = []
    ) throws(WordError) -> Value where Value.RawValue == String, Value: Equatable {
        try Words.choice(next(what), what, of: type, except: excluded)
    }

    static func choice<Value: RawRepresentable & CaseIterable>(
        _ word: String, _ what: String, of type: Value.Type, except excluded: [Value] = []
    ) throws(WordError) -> Value where Value.RawValue == String, Value: Equatable {
        if let value = Value(rawValue: word), !excluded.contains(value) { return value }
        let known = Value.allCases.filter { !excluded.contains($0) }.map(\.rawValue)
        throw WordError("\(what) takes one of \(known.joined(separator: ", ")), not '\(word)'")
    }

    mutating func optionalChoice<Value: RawRepresentable & CaseIterable>(
        _ key: String, of type: Value.Type, except excluded: [Value] = []
    ) throws(WordError) -> Value? where Value.RawValue == String, Value: Equatable {
        guard let word = try option(key) else { return nil }
        return try Words.choice(word, "\(key)=", of: type, except: excluded)
    }
}
