/// A `[Link PATTERN]` section of the configuration. A key that is nil is not set there.
public struct LinkRule: Equatable, Sendable {
    /// Which interface names the rule is for: `*`, `?`, `[abc]`, `[a-z]`, `[!x]`.
    public let pattern: String
    /// `Kind=`: what the link is, whatever else it looks like.
    public var kind: LinkKind?
    /// `Metered=`: traffic over the link costs money.
    public var metered: Bool?
    /// `OnDemand=`: the link comes up when there is traffic.
    public var onDemand: Bool?

    private let glob: Glob

    /// Creates a rule for the links whose name suits `pattern`.
    public init(pattern: String, kind: LinkKind? = nil, metered: Bool? = nil, onDemand: Bool? = nil) {
        self.pattern = pattern
        self.kind = kind
        self.metered = metered
        self.onDemand = onDemand
        glob = Glob(pattern)
    }

    /// Whether the rule is for the link of that name.
    public func matches(_ name: String) -> Bool { glob.matches(name) }
}

extension [LinkRule] {
    /// The configured kind of a link: the first rule that matches and sets one wins.
    func kind(ofLinkNamed name: String) -> LinkKind? { firstValue(\.kind, name) }

    /// Whether a link is configured as metered.
    func isMetered(_ name: String) -> Bool { firstValue(\.metered, name) ?? false }

    /// Whether a link is configured as one that comes up on demand.
    func isOnDemand(_ name: String) -> Bool { firstValue(\.onDemand, name) ?? false }

    private func firstValue<Value>(_ key: (LinkRule) -> Value?, _ name: String) -> Value? {
        for rule in self {
            // The key is looked at first: matching costs more.
            if let value = key(rule), rule.matches(name) { return value }
        }
        return nil
    }
}
