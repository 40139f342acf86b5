public import Campaigns

/// What has become of the inventory.
public enum InventoryChange: Hashable, Sendable {
    /// A campaign is new, or has another form now.
    case put(StoredCampaign)
    /// A campaign is gone.
    case removed(CampaignID)
    /// This is the whole inventory now: what is not in it is gone.
    case all([StoredCampaign])
}
