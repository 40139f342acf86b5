/// A width and a height, in density-independent pixels.
public struct Size: Hashable, Sendable {
    /// The width, in density-independent pixels.
    public var width: Int
    /// The height, in density-independent pixels.
    public var height: Int

    /// Creates a size from density-independent pixels.
    public init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }

    /// Whether something of this size lies wholly inside `other`.
    public func fits(inside other: Size) -> Bool {
        width <= other.width && height <= other.height
    }
}

extension Size: CustomStringConvertible {
    /// The size as the configuration and the scenarios write it: `320x50`.
    public var description: String { "\(width)x\(height)" }
}

/// A place on the screen; the origin is the viewport's upper left corner, y grows downwards.
public struct Rectangle: Hashable, Sendable {
    /// The left edge, in density-independent pixels.
    public var x: Int
    /// The upper edge, in density-independent pixels.
    public var y: Int
    /// The width, in density-independent pixels.
    public var width: Int
    /// The height, in density-independent pixels.
    public var height: Int

    /// Creates a rectangle from density-independent pixels.
    public init(x: Int, y: Int, width: Int, height: Int) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }
}

/// The edge of the viewport that a slot's banner lies at.
public enum Placement: String, CaseIterable, Sendable {
    /// The banner lies above the content.
    case top
    /// The banner lies under the content.
    case bottom
}
