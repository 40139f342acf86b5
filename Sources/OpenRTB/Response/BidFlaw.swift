/// What is wrong with an answer, or with one bid of it.
public struct BidFlaw: Error, Hashable, Sendable, CustomStringConvertible {
    /// What follows from it.
    public enum Kind: String, CaseIterable, Sendable {
        /// The bid is sound, and not enough.
        case noFill
        /// This is no answer to the question.
        case wrongAnswer
        /// This cannot be shown.
        case wrongCreative
        /// This could have been shown once.
        case expired
    }

    /// What follows from it.
    public let kind: Kind
    /// Where it is: `id`, `seatbid[0].bid[1].price`.
    public let field: String
    /// What is wrong there, in words.
    public let message: String
    /// What the bidder is told.
    public let loss: LossReason

    init(_ kind: Kind, _ field: String, _ message: String, loss: LossReason = .invalidResponse) {
        self.kind = kind
        self.field = field
        self.message = message
        self.loss = loss
    }

    /// The place and what is wrong there.
    public var description: String { field.isEmpty ? message : "\(field): \(message)" }
}

extension String {
    /// A foreign text as an explanation repeats it: one line, visible, not long.
    var shown: String {
        var text = ""
        for scalar in unicodeScalars.prefix(Limits.shownCharactersMax) {
            text.unicodeScalars.append(scalar.properties.generalCategory.isVisible ? scalar : "\u{FFFD}")
        }
        return unicodeScalars.count > Limits.shownCharactersMax ? "'\(text)…'" : "'\(text)'"
    }
}

extension Unicode.GeneralCategory {
    /// Whether it can stand in a line of text without changing it.
    fileprivate var isVisible: Bool {
        switch self {
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator:
            false
        default: true
        }
    }
}
