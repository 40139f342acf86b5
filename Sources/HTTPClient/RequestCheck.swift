/// What must not reach the wire: text that would end a line or a C string early.
enum RequestCheck {
    static func check(_ request: HTTPRequest) throws(HTTPFailure) {
        guard isPlain(request.url), isPlain(request.interface ?? "") else {
            throw HTTPFailure(code: .invalidRequest, description: "a control character in the URL")
        }
        for header in request.headers {
            guard isToken(header.name) else {
                throw HTTPFailure(
                    code: .invalidRequest, description: "'\(header.name)' is no name of a header")
            }
            guard isPlain(header.value) else {
                throw HTTPFailure(
                    code: .invalidRequest, description: "a control character in header \(header.name)")
            }
        }
    }

    private static func isPlain(_ text: String) -> Bool {
        text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == UInt8(ascii: "\t") }
    }

    /// A token of RFC 9110, 5.6.2.
    private static func isToken(_ text: String) -> Bool {
        let marks = "!#$%&'*+-.^_`|~".utf8
        return !text.isEmpty
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "a")...UInt8(ascii: "z"):
                    true
                default: marks.contains(byte)
                }
            }
    }
}
