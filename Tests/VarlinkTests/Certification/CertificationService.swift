import LinuxSupport
import Testing

@testable import Varlink
@testable import VarlinkCore

/// The steps of the certification that varlink.org describes: each call hands back what the reply before it
/// held, so that every type of the language goes back and forth once.
enum Certification {
    static let interface = "org.varlink.certification"

    static let description = """
        interface org.varlink.certification
        type Interface (foo: ?[]?[string](foo, bar, baz), anon: (foo: bool, bar: bool))
        type MyType (
          object: object,
          enum: (one, two, three),
          struct: (first: int, second: string),
          array: []string,
          dictionary: [string]string,
          stringset: [string](),
          nullable: ?string,
          nullable_array_struct: ?[](first: int, second: string),
          interface: Interface
        )
        method Start() -> (client_id: string)
        method Test01(client_id: string) -> (bool: bool)
        method Test02(client_id: string, bool: bool) -> (int: int)
        method Test03(client_id: string, int: int) -> (float: float)
        method Test04(client_id: string, float: float) -> (string: string)
        method Test05(client_id: string, string: string)
          -> (bool: bool, int: int, float: float, string: string)
        method Test06(client_id: string, bool: bool, int: int, float: float, string: string)
          -> (struct: (bool: bool, int: int, float: float, string: string))
        method Test07(client_id: string, struct: (bool: bool, int: int, float: float, string: string))
          -> (map: [string]string)
        method Test08(client_id: string, map: [string]string) -> (set: [string]())
        method Test09(client_id: string, set: [string]()) -> (mytype: MyType)
        method Test10(client_id: string, mytype: MyType) -> (string: string)
        method Test11(client_id: string, last_more_replies: []string) -> ()
        method End(client_id: string) -> (all_ok: bool)
        error ClientIdError ()
        error CertificationError (wants: object, got: object)
        """

    /// The calls with one reply, and what each replies.
    static let replies: [(method: String, reply: JSONObject)] = [
        ("Test01", ["bool": true]),
        ("Test02", ["int": 1]),
        ("Test03", ["float": 1.0]),
        ("Test04", ["string": "ping"]),
        ("Test05", ["bool": false, "int": 2, "float": .double(.pi), "string": "a lot of string"]),
        (
            "Test06",
            ["struct": ["bool": false, "int": 2, "float": .double(.pi), "string": "a lot of string"]]
        ),
        ("Test07", ["map": ["foo": "Foo", "bar": "Bar"]]),
        ("Test08", ["set": ["one": [:], "two": [:], "three": [:]]]),
        ("Test09", ["mytype": myType]),
    ]

    private static let myType: JSONValue = [
        "object": [
            "method": "org.varlink.certification.Test09",
            "parameters": ["map": ["foo": "Foo", "bar": "Bar"]],
        ],
        "enum": "two",
        "struct": ["first": 1, "second": "2"],
        "array": ["one", "two", "three"],
        "dictionary": ["foo": "Foo", "bar": "Bar"],
        "stringset": ["one": [:], "two": [:], "three": [:]],
        "interface": [
            "foo": [nil, ["foo": "foo", "bar": "bar"], nil, ["one": "foo", "two": "bar"]],
            "anon": ["foo": true, "bar": false],
        ],
    ]

    /// What Test10 replies, one after the other.
    static let moreReplies = (1...10).map { "Reply number \($0)" }
}

/// Serves the certification to one client.
final class CertificationService {
    /// What was called wrongly, empty when the client passed.
    private(set) var faults: [String] = []
    private var wanted: JSONObject = [:]

    var varlinkInterface: VarlinkInterface {
        var methods: [String: VarlinkMethod] = [
            "Start": .reply { [unowned self] call in
                step(call, reply: [:]) { $0.reply(["client_id": "a client"]) }
            },
            "Test10": .stream { [unowned self] call in
                let last: JSONObject = [
                    "last_more_replies": .array(Certification.moreReplies.map { .string($0) })
                ]
                step(call, reply: last) { call in
                    for reply in Certification.moreReplies.dropLast() {
                        call.replyContinuing(["string": .string(reply)])
                    }
                    call.reply(["string": .string(Certification.moreReplies[9])])
                }
            },
            "Test11": .reply { [unowned self] call in
                if !call.isOneway { faults.append("Test11 is no oneway call") }
                step(call, reply: [:]) { $0.reply() }
            },
            "End": .reply { [unowned self] call in
                step(call, reply: [:]) { [unowned self] in $0.reply(["all_ok": .bool(faults.isEmpty)]) }
            },
        ]
        for (method, reply) in Certification.replies {
            methods[method] = .reply { [unowned self] call in step(call, reply: reply) { $0.reply(reply) } }
        }
        return VarlinkInterface(
            name: Certification.interface, description: Certification.description, methods: methods)
    }

    private func step(_ call: VarlinkCall, reply: JSONObject, _ answer: (VarlinkCall) -> Void) {
        var got = call.parameters
        let client = got["client_id"]?.string
        got["client_id"] = nil
        if got != wanted || client == nil && call.methodName != "Start" {
            faults.append(
                "\(call.methodName) wants \(JSONValue.object(wanted)), got \(JSONValue.object(got))")
        }
        wanted = reply
        answer(call)
    }
}
