/// A JPEG file (ITU-T T.81, annex B): segments that begin with markers, from SOI to EOI, and coded picture
/// data behind each start of a scan. What follows EOI is left alone, as by all that draw such files: cameras
/// and tools put things there.
enum JPEGFile {
    /// SOI, and the beginning of the next marker.
    static let signature: [UInt8] = [0xFF, 0xD8, 0xFF]

    /// Goes through all segments.
    static func pixels(_ bytes: [UInt8]) throws(FileFault) -> CreativeSize {
        var cursor = ByteCursor(bytes.dropFirst(2))
        var pixels: CreativeSize?
        var hasScan = false
        while true {
            switch try marker(&cursor) {
            case 0xD9:
                guard let pixels, hasScan else { throw .broken(.jpeg, "there is no picture") }
                return pixels
            case 0xDA:
                guard pixels != nil else { throw .broken(.jpeg, "a scan comes before its frame") }
                _ = try segment(&cursor)
                hasScan = true
                try skipCodedData(&cursor)
            case 0xC0, 0xC1, 0xC2:
                guard pixels == nil else { throw .broken(.jpeg, "there are two frames") }
                pixels = try frame(segment(&cursor))
            case 0xC3, 0xC5, 0xC6, 0xC7, 0xC9, 0xCA, 0xCB, 0xCD, 0xCE, 0xCF:
                throw .broken(.jpeg, "it is coded in a way that few programs draw")
            case 0xC4, 0xDB, 0xDC, 0xDD, 0xE0...0xEF, 0xFE: _ = try segment(&cursor)
            case let other: throw .broken(.jpeg, "marker \(other) has no place there")
            }
        }
    }

    /// A marker: FF, as many of them as there are, and what it is.
    private static func marker(_ cursor: inout ByteCursor) throws(FileFault) -> UInt8 {
        guard try cursor.byte() == 0xFF else { throw .broken(.jpeg, "a segment has no marker") }
        var code = try cursor.byte()
        while code == 0xFF { code = try cursor.byte() }
        return code
    }

    private static func segment(_ cursor: inout ByteCursor) throws(FileFault) -> ArraySlice<UInt8> {
        let length = try cursor.bigEndian(2)
        guard length >= 2 else { throw .broken(.jpeg, "a segment has no length") }
        return try cursor.take(length - 2)
    }

    /// Precision, height, width, and the components (B.2.2).
    private static func frame(_ content: ArraySlice<UInt8>) throws(FileFault) -> CreativeSize {
        var cursor = ByteCursor(content)
        guard content.count >= 6 else { throw .broken(.jpeg, "its frame has no size") }
        _ = try cursor.byte()
        let height = try cursor.bigEndian(2)
        let pixels = CreativeSize(width: try cursor.bigEndian(2), height: height)
        let components = Int(try cursor.byte())
        guard (1...4).contains(components), content.count == 6 + 3 * components else {
            throw .broken(.jpeg, "its frame has no components")
        }
        return pixels
    }

    /// Up to the next marker that is not part of the coded data: FF00 is an FF, FFD0 to FFD7 are restarts.
    private static func skipCodedData(_ cursor: inout ByteCursor) throws(FileFault) {
        while true {
            try cursor.skip(to: 0xFF)
            guard cursor.rest.count >= 2 else { throw .cutOff }
            let code = cursor.rest[cursor.position + 1]
            guard code == 0 || (0xD0...0xD7).contains(code) else { return }
            _ = try cursor.take(2)
        }
    }
}
