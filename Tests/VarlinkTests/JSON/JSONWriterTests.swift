import Testing
import Varlink

@Suite("JSON is written compact and in order")
struct JSONWriterTests {
    @Test(
        "Each value has one form",
        arguments: [
            (.null, "null"), (true, "true"), (false, "false"),
            (0, "0"), (7, "7"), (-7, "-7"), (10, "10"), (-10, "-10"), (1_234_567_890, "1234567890"),
            (.integer(.max), "9223372036854775807"), (.integer(.min), "-9223372036854775808"),
            (1.5, "1.5"), (1.0, "1.0"), (0.1, "0.1"), (.double(1e300), "1e+300"),
            (.double(.leastNonzeroMagnitude), "5e-324"),
            (.double(.nan), "null"), (.double(.infinity), "null"),
            ("", #""""#), ("é😀/", #""é😀/""#), ("\"\\", #""\"\\""#),
            ("\u{8}\t\n\u{C}\r", #""\b\t\n\f\r""#),
            ("\0\u{1}\u{1F}\u{7F}", "\"\\u0000\\u0001\\u001f\u{7F}\""),
            ([], "[]"), ([1, [2, 3], []], "[1,[2,3],[]]"),
            ([:], "{}"), (["b": 1, "a": ["c": nil], "\n": "x"], #"{"b":1,"a":{"c":null},"\n":"x"}"#),
        ] as [(JSONValue, String)])
    func writes(value: JSONValue, text: String) throws {
        #expect(value.description == text)
        if value != .double(.infinity), value.double?.isNaN != true {
            #expect(try JSONValue(reading: text) == value)
        }
    }

    @Test("The writer sets commas and colons by itself")
    func separates() {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("name", "eth0")
            writer.member("none", nil as String?)
            writer.member("index", 2)
            writer.member("next", nil as Int?)
            writer.member("up", true)
            writer.key("addresses")
            writer.array { writer in
                writer.value("192.0.2.1")
                writer.object { _ in }
                writer.array { _ in }
                writer.value(1.5)
                writer.null()
                writer.value(encoded: Array(#"{"a":1}"#.utf8))
            }
            writer.member("last", ["x": 1])
            writer.member("ratio", 0.5)
            writer.member("time", Int64.max)
            writer.member("never", nil as Int64?)
            writer.member("names", ["a", "b"] as [String])
        }
        let expected =
            #"{"name":"eth0","none":null,"index":2,"next":null,"up":true,"#
            + #""addresses":["192.0.2.1",{},[],1.5,null,{"a":1}],"last":{"x":1},"ratio":0.5,"#
            + #""time":9223372036854775807,"never":null,"names":["a","b"]}"#
        #expect(String(decoding: writer.bytes, as: UTF8.self) == expected)
    }

    @Test("For people, each member and element has its line")
    func writesPretty() {
        let value: JSONValue = ["a": [1, ["b": "\n"]], "c": [], "d": [:], "e": nil]
        let expected = #"""
            {
              "a": [
                1,
                {
                  "b": "\n"
                }
              ],
              "c": [],
              "d": {},
              "e": null
            }
            """#
        #expect(value.pretty == expected)
    }
}
