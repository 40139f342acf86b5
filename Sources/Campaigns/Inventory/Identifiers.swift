/// A campaign, by the number of its row in the inventory.
public struct CampaignID: Hashable, Comparable, Sendable {
    /// The number behind the identifier.
    public let value: Int64

    /// Wraps a number.
    public init(_ value: Int64) {
        self.value = value
    }

    /// The one that was added first comes first.
    public static func < (left: CampaignID, right: CampaignID) -> Bool {
        left.value < right.value
    }
}

/// A creative, by the number of its row in the inventory.
public struct CreativeID: Hashable, Comparable, Sendable {
    /// The number behind the identifier.
    public let value: Int64

    /// Wraps a number.
    public init(_ value: Int64) {
        self.value = value
    }

    /// The one that was added first comes first.
    public static func < (left: CreativeID, right: CreativeID) -> Bool {
        left.value < right.value
    }
}

/// One decision, by the unique identifier that the caller gives to its request; the ledger's, for instance.
public struct DecisionID: Hashable, Sendable {
    /// The text behind the identifier.
    public let value: String

    /// Wraps a text of 1 to `Limits.decisionBytesMax` bytes.
    public init(_ value: String) {
        self.value = value
    }
}
