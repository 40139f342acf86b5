public import Campaigns

/// Why the inventory was not changed; it is as it was.
public enum InventoryError: Error, Hashable, Sendable, CustomStringConvertible {
    /// There is no such campaign (any more).
    case noSuchCampaign(CampaignID)
    /// There is no such creative (any more).
    case noSuchCreative(CreativeID)
    /// There is no such import, or it has ended.
    case noSuchImport
    /// Somebody else has edited the campaign; this is its revision now.
    case conflict(revision: Int64)
    /// A field holds what it cannot hold.
    case invalid(InvalidCampaign)
    /// A file cannot be a creative's.
    case invalidFile(FileFault)
    /// There is no room for more; the text says for what.
    case full(String)
    /// It cannot be written or read for now.
    case unavailable(String)

    /// In words, for an error message.
    public var description: String {
        switch self {
        case .noSuchCampaign(let id): "there is no campaign \(id.value)"
        case .noSuchCreative(let id): "there is no creative \(id.value)"
        case .noSuchImport: "there is no such import"
        case .conflict(let revision): "somebody else has edited it: it is at revision \(revision)"
        case .invalid(let campaign): campaign.description
        case .invalidFile(let fault): fault.description
        case .full(let what): what
        case .unavailable(let reason): reason
        }
    }

    /// One field that holds what it cannot hold.
    static func fault(_ field: String, _ message: String) -> InventoryError {
        .invalid(InvalidCampaign(faults: [CampaignFault(field: field, message: message)]))
    }
}
