/// What a creative's file can be, by its content.
public enum CreativeFormat: String, CaseIterable, Sendable {
    /// Portable Network Graphics (W3C, PNG Specification; ISO/IEC 15948).
    case png
    /// JPEG (ITU-T T.81).
    case jpeg
    /// Graphics Interchange Format, versions 87a and 89a.
    case gif
    /// WebP (RFC 9649).
    case webp
    /// Markup in UTF-8.
    case html

    /// The media type: `image/png`, `text/html`.
    public var mediaType: String { self == .html ? "text/html" : "image/\(rawValue)" }

    /// How the name of such a file ends, without the dot.
    public var fileExtension: String { self == .jpeg ? "jpg" : rawValue }

    /// What a creative of such a file is made of.
    public var kind: CreativeKind { self == .html ? .html : .image }
}
