/// A slot that wants an advertisement.
public struct AdRequest: Hashable, Sendable {
    /// What the decision will be known by.
    public let id: DecisionID
    /// The slot's name.
    public let slot: String
    /// The size that it has room for.
    public let size: CreativeSize
    /// Campaigns that are no choice this time: their creative has just turned out not to be whole, say.
    public let excluded: Set<CampaignID>

    /// Creates a request; its identifier is never used for another.
    public init(id: DecisionID, slot: String, size: CreativeSize, excluded: Set<CampaignID> = []) {
        self.id = id
        self.slot = slot
        self.size = size
        self.excluded = excluded
    }
}

/// What a slot is to show.
public struct Placement: Hashable, Sendable {
    /// The request's identifier.
    public var decision: DecisionID
    /// The slot.
    public var slot: String
    /// The campaign.
    public var campaign: CampaignID
    /// The campaign's revision.
    public var revision: Int64
    /// The creative.
    public var creative: CreativeID
    /// Its size.
    public var size: CreativeSize
    /// What the impression costs.
    public var cost: ImpressionCost
    /// Why this one.
    public var basis: Basis
    /// Whether it comes near what the slot had before, since nothing else was eligible.
    public var isRepeat: Bool

    /// Puts the values together.
    public init(
        decision: DecisionID, slot: String, campaign: CampaignID, revision: Int64, creative: CreativeID,
        size: CreativeSize, cost: ImpressionCost, basis: Basis, isRepeat: Bool
    ) {
        self.decision = decision
        self.slot = slot
        self.campaign = campaign
        self.revision = revision
        self.creative = creative
        self.size = size
        self.cost = cost
        self.basis = basis
        self.isRepeat = isRepeat
    }

    /// What gave a campaign its turn.
    public enum Basis: Hashable, Sendable {
        /// Its impressions are guaranteed, and one was due at this moment.
        case guaranteed(due: WallTime)
        /// Its share of voice, by this weight.
        case share(weight: Int)
    }
}

/// The answer to a request. What is served has been counted.
public enum Decision: Hashable, Sendable {
    /// The slot is to show this; with campaigns that were passed over for it, at most
    /// `Limits.verdictsMax`.
    case serve(Placement, passedOver: [Verdict])
    /// There is nothing to show.
    case refuse(Refusal)

    /// What is to be shown, if anything.
    public var placement: Placement? {
        if case .serve(let placement, _) = self { placement } else { nil }
    }
}

/// Why there is nothing to show.
public struct Refusal: Hashable, Sendable {
    /// The reason in short.
    public var reason: Reason
    /// What stands against each campaign, at most `Limits.verdictsMax` of them.
    public var verdicts: [Verdict]
    /// When something may change by itself; nil when nothing will. It may change sooner when a slot is
    /// vacated or the inventory is edited.
    public var nextChange: WallTime?

    /// The reason in short.
    public enum Reason: String, Sendable {
        /// Campaigns there are, but none may be shown now.
        case nothingEligible
        /// There are no campaigns.
        case noCampaigns
        /// The identifier is empty or too long, or its decision was withdrawn.
        case invalidIdentifier
        /// More slots than `Limits.slotsMax`.
        case tooManySlots
    }
}

/// What became of a confirmation or a withdrawal.
public enum Settlement: Hashable, Sendable {
    /// It took effect.
    case done
    /// It had taken effect before: a duplicate is done.
    case doneBefore
    /// The opposite was said before, and holds.
    case opposite
    /// No such decision, or one from so long ago that it stays as it is.
    case unknown
}
