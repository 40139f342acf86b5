/// The size of a creative, in density-independent pixels.
public struct CreativeSize: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// From left to right.
    public var width: Int
    /// From top to bottom.
    public var height: Int

    /// Creates a size.
    public init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }

    /// `320x50`.
    public var description: String { "\(width)x\(height)" }

    /// By width, then by height.
    public static func < (left: CreativeSize, right: CreativeSize) -> Bool {
        (left.width, left.height) < (right.width, right.height)
    }
}

/// What a creative is made of.
public enum CreativeKind: String, CaseIterable, Sendable {
    /// A picture.
    case image
    /// Markup.
    case html
}

/// One advertisement of a campaign.
public struct Creative: Hashable, Sendable {
    /// Which one.
    public var id: CreativeID
    /// Its size; only a slot that asks for this very size gets it.
    public var size: CreativeSize
    /// What it is made of.
    public var kind: CreativeKind
    /// Where a click leads (http or https), if anywhere.
    public var clickURL: String?
    /// Whether it may be shown.
    public var isEnabled: Bool

    /// Puts a creative together.
    public init(
        id: CreativeID, size: CreativeSize, kind: CreativeKind = .image, clickURL: String? = nil,
        isEnabled: Bool = true
    ) {
        self.id = id
        self.size = size
        self.kind = kind
        self.clickURL = clickURL
        self.isEnabled = isEnabled
    }

    /// Whether a text is an address that a click may lead to or a file may be fetched from: an http or https
    /// URL of printable ASCII with a host.
    public static func isWebAddress(_ text: String) -> Bool {
        let lowercased = text.lowercased()
        guard let scheme = ["http://", "https://"].first(where: lowercased.hasPrefix) else { return false }
        let rest = text.utf8.dropFirst(scheme.utf8.count)
        return text.utf8.count <= Limits.urlBytesMax && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
            && !(rest.first.map { "/?#".utf8.contains($0) } ?? true)
    }
}
