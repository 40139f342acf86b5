/// A WebP file (RFC 9649, section 2): a RIFF container of exactly its length, with chunks of a type, a length
/// and data of an even number of bytes. The first one says what kind of file it is, and has the size.
enum WebPFile {
    static let signature = Array("RIFF".utf8)
    static let form = Array("WEBP".utf8)

    /// Goes through all chunks.
    static func pixels(_ bytes: [UInt8]) throws(FileFault) -> CreativeSize {
        var cursor = ByteCursor(bytes.dropFirst(4))
        let length = try cursor.littleEndian(4)
        guard length <= cursor.rest.count else { throw .cutOff }
        guard length == cursor.rest.count, length % 2 == 0 else {
            throw .broken(.webp, "its length is not what it says")
        }
        _ = try cursor.take(4)
        var pixels: CreativeSize?
        var isExtended = false
        var hasImage = false
        while !cursor.isAtEnd {
            let type = String(decoding: try cursor.take(4), as: UTF8.self)
            let length = try cursor.littleEndian(4)
            let content = try cursor.take(length)
            if length % 2 == 1 { _ = try cursor.byte() }
            switch (type, pixels) {
            case ("VP8X", nil):
                pixels = try canvas(content)
                isExtended = true
            case ("VP8 ", _):
                let size = try lossy(content)
                pixels = pixels ?? size
                hasImage = true
            case ("VP8L", _):
                let size = try lossless(content)
                pixels = pixels ?? size
                hasImage = true
            case (_, nil): throw .broken(.webp, "its first chunk is no picture")
            case ("ANMF", _): hasImage = true
            default: break
            }
            if !isExtended, hasImage, !cursor.isAtEnd {
                throw .broken(.webp, "something follows the picture")
            }
        }
        guard let pixels, hasImage else { throw .broken(.webp, "there is no picture") }
        return pixels
    }

    /// Section 2.7: flags, then width and height, each less one in three bytes.
    private static func canvas(_ content: ArraySlice<UInt8>) throws(FileFault) -> CreativeSize {
        guard content.count == 10 else { throw .broken(.webp, "its header has the wrong length") }
        var cursor = ByteCursor(content.dropFirst(4))
        let width = try cursor.littleEndian(3) + 1
        return CreativeSize(width: width, height: try cursor.littleEndian(3) + 1)
    }

    /// RFC 6386, section 9.1: a frame tag of which the lowest bit is 0 for a key frame, a start code, and
    /// width and height in 14 bits each.
    private static func lossy(_ content: ArraySlice<UInt8>) throws(FileFault) -> CreativeSize {
        var cursor = ByteCursor(content)
        guard content.count > 10, try cursor.littleEndian(3) & 1 == 0,
            Array(try cursor.take(3)) == [0x9D, 0x01, 0x2A]
        else { throw .broken(.webp, "its picture does not begin as one") }
        let width = try cursor.littleEndian(2) & 0x3FFF
        return CreativeSize(width: width, height: try cursor.littleEndian(2) & 0x3FFF)
    }

    /// RFC 9649, section 3.4: a signature, and width and height, each less one in 14 bits.
    private static func lossless(_ content: ArraySlice<UInt8>) throws(FileFault) -> CreativeSize {
        var cursor = ByteCursor(content)
        guard content.count > 5, try cursor.byte() == 0x2F else {
            throw .broken(.webp, "its picture does not begin as one")
        }
        let bits = try cursor.littleEndian(4)
        return CreativeSize(width: bits & 0x3FFF + 1, height: bits >> 14 & 0x3FFF + 1)
    }
}
