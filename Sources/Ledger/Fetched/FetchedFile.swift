public import Campaigns

/// A file that was fetched from the address that creatives name.
public struct FetchedFile: Hashable, Sendable {
    /// Where it came from.
    public var address: String
    /// The file.
    public var file: CreativeFile
    /// What it is.
    public var content: InspectedFile
}

/// What is kept of fetching over restarts.
public struct FetchedState: Hashable, Sendable {
    /// The files that are there, whole; the one that was used last at the end.
    public var files: [FetchedFile] = []
    /// What was fetched over paths that cost money.
    public var meteredUse = MeteredUse()

    /// Nothing is kept.
    public init() {}
}
