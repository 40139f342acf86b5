import Testing
import Varlink

/// The interfaces as the daemon under test describes them. Every reply that a test sees is held against them.
struct Contract {
    private(set) var interfaces: [String: InterfaceDescription] = [:]

    /// Asks the daemon.
    init(_ client: VarlinkClient) throws {
        let info = try client.call("org.varlink.service.GetInfo", timeout: Deadline.patience)
        for name in info["interfaces"]?.array?.compactMap(\.string) ?? [] {
            let reply = try client.call(
                "org.varlink.service.GetInterfaceDescription", ["interface": .string(name)],
                timeout: Deadline.patience)
            interfaces[name] = try InterfaceDescription.parse(try #require(reply["description"]?.string))
        }
    }

    /// Every method of every interface, with the interface's name.
    var methods: [String] {
        interfaces.values.flatMap { interface in interface.methods.map { "\(interface.name).\($0.name)" } }
            .sorted()
    }

    func check(reply: JSONObject, of method: String) {
        check("reply of \(method): \(JSONValue.object(reply))", method) { interface, member in
            try interface.checkReply(reply, of: member)
        }
    }

    func check(error: String, _ parameters: JSONObject) {
        check("error \(error): \(JSONValue.object(parameters))", error) { interface, member in
            try interface.checkError(parameters, of: member)
        }
    }

    private func check(
        _ what: String, _ name: String, _ body: (InterfaceDescription, String) throws -> Void
    ) {
        let labels = name.split(separator: ".")
        guard let member = labels.last, let interface = interfaces[labels.dropLast().joined(separator: ".")]
        else {
            Issue.record("\(what) is of no interface that the daemon describes")
            return
        }
        do {
            try body(interface, String(member))
        } catch {
            Issue.record("\(what) is not as described: \(error)")
        }
    }
}
