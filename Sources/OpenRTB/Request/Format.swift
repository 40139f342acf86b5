/// A size in density-independent pixels (OpenRTB 2.6, 3.2.10).
public struct Format: Hashable, Sendable, CustomStringConvertible {
    /// Width in density-independent pixels.
    public var width: Int
    /// Height in density-independent pixels.
    public var height: Int

    /// Creates a size.
    public init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }

    /// As `320x50`.
    public var description: String { "\(width)x\(height)" }
}

/// The kind of connection that a request leaves by (AdCOM 1.0, List: Connection Types).
public enum ConnectionType: Int, CaseIterable, Sendable {
    /// Not known.
    case unknown = 0
    /// A wire.
    case ethernet = 1
    /// Wi-Fi.
    case wifi = 2
    /// Cellular, of a generation that is not known.
    case cellular = 3
}
