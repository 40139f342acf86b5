/// Why a file cannot be a creative's.
public enum FileFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// There is nothing in it.
    case empty
    /// More bytes than a file of its format may have, or of any format.
    case tooLong(CreativeFormat?, bytesMax: Int)
    /// No format that is known here.
    case unknownFormat
    /// It ends before it is complete.
    case cutOff
    /// Something in it is not as its format has it; the text says what, as a whole sentence.
    case broken(CreativeFormat, String)
    /// A picture that is larger than pictures may be.
    case tooManyPixels(CreativeSize)
    /// A picture that does not fit the size in which it is to be shown.
    case wrongSize(CreativeSize, shownAs: CreativeSize)
    /// Another kind of file than the creative's.
    case wrongKind(CreativeFormat)

    /// In words, for an error message.
    public var description: String {
        switch self {
        case .empty: "the file is empty"
        case .tooLong(let format, let bytesMax):
            "the file is longer than the \(bytesMax) bytes that \(format?.mediaType ?? "a creative") may have"
        case .unknownFormat: "the file is no PNG, JPEG, GIF or WebP and no HTML in UTF-8"
        case .cutOff: "the file is not whole: it ends before it is complete"
        case .broken(let format, let reason): "the file is no whole \(format.mediaType): \(reason)"
        case .tooManyPixels(let pixels):
            "the picture has \(pixels) pixels, more than \(Limits.imageSidePixelsMax) on a side "
                + "or \(Limits.imagePixelsMax) in all"
        case .wrongSize(let pixels, let size):
            "the picture has \(pixels) pixels; to be shown as \(size) it must have that or, for dense "
                + "screens, twice or three times as many on both sides"
        case .wrongKind(let format): "the file is \(format.mediaType), which is not what the creative is"
        }
    }
}
