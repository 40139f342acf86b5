/// Where the banner and the content lie, in the viewport's coordinates.
public struct Frames: Hashable, Sendable {
    /// The banner's place; outside the viewport when it is hidden.
    public var banner: Rectangle
    /// The place that is left for the host's content.
    public var content: Rectangle

    /// Creates a pair of frames.
    public init(banner: Rectangle, content: Rectangle) {
        self.banner = banner
        self.content = content
    }
}

/// The size rule and the frames rule, without state.
public enum Layout {
    /// A banner takes at most this part of the viewport's height: one in five.
    private static let heightShare = 5

    /// The sizes that a slot allows unless its configuration says otherwise.
    public static let defaultSizes = [
        Size(width: 320, height: 50), Size(width: 480, height: 32), Size(width: 728, height: 90),
        Size(width: 768, height: 66), Size(width: 1024, height: 66), Size(width: 300, height: 50),
        Size(width: 468, height: 60), Size(width: 970, height: 90),
    ]

    /// Chooses the size to ask for: of the allowed sizes that fit the viewport's width and take at most a
    /// fifth of its height, the widest, then the tallest. `nil` where none fits.
    public static func size(for viewport: Size, among allowed: [Size]) -> Size? {
        var best: Size?
        for size in allowed where size.width <= viewport.width {
            guard size.height <= viewport.height / heightShare else { continue }
            guard let rival = best else {
                best = size
                continue
            }
            if (size.width, size.height) > (rival.width, rival.height) { best = size }
        }
        return best
    }

    /// The frames of a banner of `size` on screen: centred at its edge, the content beside it.
    public static func shown(_ size: Size, in viewport: Size, at placement: Placement) -> Frames {
        let contentHeight = viewport.height - size.height
        let bannerY: Int
        let contentY: Int
        switch placement {
        case .top: (bannerY, contentY) = (0, size.height)
        case .bottom: (bannerY, contentY) = (contentHeight, 0)
        }
        return Frames(
            banner: banner(size, in: viewport, y: bannerY),
            content: Rectangle(x: 0, y: contentY, width: viewport.width, height: contentHeight))
    }

    /// The frames of a banner of `size` just outside its edge; the content has the whole viewport.
    public static func hidden(_ size: Size, in viewport: Size, at placement: Placement) -> Frames {
        let bannerY: Int
        switch placement {
        case .top: bannerY = -size.height
        case .bottom: bannerY = viewport.height
        }
        return Frames(
            banner: banner(size, in: viewport, y: bannerY),
            content: Rectangle(x: 0, y: 0, width: viewport.width, height: viewport.height))
    }

    /// Says what is wrong with a viewport, or `nil` when nothing is.
    ///
    /// A viewport in which no allowed size fits is a good viewport: the slot then asks for nothing.
    public static func problem(with viewport: Size) -> String? {
        for (side, length) in [("width", viewport.width), ("height", viewport.height)]
        where !Limits.sidePixels.contains(length) {
            let (least, most) = (Limits.sidePixels.lowerBound, Limits.sidePixels.upperBound)
            return "\(side) \(length) is outside \(least) to \(most) pixels"
        }
        return nil
    }

    private static func banner(_ size: Size, in viewport: Size, y: Int) -> Rectangle {
        Rectangle(x: (viewport.width - size.width) / 2, y: y, width: size.width, height: size.height)
    }
}
