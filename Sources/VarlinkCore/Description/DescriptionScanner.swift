/// A word or a sign of a description.
struct DescriptionToken: Equatable {
    enum Kind: Equatable {
        /// Letters, digits, dots, hyphens and underscores.
        case word(String)
        /// `(`, `)`, `[`, `]`, `:`, `,`, `?` or `->`.
        case sign(String)
        /// Nothing follows.
        case end
    }

    let kind: Kind
    /// Counted from 1.
    let line: Int
    /// The comment that ends in the line right before.
    let documentation: String

    /// The token as errors name it.
    var text: String {
        switch kind {
        case .word(let text), .sign(let text): "'\(text)'"
        case .end: "the end"
        }
    }
}

/// Cuts the text of a description into tokens.
struct DescriptionScanner {
    private let text: [UInt8]
    private var position = 0
    private var line = 1
    private var comments: [String] = []
    /// Whether nothing but blanks has stood in this line so far.
    private var isBlankLine = true

    static func tokens(_ text: String) throws(DescriptionError) -> [DescriptionToken] {
        var scanner = DescriptionScanner(text: Array(text.utf8))
        var tokens: [DescriptionToken] = []
        while let kind = try scanner.next() {
            tokens.append(scanner.token(kind))
        }
        tokens.append(scanner.token(.end))
        return tokens
    }

    private init(text: [UInt8]) {
        self.text = text
    }

    private mutating func token(_ kind: DescriptionToken.Kind) -> DescriptionToken {
        defer { comments = [] }
        return DescriptionToken(kind: kind, line: line, documentation: comments.joined(separator: "\n"))
    }

    private mutating func next() throws(DescriptionError) -> DescriptionToken.Kind? {
        skipBlanks()
        guard position < text.count else { return nil }
        isBlankLine = false
        let start = position
        position += 1
        switch text[start] {
        case UInt8(ascii: "-") where position < text.count && text[position] == UInt8(ascii: ">"):
            position += 1
            return .sign("->")
        case let byte where Self.signs.contains(byte):
            return .sign(String(decoding: [byte], as: UTF8.self))
        case let byte where Self.isWordByte(byte):
            while position < text.count, Self.isWordByte(text[position]) { position += 1 }
            return .word(String(decoding: text[start..<position], as: UTF8.self))
        default:
            throw DescriptionError(line: line, message: "a character that no description holds here")
        }
    }

    private static let signs = Set("()[]:,?".utf8)

    private static func isWordByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }

    /// Skips white space and comments. A comment on lines of its own documents what follows it at once.
    private mutating func skipBlanks() {
        while position < text.count {
            switch text[position] {
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"):
                position += 1
            case UInt8(ascii: "\n"):
                if isBlankLine { comments = [] }
                endLine()
            case UInt8(ascii: "#"):
                comment()
            default:
                return
            }
        }
    }

    private mutating func comment() {
        let start = position + 1
        while position < text.count, text[position] != UInt8(ascii: "\n") { position += 1 }
        if isBlankLine {
            let content = text[start..<position].drop { $0 == UInt8(ascii: " ") }
            comments.append(String(decoding: content, as: UTF8.self))
        }
        if position < text.count { endLine() }
    }

    private mutating func endLine() {
        position += 1
        line += 1
        isBlankLine = true
    }
}
