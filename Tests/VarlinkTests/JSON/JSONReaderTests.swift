import Testing
import Varlink

@Suite("A JSON text is read strictly")
struct JSONReaderTests {
    @Test(
        "What RFC 8259 allows is read",
        arguments: [
            ("null", .null), (" true ", true), ("\t\r\nfalse\n", false),
            ("0", 0), ("-0", 0), ("42", 42),
            ("9223372036854775807", .integer(.max)), ("-9223372036854775808", .integer(.min)),
            ("9223372036854775808", .double(9_223_372_036_854_775_808)),
            ("-9223372036854775809", .double(-9_223_372_036_854_775_808)),
            ("1.5", 1.5), ("1.0", 1.0), ("1e2", 100.0), ("-2.5E-1", -0.25), ("1e+2", 100.0), ("1e-999", 0.0),
            (#""""#, ""), (#""a\"\\\/\b\f\n\r\tz""#, "a\"\\/\u{8}\u{C}\n\r\tz"),
            (#""\u00e9\u20AC""#, "é€"), (#""\ud83d\ude00""#, "😀"), (#""\u0000""#, "\0"), (#""é😀""#, "é😀"),
            ("[]", []), ("[ ]", []), ("[1, [2], {}]", [1, [2], [:]]),
            ("{}", [:]), (#"{ "a" : 1 , "b" : [ null ] }"#, ["a": 1, "b": [nil]]),
            (#"{"":0}"#, ["": 0]),
        ] as [(String, JSONValue)])
    func accepts(text: String, value: JSONValue) throws {
        #expect(try JSONValue(reading: text) == value)
    }

    @Test(
        "Everything else is refused, with the reason and the place",
        arguments: [
            ("", .unexpectedEnd, 0), ("  ", .unexpectedEnd, 2), ("nul", .unexpectedEnd, 3),
            ("nulL", .unexpectedByte, 3),
            ("True", .unexpectedByte, 0), ("'a'", .unexpectedByte, 0), ("NaN", .unexpectedByte, 0),
            ("1 2", .trailingBytes, 2), ("{} x", .trailingBytes, 3), ("1\0", .trailingBytes, 1),
            ("-", .unexpectedEnd, 1), ("+1", .unexpectedByte, 0), ("01", .invalidNumber, 0),
            ("-01", .invalidNumber, 1),
            (".5", .unexpectedByte, 0), ("1.", .unexpectedEnd, 2), ("1.x", .invalidNumber, 2),
            ("1e", .unexpectedEnd, 2),
            ("1e+", .unexpectedEnd, 3), ("1ex", .invalidNumber, 2), ("0x10", .trailingBytes, 1),
            ("1e999", .numberOutOfRange, 0), ("[-1e999]", .numberOutOfRange, 1),
            (#"""#, .unexpectedEnd, 1), (#""a"#, .unexpectedEnd, 2), (#""\"#, .unexpectedEnd, 2),
            (#""\x""#, .invalidEscape, 2), (#""\u12"#, .unexpectedEnd, 5), (#""\u12g4""#, .invalidEscape, 5),
            (#""\ud83d""#, .loneSurrogate, 3), (#""\ud83d\n""#, .loneSurrogate, 3),
            (#""\ude00""#, .loneSurrogate, 3),
            (#""\ud83d\u0041""#, .loneSurrogate, 3), (#""\udc00\udc00""#, .loneSurrogate, 3),
            (#""\udfff\udfff""#, .loneSurrogate, 3), (#""\ud800\ud800""#, .loneSurrogate, 3),
            ("\"a\nb\"", .controlCharacter, 2),
            ("[", .unexpectedEnd, 1), ("[1", .unexpectedEnd, 2), ("[1,", .unexpectedEnd, 3),
            ("[1,]", .unexpectedByte, 3),
            ("[,1]", .unexpectedByte, 1), ("[1 2]", .unexpectedByte, 3), ("[1}", .unexpectedByte, 2),
            ("{", .unexpectedEnd, 1), ("{a:1}", .unexpectedByte, 1), (#"{"a"}"#, .unexpectedByte, 4),
            (#"{"a":}"#, .unexpectedByte, 5), (#"{"a":1,}"#, .unexpectedByte, 7),
            (#"{"a":1 "b":2}"#, .unexpectedByte, 7),
            (#"{"a":1,"a":2}"#, .duplicateKey, 7), (#"{"a":1,"\u0061":2}"#, .duplicateKey, 7),
            ("\u{FEFF}1", .unexpectedByte, 0),
        ] as [(String, JSONError.Reason, Int)])
    func refuses(text: String, reason: JSONError.Reason, position: Int) {
        #expect(throws: JSONError(reason, at: position)) { try JSONValue(reading: text) }
    }

    @Test(
        "Bytes that are not UTF-8 are refused where they stand",
        arguments: [
            ([0x22, 0x61, 0xFF, 0x22], 2), ([0x22, 0xC3, 0x22], 1), ([0x22, 0xC0, 0x80, 0x22], 1),
            ([0x22, 0xED, 0xA0, 0x80, 0x22], 1), ([0x22, 0x5C, 0x6E, 0xC3, 0x28, 0x22], 3),
        ] as [([UInt8], Int)])
    func refusesInvalidUTF8(bytes: [UInt8], position: Int) {
        #expect(throws: JSONError(.invalidUTF8, at: position)) { try JSONValue(reading: bytes) }
    }

    @Test("Nesting is bounded, so that no message exhausts the stack")
    func boundsNesting() throws {
        func nested(_ depth: Int) -> String {
            String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        }
        _ = try JSONValue(reading: nested(JSONLimits.nestingMax))
        #expect(throws: JSONError(.nestedTooDeep, at: JSONLimits.nestingMax)) {
            try JSONValue(reading: nested(JSONLimits.nestingMax + 1))
        }
        #expect(throws: JSONError(.nestedTooDeep, at: JSONLimits.nestingMax)) {
            try JSONValue(reading: String(repeating: "[", count: 1 << 20))
        }
    }

    @Test("A duplicate is found in a large object too, and does not cost the square of its length")
    func findsDuplicatesInLargeObjects() throws {
        let members = (0..<100_000).map { "\"k\($0)\":0" }.joined(separator: ",")
        #expect(try JSONValue(reading: "{\(members)}").object?.count == 100_000)
        for number in [0, 15, 16, 99_999] {
            #expect(throws: JSONError.self) { try JSONValue(reading: "{\(members),\"k\(number)\":1}") }
        }
    }

    @Test("A slice counts positions from its own start")
    func readsSlices() {
        let bytes = Array("xx[1,]yy".utf8)
        #expect(throws: JSONError(.unexpectedByte, at: 3)) { try JSONValue(reading: bytes[2..<6]) }
    }

    @Test("An error says the reason and the place")
    func describesErrors() {
        #expect(JSONError(.duplicateKey, at: 7).description == "a key comes twice at byte 7")
    }
}

@Suite("A JSON value gives what it holds")
struct JSONValueTests {
    private let value: JSONValue = ["a": 1, "b": ["x", nil], "c": 2.5, "d": true, "e": ["f": "g"]]

    @Test("The accessors answer for their own type only")
    func accessors() {
        #expect(value["a"]?.integer == 1)
        #expect(value["a"]?.double == 1)
        #expect(value["a"]?.string == nil)
        #expect(value["b"]?[0]?.string == "x")
        #expect(value["b"]?[1]?.isNull == true)
        #expect(value["b"]?[2] == nil)
        #expect(value["b"]?[-1] == nil)
        #expect(value["c"]?.double == 2.5)
        #expect(value["c"]?.integer == nil)
        #expect(value["d"]?.bool == true)
        #expect(value["e"]?["f"]?.string == "g")
        #expect(value["z"] == nil)
        #expect(JSONValue.null["a"] == nil)
    }

    @Test("Members keep their places; their order does not make objects unequal")
    func members() {
        var object: JSONObject = ["a": 1, "b": 2]
        object["c"] = 3
        object["a"] = nil
        object["b"] = 4
        object["a"] = 5
        #expect(object.keys == ["b", "c", "a"])
        #expect(object == ["a": 5, "b": 4, "c": 3])
        #expect(object != ["a": 5, "b": 4])
        #expect(object != ["a": 5, "b": 4, "d": 3])
    }
}
