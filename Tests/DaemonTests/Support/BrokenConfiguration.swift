import Testing

/// A configuration that must be refused.
struct BrokenConfiguration: Sendable, CustomTestStringConvertible {
    let text: String
    /// The line, counted from 1, that the message must name.
    let line: Int
    /// A word that the message must have.
    let word: String

    init(_ text: String, line: Int, names word: String) {
        (self.text, self.line, self.word) = (text, line, word)
    }

    var testDescription: String { text.split(separator: "\n").joined(separator: " / ") }
}
