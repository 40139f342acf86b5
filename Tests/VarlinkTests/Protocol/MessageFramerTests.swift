import Testing
import Varlink

@Suite("A stream is cut into messages at each NUL")
struct MessageFramerTests {
    private func cut(_ pieces: [[UInt8]], max: Int = 100) throws -> [String] {
        var framer = MessageFramer(messageBytesMax: max)
        var messages: [String] = []
        for piece in pieces {
            framer.append(piece)
            while let message = try framer.next() {
                messages.append(String(decoding: message, as: UTF8.self))
            }
        }
        return messages
    }

    @Test("However the stream is cut into pieces", arguments: 1...12)
    func cutsAnywhere(size: Int) throws {
        let stream = Array("one\0two\0\0three\0rest".utf8)
        let pieces = stride(from: 0, to: stream.count, by: size).map {
            Array(stream[$0..<min($0 + size, stream.count)])
        }
        #expect(try cut(pieces) == ["one", "two", "", "three"])
    }

    @Test("The bound is the last length that passes")
    func boundsLength() throws {
        #expect(try cut([Array("12345\0".utf8)], max: 5) == ["12345"])
        #expect(throws: MessageFramer.Oversize.self) { try cut([Array("123456\0".utf8)], max: 5) }
    }

    @Test("A message that is too long is refused before its end has come")
    func refusesEarly() throws {
        #expect(try cut([Array("12345".utf8)], max: 5) == [])
        #expect(throws: MessageFramer.Oversize.self) { try cut([Array("123456".utf8)], max: 5) }
    }

    @Test("The messages before one that is too long are still there")
    func keepsEarlierMessages() throws {
        var framer = MessageFramer(messageBytesMax: 5)
        framer.append(Array("ok\0too long".utf8))
        #expect(try framer.next().map(Array.init) == Array("ok".utf8))
        #expect(throws: MessageFramer.Oversize.self) { try framer.next() }
    }

    @Test("What has not become a message can be seen")
    func showsRest() throws {
        var framer = MessageFramer(messageBytesMax: 5)
        framer.append(Array("ok\0re".utf8))
        _ = try framer.next()
        #expect(Array(framer.rest) == Array("re".utf8))
    }

    @Test("A megabyte that comes in single bytes is scanned once")
    func scansOnce() throws {
        var framer = MessageFramer(messageBytesMax: Limits.callBytesMax)
        for _ in 0..<Limits.callBytesMax {
            framer.append([0x20])
            #expect(try framer.next() == nil)
        }
        framer.append([0])
        #expect(try framer.next()?.count == Limits.callBytesMax)
    }
}
