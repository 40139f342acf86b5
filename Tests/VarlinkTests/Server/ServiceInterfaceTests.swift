import Testing

@testable import Varlink
@testable import VarlinkCore

@Suite("Every service answers org.varlink.service")
struct ServiceInterfaceTests {
    @Test(
        "A call has the answer that varlink.org gives it",
        arguments: [
            (wire("Echo", #"{"text":"é"}"#), #"{"parameters":{"text":"é"}}"#),
            (
                wire("org.varlink.service.GetInfo"),
                #"{"parameters":{"vendor":"Example","product":"Test","version":"1","url":"#
                    + #""https://example.org/","interfaces":["org.varlink.service","org.example.Test"]}}"#
            ),
            (
                wire("org.example.Nothing.Echo"),
                error("InterfaceNotFound", "interface", "org.example.Nothing")
            ),
            (wire("Nothing"), error("MethodNotFound", "method", "org.example.Test.Nothing")),
            (
                wire("org.varlink.service.Nothing"),
                error("MethodNotFound", "method", "org.varlink.service.Nothing")
            ),
            (wire("Unmade"), error("MethodNotImplemented", "method", "org.example.Test.Unmade")),
            (
                wire("Echo", #"{"text":"x"}"#, "upgrade"),
                error("MethodNotImplemented", "method", "org.example.Test.Echo")
            ),
            (wire("Echo"), error("InvalidParameter", "parameter", "text")),
            (wire("Echo", #"{"text":"x","color":"red"}"#), error("InvalidParameter", "parameter", "color")),
            (wire("org.varlink.service.GetInfo", #"{"x":1}"#), error("InvalidParameter", "parameter", "x")),
            (wire("Monitor"), #"{"error":"org.varlink.service.ExpectedMore","parameters":{}}"#),
            (wire("Fail"), #"{"error":"org.example.Test.Broken","parameters":{"why":"asked to"}}"#),
            (
                wire("org.varlink.service.GetInterfaceDescription", #"{"interface":"org.x"}"#),
                error("InterfaceNotFound", "interface", "org.x")
            ),
            (
                wire("org.varlink.service.GetInterfaceDescription"),
                error("InvalidParameter", "parameter", "interface")
            ),
            ("{\"method\":\"Echo\"}\0", error("InvalidParameter", "parameter", "method")),
            ("{\"method\":\".\"}\0", error("InvalidParameter", "parameter", "method")),
        ])
    func answers(call: String, reply: String) throws {
        let service = try TestService()
        #expect(try service.exchange(try service.connect(), call) == [reply])
    }

    private static func error(_ name: String, _ key: String, _ value: String) -> String {
        "{\"error\":\"org.varlink.service.\(name)\",\"parameters\":{\"\(key)\":\"\(value)\"}}"
    }

    @Test("Descriptions are handed out as they were registered, and every answer has its described type")
    func describes() throws {
        let service = try TestService()
        let peer = try service.connect()
        let own = try InterfaceDescription.parse(ServiceInterface.description)
        for (name, text) in [
            ("org.varlink.service", ServiceInterface.description),
            ("org.example.Test", TestService.description),
        ] {
            let call = wire("org.varlink.service.GetInterfaceDescription", #"{"interface":"\#(name)"}"#)
            let reply = try #require(try service.exchange(peer, call).first)
            let parameters = try #require(JSONValue(reading: reply)["parameters"]?.object)
            try own.checkReply(parameters, of: "GetInterfaceDescription")
            #expect(parameters["description"]?.string == text)
            #expect(try InterfaceDescription.parse(text).name == name)
        }
        let info = try #require(try service.exchange(peer, wire("org.varlink.service.GetInfo")).first)
        try own.checkReply(try #require(JSONValue(reading: info)["parameters"]?.object), of: "GetInfo")
    }

    @Test("Each error of the service carries what its description says")
    func errorsMatch() throws {
        let own = try InterfaceDescription.parse(ServiceInterface.description)
        let errors: [ServiceError] = [
            .interfaceNotFound("x"), .methodNotFound("x"), .methodNotImplemented("x"), .invalidParameter("x"),
            .permissionDenied, .expectedMore,
        ]
        for error in errors {
            let name = try #require(MethodName(error.name))
            #expect(name.interface == own.name)
            try own.checkError(error.parameters, of: name.method)
        }
        #expect(errors.count == own.errors.count)
    }
}
