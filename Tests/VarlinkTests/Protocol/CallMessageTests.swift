import Testing
import Varlink

@Suite("A call is read from its message")
struct CallMessageTests {
    private static let method = "org.example.Test.Echo"

    @Test(
        "Keys that are left out, null, empty or unknown do no harm",
        arguments: [
            (#"{"method":"org.example.Test.Echo"}"#, CallMessage(method: method)),
            (#" {"method":"org.example.Test.Echo","parameters":{}} "#, CallMessage(method: method)),
            (
                #"{"method":"org.example.Test.Echo","parameters":null,"more":null}"#,
                CallMessage(method: method)
            ),
            (#"{"more":false,"method":"org.example.Test.Echo"}"#, CallMessage(method: method)),
            (#"{"method":"org.example.Test.Echo","color":[1],"continues":7}"#, CallMessage(method: method)),
            (
                #"{"method":"org.example.Test.Echo","parameters":{"text":"x"},"more":true}"#,
                CallMessage(method: method, parameters: ["text": "x"], wantsMore: true)
            ),
            (
                #"{"method":"org.example.Test.Echo","oneway":true}"#,
                CallMessage(method: method, isOneway: true)
            ),
            (
                #"{"method":"org.example.Test.Echo","upgrade":true}"#,
                CallMessage(method: method, wantsUpgrade: true)
            ),
        ])
    func reads(text: String, call: CallMessage) throws {
        #expect(try CallMessage(reading: Array(text.utf8)[...]) == call)
        #expect(try CallMessage(reading: call.encoded.dropLast()) == call)
    }

    @Test(
        "What is no call is refused with the reason",
        arguments: [
            ("", .json(JSONError(.unexpectedEnd, at: 0))), ("{", .json(JSONError(.unexpectedEnd, at: 1))),
            ("[]", .notAnObject), ("null", .notAnObject), ("{}", .missingMethod),
            (#"{"method":null}"#, .missingMethod),
            (#"{"method":1}"#, .wrongType(key: "method")),
            (#"{"method":"a.B","parameters":[]}"#, .wrongType(key: "parameters")),
            (#"{"method":"a.B","parameters":"x"}"#, .wrongType(key: "parameters")),
            (#"{"method":"a.B","more":1}"#, .wrongType(key: "more")),
            (#"{"method":"a.B","oneway":"true"}"#, .wrongType(key: "oneway")),
            (#"{"method":"a.B","upgrade":{}}"#, .wrongType(key: "upgrade")),
        ] as [(String, CallMessage.Failure)])
    func refuses(text: String, failure: CallMessage.Failure) {
        #expect(throws: failure) { try CallMessage(reading: Array(text.utf8)[...]) }
    }
}

@Suite("A reply has one form on the wire")
struct EncodedReplyTests {
    private func text(_ reply: EncodedReply) -> String { String(decoding: reply.bytes, as: UTF8.self) }

    @Test("Parameters, continues, error, and a NUL at the end")
    func encodes() {
        #expect(text(EncodedReply()) == "{\"parameters\":{}}\0")
        #expect(text(EncodedReply(["b": 1, "a": nil])) == "{\"parameters\":{\"b\":1,\"a\":null}}\0")
        #expect(
            text(EncodedReply(["b": 1], continues: true)) == "{\"parameters\":{\"b\":1},\"continues\":true}\0"
        )
        #expect(text(EncodedReply { $0.member("x", "y") }) == "{\"parameters\":{\"x\":\"y\"}}\0")
        #expect(
            text(EncodedReply(error: "org.example.Test.Bad", parameters: ["n": 1]))
                == "{\"error\":\"org.example.Test.Bad\",\"parameters\":{\"n\":1}}\0")
    }

    @Test("A client reads what a server writes")
    func readsBack() throws {
        let reply = try #require(
            ReplyMessage(reading: EncodedReply(["b": 1], continues: true).bytes.dropLast()))
        #expect(reply.parameters == ["b": 1])
        #expect(reply.continues)
        let error = try #require(
            ReplyMessage(reading: ServiceError.invalidParameter("x").encoded.bytes.dropLast()))
        #expect(error.error == "org.varlink.service.InvalidParameter")
        #expect(error.parameters == ["parameter": "x"])
        #expect(!error.continues)
    }

    @Test(
        "What is no reply is refused",
        arguments: ["", "[]", #"{"error":1}"#, #"{"parameters":[]}"#, #"{"continues":1}"#])
    func refuses(text: String) {
        #expect(ReplyMessage(reading: Array(text.utf8)[...]) == nil)
    }
}
