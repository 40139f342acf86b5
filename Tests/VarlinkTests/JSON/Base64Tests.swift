import Testing
import Varlink

import struct Simulation.SeededGenerator

@Suite("Base64")
struct Base64Tests {
    /// RFC 4648, section 10.
    @Test(
        "The vectors of the RFC",
        arguments: [
            ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="),
            ("fooba", "Zm9vYmE="), ("foobar", "Zm9vYmFy"),
        ])
    func vectors(plain: String, encoded: String) {
        #expect(Base64.encode(Array(plain.utf8)[...]) == encoded)
        #expect(Base64.decode(encoded) == Array(plain.utf8))
    }

    @Test("Any bytes come back as they were, also from the middle of an array")
    func roundTrip() {
        var random = SeededGenerator(seed: 7)
        for length in 0..<300 {
            let bytes = (0..<length).map { _ in UInt8.random(in: 0...255, using: &random) }
            #expect(Base64.decode(Base64.encode(bytes[...])) == bytes)
            #expect(Base64.decode(Base64.encode(bytes[(length / 3)...])) == Array(bytes[(length / 3)...]))
        }
    }

    @Test(
        "What is no base64 is refused",
        arguments: [
            "Z", "Zg", "Zg=", "Zg===", "====", "Zg==Zg==", "Z===", "Zm9v\n", "Zm9_", "Zm 9", "Zh==", "Zm9=",
        ])
    func refused(text: String) {
        #expect(Base64.decode(text) == nil)
    }
}
