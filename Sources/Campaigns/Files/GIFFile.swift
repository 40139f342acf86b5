/// A GIF file (GIF89a Specification): a header, then images and extensions, each a chain of blocks, up to the
/// trailer. What follows that is left alone, as by all that draw such files.
enum GIFFile {
    static let signature = Array("GIF8".utf8)

    /// Goes through all blocks.
    static func pixels(_ bytes: [UInt8]) throws(FileFault) -> CreativeSize {
        var cursor = ByteCursor(bytes[...])
        let version = String(decoding: try cursor.take(6), as: UTF8.self)
        guard version == "GIF87a" || version == "GIF89a" else {
            throw .broken(.gif, "its version is unknown")
        }
        let width = try cursor.littleEndian(2)
        let pixels = CreativeSize(width: width, height: try cursor.littleEndian(2))
        let packed = try cursor.byte()
        // Background colour and aspect ratio.
        _ = try cursor.take(2)
        try skipColourTable(packed, &cursor)
        var hasImage = false
        while true {
            switch try cursor.byte() {
            case 0x21:
                // The label of the extension.
                _ = try cursor.byte()
                try skipBlocks(&cursor)
            case 0x2C:
                _ = try cursor.take(8)
                try skipColourTable(try cursor.byte(), &cursor)
                guard (1...11).contains(try cursor.byte()) else {
                    throw .broken(.gif, "an image has a code size that does not exist")
                }
                try skipBlocks(&cursor)
                hasImage = true
            case 0x3B:
                guard hasImage else { throw .broken(.gif, "there is no picture") }
                return pixels
            default: throw .broken(.gif, "a block is of no known kind")
            }
        }
    }

    /// The high bit says whether there is a table, the low three how long it is.
    private static func skipColourTable(_ packed: UInt8, _ cursor: inout ByteCursor) throws(FileFault) {
        if packed & 0x80 != 0 { _ = try cursor.take(3 << (Int(packed & 7) + 1)) }
    }

    private static func skipBlocks(_ cursor: inout ByteCursor) throws(FileFault) {
        while true {
            let length = Int(try cursor.byte())
            guard length > 0 else { return }
            _ = try cursor.take(length)
        }
    }
}
