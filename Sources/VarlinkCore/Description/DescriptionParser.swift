/// Reads the grammar of a description (varlink.org, "Interface definition").
///
/// Refused besides what the grammar refuses, since readers in wide use refuse it: an enumeration of one
/// word, and digits in the first part of an interface's name.
struct DescriptionParser {
    private let tokens: [DescriptionToken]
    private var position = 0
    /// The names of types that were used, with their lines: they may be defined further down.
    private var uses: [(name: String, line: Int)] = []

    init(_ text: String) throws(DescriptionError) {
        tokens = try DescriptionScanner.tokens(text)
    }

    /// Reads the whole description.
    mutating func interface() throws(DescriptionError) -> InterfaceDescription {
        let keyword = take()
        guard keyword.kind == .word("interface") else { throw unexpected(keyword, wanted: "'interface'") }
        let name = take()
        guard case .word(let text) = name.kind, isInterfaceName(text) else {
            throw unexpected(name, wanted: "an interface name")
        }
        var interface = InterfaceDescription(name: text, documentation: keyword.documentation)
        var lastLine = name.line
        while next.kind != .end {
            guard next.line > lastLine else { throw unexpected(next, wanted: "a new line") }
            try member(of: &interface)
            lastLine = tokens[position - 1].line
        }
        for use in uses where interface.type(use.name) == nil {
            throw DescriptionError(line: use.line, message: "no type '\(use.name)' is defined")
        }
        return interface
    }

    private mutating func member(of interface: inout InterfaceDescription) throws(DescriptionError) {
        let keyword = take()
        let name = take()
        switch keyword.kind {
        case .word("type"), .word("method"), .word("error"): break
        case .word, .sign, .end: throw unexpected(keyword, wanted: "'type', 'method' or 'error'")
        }
        guard case .word(let text) = name.kind, isMemberName(text) else {
            throw unexpected(name, wanted: "a name that begins with a capital letter")
        }
        guard interface.type(text) == nil, interface.method(text) == nil, interface.error(text) == nil else {
            throw DescriptionError(line: name.line, message: "'\(text)' is defined twice")
        }
        let (documentation, line) = (keyword.documentation, keyword.line)
        if keyword.kind == .word("type") {
            let type = try brackets()
            interface.types.append(.init(name: text, type: type, documentation: documentation, line: line))
        } else if keyword.kind == .word("error") {
            let fields = try structure()
            interface.errors.append(
                .init(name: text, fields: fields, documentation: documentation, line: line))
        } else {
            let input = try structure()
            try expect("->")
            let output = try structure()
            interface.methods.append(
                .init(name: text, input: input, output: output, documentation: documentation, line: line))
        }
    }
}

// Types.
extension DescriptionParser {
    private mutating func type() throws(DescriptionError) -> VarlinkType {
        if next.kind == .sign("?") {
            _ = take()
            guard next.kind != .sign("?") else { throw unexpected(next, wanted: "a type") }
            return .optional(try type())
        }
        if next.kind == .sign("[") {
            _ = take()
            let isDictionary = next.kind == .word("string")
            if isDictionary { _ = take() }
            try expect("]")
            return isDictionary ? .dictionary(try type()) : .array(try type())
        }
        if next.kind == .sign("(") { return try brackets() }
        let token = take()
        switch token.kind {
        case .word("bool"): return .bool
        case .word("int"): return .int
        case .word("float"): return .float
        case .word("string"): return .string
        case .word("object"): return .object
        case .word(let name) where isMemberName(name):
            uses.append((name, token.line))
            return .named(name)
        case .word, .sign, .end: throw unexpected(token, wanted: "a type")
        }
    }

    private mutating func structure() throws(DescriptionError) -> [VarlinkField] {
        let start = next
        guard case .structure(let fields) = try brackets() else {
            throw DescriptionError(line: start.line, message: "an enumeration where a structure is wanted")
        }
        return fields
    }

    /// Reads a structure or an enumeration; the sign after the first name tells which.
    private mutating func brackets() throws(DescriptionError) -> VarlinkType {
        let start = next
        try expect("(")
        if next.kind == .sign(")") {
            _ = take()
            return .structure([])
        }
        var words: [String] = []
        var fields: [VarlinkField] = []
        repeat {
            let token = take()
            guard case .word(let name) = token.kind, isFieldName(name) else {
                throw unexpected(token, wanted: "a name")
            }
            guard !words.contains(name) else {
                throw DescriptionError(line: token.line, message: "'\(name)' comes twice")
            }
            let isField = next.kind == .sign(":")
            guard words.isEmpty || isField == !fields.isEmpty else {
                throw unexpected(next, wanted: fields.isEmpty ? "',' or ')'" : "':'")
            }
            words.append(name)
            if isField {
                _ = take()
                fields.append(VarlinkField(name: name, type: try type()))
            }
        } while try goesOn()
        guard fields.isEmpty else { return .structure(fields) }
        guard words.count > 1 else {
            throw DescriptionError(line: start.line, message: "an enumeration of one word")
        }
        return .enumeration(words)
    }

    private mutating func goesOn() throws(DescriptionError) -> Bool {
        let token = take()
        guard token.kind == .sign(",") || token.kind == .sign(")") else {
            throw unexpected(token, wanted: "',' or ')'")
        }
        return token.kind == .sign(",")
    }
}

// Tokens and names.
extension DescriptionParser {
    private var next: DescriptionToken { tokens[position] }

    /// Takes the next token; the end is there as often as it is asked for.
    private mutating func take() -> DescriptionToken {
        defer { position = min(position + 1, tokens.count - 1) }
        return next
    }

    private mutating func expect(_ sign: String) throws(DescriptionError) {
        let token = take()
        guard token.kind == .sign(sign) else { throw unexpected(token, wanted: "'\(sign)'") }
    }

    private func unexpected(_ token: DescriptionToken, wanted: String) -> DescriptionError {
        DescriptionError(line: token.line, message: "\(token.text) where \(wanted) is wanted")
    }

    private func isMemberName(_ name: String) -> Bool {
        name.first?.isUppercase == true && name.utf8.allSatisfy(isAlphanumeric)
    }

    /// Letters and digits, single underscores between them, a letter first.
    private func isFieldName(_ name: String) -> Bool {
        let parts = name.utf8.split(separator: UInt8(ascii: "_"), omittingEmptySubsequences: false)
        return name.first?.isLetter == true
            && parts.allSatisfy { !$0.isEmpty && $0.allSatisfy(isAlphanumeric) }
    }

    /// At least two parts between dots: letters, digits and hyphens within; the first has letters only.
    private func isInterfaceName(_ name: String) -> Bool {
        let parts = name.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        let hyphen = UInt8(ascii: "-")
        let areParts = parts.allSatisfy { part in
            !part.isEmpty && part.first != hyphen && part.last != hyphen
                && part.allSatisfy { isAlphanumeric($0) || $0 == hyphen }
        }
        return parts.count > 1 && areParts && !parts[0].contains(where: isDigit)
    }

    private func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    private func isAlphanumeric(_ byte: UInt8) -> Bool {
        isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }
}
