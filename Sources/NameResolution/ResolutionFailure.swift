/// Why there are no addresses of a name.
public enum ResolutionFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The servers say that the name does not exist.
    case noSuchName
    /// The name exists, but has neither an IPv4 nor an IPv6 address.
    case noAddress
    /// No server answered in time.
    case timedOut
    /// No server could be reached. c-ares before 1.20 says the same where all servers refuse.
    case unreachable
    /// The servers answered that they cannot, or will not, answer.
    case refused
    /// The servers answered nonsense.
    case malformedAnswer
    /// Too many names are being asked for already.
    case busy
    /// The resolver itself failed.
    case resolver(String)

    /// Whether the answer is about the name, so that asking again soon is of no use.
    public var isFinal: Bool {
        switch self {
        case .noSuchName, .noAddress: return true
        case .timedOut, .unreachable, .refused, .malformedAnswer, .busy, .resolver: return false
        }
    }

    /// The failure in a sentence's words.
    public var description: String {
        switch self {
        case .noSuchName: return "no such name"
        case .noAddress: return "the name has no address"
        case .timedOut: return "no name server answered in time"
        case .unreachable: return "no name server can be reached, or none will answer"
        case .refused: return "the name servers could not answer"
        case .malformedAnswer: return "the name servers' answer makes no sense"
        case .busy: return "too many names are being asked for"
        case .resolver(let text): return "the resolver failed: \(text)"
        }
    }
}
