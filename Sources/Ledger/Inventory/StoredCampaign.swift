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
