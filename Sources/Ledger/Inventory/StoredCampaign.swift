public import Campaigns

/// A campaign as it is kept, with what its creatives are made of.
public struct StoredCampaign: Hashable, Sendable {
    /// The campaign.
    public var campaign: Campaign
    /// The files of its creatives that are there, whole.
    public var files: [CreativeID: CreativeFile]
    /// Where the files of its other creatives are to be fetched from.
    public var addresses: [CreativeID: String]

    /// Puts the parts together.
    public init(
        campaign: Campaign, files: [CreativeID: CreativeFile] = [:], addresses: [CreativeID: String] = [:]
    ) {
        self.campaign = campaign
        self.files = files
        self.addresses = addresses
    }
}

/// A creative as it is kept.
public struct StoredCreative: Hashable, Sendable {
    /// The creative.
    public var creative: Creative
    /// The campaign that it belongs to.
    public var campaign: CampaignID
    /// Its file, where that is there, whole.
    public var file: CreativeFile?
    /// Where its file is to be fetched from, where it names an address in the place of a file.
    public var address: String?

    /// Puts the parts together.
    public init(
        creative: Creative, campaign: CampaignID, file: CreativeFile? = nil, address: String? = nil
    ) {
        self.creative = creative
        self.campaign = campaign
        self.file = file
        self.address = address
    }
}

extension StoredCampaign {
    /// One of its creatives, with what it is made of.
    public func stored(_ id: CreativeID) -> StoredCreative? {
        campaign.creatives.first { $0.id == id }.map {
            StoredCreative(creative: $0, campaign: campaign.id, file: files[id], address: addresses[id])
        }
    }
}

/// A file in the directory of creatives.
public struct CreativeFile: Hashable, Sendable {
    /// The whole path.
    public var path: String
    /// The media type, by the content: `image/png`, `text/html`.
    public var mediaType: String
    /// How long it is; a file of another length is not whole.
    public var sizeBytes: Int64

    /// Puts the parts together.
    public init(path: String, mediaType: String, sizeBytes: Int64) {
        self.path = path
        self.mediaType = mediaType
        self.sizeBytes = sizeBytes
    }
}
