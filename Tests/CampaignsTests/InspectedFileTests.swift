import Simulation
import Testing

@testable import Campaigns

@Suite("What a creative's file is, by its content")
struct InspectedFileTests {
    private func fault(_ bytes: [UInt8]) -> FileFault? {
        do throws(FileFault) {
            _ = try InspectedFile(bytes)
            return nil
        } catch {
            return error
        }
    }

    @Test("Pictures that programs write are taken, with their format and size")
    func pictures() throws {
        #expect(SampleFiles.pictures.count == 10)
        for (name, format, bytes) in SampleFiles.pictures {
            let file = try InspectedFile(bytes)
            #expect(file.format == format, "\(name)")
            #expect(file.pixels == CreativeSize(width: 8, height: 4), "\(name)")
            #expect(file.sizeBytes == bytes.count, "\(name)")
        }
    }

    @Test("Each beginning of a picture is refused")
    func truncations() {
        for (name, _, bytes) in SampleFiles.pictures {
            for count in 0..<bytes.count {
                #expect(fault(Array(bytes.prefix(count))) != nil, "\(name), \(count) of \(bytes.count) bytes")
            }
        }
    }

    @Test("A PNG with any one bit wrong is refused")
    func flippedBits() {
        let bytes = SampleFiles.picture("png")
        for index in bytes.indices {
            for bit in 0..<8 {
                var wrong = bytes
                wrong[index] ^= 1 << bit
                #expect(fault(wrong) != nil, "byte \(index), bit \(bit)")
            }
        }
    }

    @Test("No bytes whatever make it trap", arguments: [UInt64(1), 2, 3])
    func mutations(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for (_, _, bytes) in SampleFiles.pictures {
            for _ in 0..<400 {
                var wrong = bytes
                for _ in 0..<Int.random(in: 1...6, using: &random) {
                    let place = Int.random(in: 0..<wrong.count, using: &random)
                    switch Int.random(in: 0..<4, using: &random) {
                    case 0: wrong[place] = [0, 0xFF, 0x7F, 0x80].randomElement(using: &random) ?? 0
                    case 1: wrong[place] = .random(in: 0...255, using: &random)
                    case 2: wrong.remove(at: place)
                    default: wrong.insert(.random(in: 0...255, using: &random), at: place)
                    }
                    if wrong.isEmpty { break }
                }
                // What is taken all the same is inside the bounds.
                guard let file = try? InspectedFile(wrong), let pixels = file.pixels else { continue }
                #expect(pixels.width > 0 && pixels.height > 0)
                #expect(pixels.width * pixels.height <= Limits.imagePixelsMax)
            }
        }
        for count in 0..<200 {
            _ = fault((0..<count).map { _ in .random(in: 0...255, using: &random) })
        }
    }

    @Test("What follows the end is left alone in JPEG and GIF, and refused in PNG and WebP")
    func trailers() {
        for (name, format, bytes) in SampleFiles.pictures {
            let taken = format == .jpeg || format == .gif
            #expect((fault(bytes + [0, 0]) == nil) == taken, "\(name)")
        }
    }

    @Test("Markup is text in UTF-8 with a tag")
    func markup() throws {
        let file = try InspectedFile(SampleFiles.page)
        #expect(file.format == .html && file.pixels == nil)
        #expect(fault([]) == .empty)
        #expect(fault(Array("no tag: 3 < 4".utf8)) == .unknownFormat)
        #expect(fault(SampleFiles.page + [0xC3]) == .unknownFormat)
        #expect(fault(Array("<p>\0</p>".utf8)) == .broken(.html, "it has a NUL"))
        #expect(fault(Array("<p>".utf8) + Array(repeating: 0x20, count: Limits.markupBytesMax - 3)) == nil)
        let long = Array("<p>".utf8) + Array(repeating: UInt8(0x20), count: Limits.markupBytesMax)
        #expect(fault(long) == .tooLong(.html, bytesMax: Limits.markupBytesMax))
    }

    /// A PNG whose header says this size, with the right checksum.
    private func png(_ width: UInt32, _ height: UInt32) -> [UInt8] {
        var bytes = SampleFiles.picture("png")
        func put(_ value: UInt32, at place: Int) {
            for byte in 0..<4 { bytes[place + byte] = UInt8(truncatingIfNeeded: value >> (24 - 8 * byte)) }
        }
        put(width, at: 16)
        put(height, at: 20)
        put(CRC32.checksum(of: bytes[12..<29]), at: 29)
        return bytes
    }

    @Test("A picture has pixels, and not too many")
    func pixels() {
        #expect(fault(png(16_384, 2_048)) == nil)
        let (long, large) = (png(16_385, 1), png(16_384, 2_049))
        #expect(fault(long) == .tooManyPixels(CreativeSize(width: 16_385, height: 1)))
        #expect(fault(large) == .tooManyPixels(CreativeSize(width: 16_384, height: 2_049)))
        #expect(
            fault(png(.max, .max)) == .tooManyPixels(CreativeSize(width: 1 << 32 - 1, height: 1 << 32 - 1)))
        #expect(fault(png(0, 50)) == .broken(.png, "the picture is empty"))
    }

    @Test(
        "A picture fits its size, and on dense screens twice or three times that",
        arguments: [
            (8, 4, true), (16, 8, false), (4, 2, true), (8, 2, false), (2, 1, false), (4, 4, false),
            (.max, .max, false),
        ])
    func fits(width: Int, height: Int, isRight: Bool) throws {
        let file = try InspectedFile(SampleFiles.picture("gif"))
        let size = CreativeSize(width: width, height: height)
        if isRight {
            try file.check(fits: size)
        } else {
            #expect(throws: FileFault.wrongSize(CreativeSize(width: 8, height: 4), shownAs: size)) {
                try file.check(fits: size)
            }
        }
        try InspectedFile(SampleFiles.page).check(fits: size)
    }

    @Test("The checksum is that of ISO 3309")
    func checksum() {
        #expect(CRC32.checksum(of: Array("123456789".utf8)) == 0xCBF4_3926)
        #expect(CRC32.checksum(of: [UInt8]()) == 0)
    }
}
