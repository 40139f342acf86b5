/// An instruction to a host, carried out in the order of `sequence`.
public struct Command: Hashable, Sendable {
    /// What the host does.
    public enum Kind: String, CaseIterable, Sendable {
        /// Make a banner view off screen; the content is untouched.
        case create
        /// Draw the creative in the banner's frame and shrink the content.
        case show
        /// Move the banner, shown or hidden, to new frames.
        case resize
        /// Move the banner off screen and give the content the whole viewport.
        case hide
        /// Drop the view; the banner is never named again.
        case release
    }

    /// What the host does.
    public var kind: Kind
    /// The banner that is meant.
    public var banner: BannerID
    /// The banner's place, in density-independent pixels.
    public var bannerFrame: Rectangle
    /// The content's place, in density-independent pixels.
    public var contentFrame: Rectangle
    /// What to draw: set for `show`, never else.
    public var creative: Creative?
    /// Why the host is told so.
    public var reason: Reason
    /// 1 for a host's first command, one more for each later one.
    public var sequence: Int

    /// Creates a command.
    public init(
        kind: Kind, banner: BannerID, bannerFrame: Rectangle, contentFrame: Rectangle, creative: Creative?,
        reason: Reason, sequence: Int
    ) {
        self.kind = kind
        self.banner = banner
        self.bannerFrame = bannerFrame
        self.contentFrame = contentFrame
        self.creative = creative
        self.reason = reason
        self.sequence = sequence
    }
}
