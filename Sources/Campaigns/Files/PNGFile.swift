/// A PNG file (PNG Specification, section 5): a signature, then chunks of length, type, data and checksum
/// from IHDR to IEND, which is its end.
enum PNGFile {
    static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    private static let header = Array("IHDR".utf8)
    private static let palette = Array("PLTE".utf8)
    private static let data = Array("IDAT".utf8)
    private static let end = Array("IEND".utf8)

    /// Goes through all chunks.
    static func pixels(_ bytes: [UInt8]) throws(FileFault) -> CreativeSize {
        var cursor = ByteCursor(bytes.dropFirst(signature.count))
        var pixels: CreativeSize?
        var hasData = false
        while true {
            let length = try cursor.bigEndian(4)
            let start = cursor.position
            let type = Array(try cursor.take(4))
            guard length <= Int(Int32.max), type.allSatisfy(isLetter) else {
                throw .broken(.png, "a chunk has no type")
            }
            let content = try cursor.take(length)
            guard try cursor.bigEndian(4) == Int(CRC32.checksum(of: bytes[start..<content.endIndex])) else {
                throw .broken(.png, "the checksum of a chunk is wrong")
            }
            guard (pixels == nil) == (type == header) else {
                throw .broken(.png, "the header is not the first chunk, or not the only one")
            }
            switch type {
            case header: pixels = try readHeader(content)
            case data: hasData = true
            case end:
                guard let pixels, hasData, length == 0 else { throw .broken(.png, "there is no picture") }
                guard cursor.isAtEnd else { throw .broken(.png, "something follows its end") }
                return pixels
            case palette: break
            default:
                // A capital first letter: no decoder may go on that does not know the chunk.
                guard type[0] & 0x20 != 0 else {
                    throw .broken(.png, "a chunk that matters is of no known type")
                }
            }
        }
    }

    private static func readHeader(_ content: ArraySlice<UInt8>) throws(FileFault) -> CreativeSize {
        guard content.count == 13 else { throw .broken(.png, "the header has the wrong length") }
        var cursor = ByteCursor(content)
        let pixels = CreativeSize(width: try cursor.bigEndian(4), height: try cursor.bigEndian(4))
        let (depth, colour) = (try cursor.byte(), try cursor.byte())
        // Table 11.1: the depths that each type of colour may have.
        let depths: [UInt8: Set<UInt8>] = [
            0: [1, 2, 4, 8, 16], 2: [8, 16], 3: [1, 2, 4, 8], 4: [8, 16], 6: [8, 16],
        ]
        guard depths[colour]?.contains(depth) == true, try cursor.bigEndian(2) == 0, try cursor.byte() <= 1
        else { throw .broken(.png, "the header says what no picture has") }
        return pixels
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }
}
