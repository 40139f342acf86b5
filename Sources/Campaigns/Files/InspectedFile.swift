/// A file that can be a creative's: it is whole as far as its format lets that be seen without decoding the
/// picture, and inside the bounds.
///
///     let file = try InspectedFile(bytes)
///     try file.check(fits: CreativeSize(width: 320, height: 50))
public struct InspectedFile: Hashable, Sendable {
    /// What it is, by its content.
    public let format: CreativeFormat
    /// The size of a picture, in its own pixels; `nil` for markup, which has none.
    public let pixels: CreativeSize?
    /// How long it is.
    public let sizeBytes: Int

    /// Inspects a file's content; any bytes are fine.
    public init(_ bytes: [UInt8]) throws(FileFault) {
        guard !bytes.isEmpty else { throw .empty }
        format = Self.format(of: bytes)
        sizeBytes = bytes.count
        let bytesMax = format == .html ? Limits.markupBytesMax : Int(Limits.creativeBytesMax)
        guard bytes.count <= bytesMax else { throw .tooLong(format, bytesMax: bytesMax) }
        switch format {
        case .png: pixels = try PNGFile.pixels(bytes)
        case .jpeg: pixels = try JPEGFile.pixels(bytes)
        case .gif: pixels = try GIFFile.pixels(bytes)
        case .webp: pixels = try WebPFile.pixels(bytes)
        case .html:
            try MarkupFile.check(bytes)
            pixels = nil
        }
        if let pixels {
            guard pixels.width > 0, pixels.height > 0 else { throw .broken(format, "the picture is empty") }
            guard max(pixels.width, pixels.height) <= Limits.imageSidePixelsMax,
                pixels.width * pixels.height <= Limits.imagePixelsMax
            else { throw .tooManyPixels(pixels) }
        }
    }

    /// Throws where a picture has another size than it is to be shown in, and no whole multiple of it for
    /// dense screens. Markup fits every size.
    public func check(fits size: CreativeSize) throws(FileFault) {
        try Self.check(pixels, fit: size)
    }

    /// Throws where so many pixels do not fit a size: see ``check(fits:)``.
    public static func check(_ pixels: CreativeSize?, fit size: CreativeSize) throws(FileFault) {
        guard let pixels else { return }
        let fits = Limits.imageDensities.contains { density in
            size.width.multipliedReportingOverflow(by: density) == (pixels.width, false)
                && size.height.multipliedReportingOverflow(by: density) == (pixels.height, false)
        }
        guard fits else { throw .wrongSize(pixels, shownAs: size) }
    }

    /// The format that the first bytes speak for; markup has none to know it by.
    private static func format(of bytes: [UInt8]) -> CreativeFormat {
        if bytes.starts(with: PNGFile.signature) { return .png }
        if bytes.starts(with: JPEGFile.signature) { return .jpeg }
        if bytes.starts(with: GIFFile.signature) { return .gif }
        if bytes.starts(with: WebPFile.signature), bytes.dropFirst(8).starts(with: WebPFile.form) {
            return .webp
        }
        return .html
    }
}
