import Foundation
import Testing
import Varlink

/// Who calls, by what the kernel tells the daemon of it.
private enum Caller: String, CaseIterable {
    case root, hostMember, pauseMember, stranger

    /// Runs a command as this caller.
    var command: [String] {
        switch self {
        case .root: []
        case .hostMember: Self.become(65_533, group: "games")
        case .pauseMember: Self.become(65_532, group: "tape")
        case .stranger: Self.become(65_531, group: "nogroup")
        }
    }

    private static func become(_ user: Int, group: String) -> [String] {
        ["setpriv", "--reuid", "\(user)", "--regid", group, "--clear-groups", "--"]
    }
}

/// A call, and how it is answered to each caller: `ok` stands for all others than those named.
private struct Case: CustomTestStringConvertible {
    let method: String
    let parameters: JSONObject
    /// The answer for whoever may.
    let answer: String
    /// Who may; all others are answered with NotPermitted of the interface.
    let allowed: Set<Caller>

    init(
        _ method: String, _ parameters: JSONObject = [:], _ answer: String = "ok",
        allowed: Set<Caller> = Set(Caller.allCases)
    ) {
        (self.method, self.parameters, self.answer, self.allowed) = (method, parameters, answer, allowed)
    }

    func expected(for caller: Caller) -> String {
        allowed.contains(caller) ? answer : "\(method.prefix { $0 != "." }).NotPermitted"
    }

    var testDescription: String { "\(method) \(JSONValue.object(parameters))" }
}

@Suite("Who may do what", .ownThread, .enabled(if: getuid() == 0, "only root can be somebody else"))
struct PermissionTests {
    private static let hosts: Set<Caller> = [.root, .hostMember]
    private static let workers: Set<Caller> = [.root, .hostMember, .pauseMember]
    private static let pausers: Set<Caller> = [.root, .pauseMember]
    private static let viewport: JSONObject = ["width": 360, "height": 640]

    /// A daemon beside the tests, not in a namespace, where users other than root would all look the same.
    private func withDaemon(as user: Caller = .root, _ body: (String) throws -> Void) throws {
        let directory = try ScratchDirectory()
        // Written by the daemon, whoever that is, and reached by everybody.
        try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: directory.path)
        let file = try directory.write("[Access]\nHostGroup=games\nPauseGroup=tape\n", to: "conf")
        let socket = directory.file("s")
        let daemon = try Child(
            user.command + [
                Programs.daemon, "--config", file, "--socket", socket, "--state-directory",
                directory.file("state"),
            ], environment: ["DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/nonexistent/bus"])
        try daemon.errors.wait(for: "ready at")
        try body(socket)
        daemon.signal(SIGTERM)
        #expect(try daemon.waitForExit() == 0)
    }

    private func answers(_ calls: [(String, JSONObject)], to caller: Caller, at socket: String) throws
        -> [String]
    {
        let list = JSONValue.array(calls.map { .array([.string($0.0), .object($0.1)]) })
        // Not by its path: others than root may not come that far.
        let script = try String(contentsOfFile: Resources.file("call_as.py"), encoding: .utf8)
        let child = try Child(
            caller.command + [
                "/usr/bin/env", "PATH=/usr/local/bin:/usr/bin:/bin", "python3", "-c", script, socket,
            ])
        try child.write(list.description)
        child.closeInput()
        let code = try child.waitForExit()
        #expect(code == 0, "\(child.errors.text)")
        return child.output.text.split(separator: "\n").map(String.init)
    }

    @Test("Every method, for each kind of caller")
    func methods() throws {
        try withDaemon { socket in
            // Root's, so not the others'.
            let foreign = try Child(["sleep", "600"])
            for caller in Caller.allCases {
                let cases =
                    Self.reading
                    + [
                        Case(
                            "Slots.Attach", ["slot": "banner", "viewport": .object(Self.viewport)],
                            allowed: Self.hosts),
                        Case("Work.Register", ["name": "c", "kind": "client"], allowed: Self.workers),
                        Case("Work.Register", ["name": "p", "kind": "process"], allowed: Self.workers),
                        Case(
                            "Work.Register",
                            ["name": "f", "kind": "process", "pid": .integer(Int64(foreign.pid))],
                            allowed: Self.pausers),
                        Case(
                            "Work.Register", ["name": "u", "kind": "unit", "unit": "x.service"],
                            "Work.InvalidTarget", allowed: Self.pausers),
                        Case("Slots.Disable", ["slot": "banner"], allowed: [.root]),
                        Case("Slots.Enable", ["slot": "banner"], allowed: [.root]),
                        Case("Manager.Reload", allowed: [.root]),
                        Case("Manager.Record", allowed: [.root]),
                        Case("Ledger.Export", allowed: [.root]),
                        Case("Ledger.Timeline", allowed: [.root]),
                        Case("Campaigns.Export", allowed: [.root]),
                        Case(
                            "Campaigns.Add", ["campaign": [:]], "Campaigns.InvalidCampaign", allowed: [.root]),
                        Case(
                            "Campaigns.Edit", ["id": 99, "revision": 1, "campaign": [:]],
                            "Campaigns.NoSuchCampaign", allowed: [.root]),
                        Case("Campaigns.Remove", ["id": 99], "Campaigns.NoSuchCampaign", allowed: [.root]),
                        Case("Campaigns.Upload", ["data": ""], allowed: [.root]),
                        Case(
                            "Campaigns.AddCreative", ["campaign": 1, "creative": ["upload": 99]],
                            "Campaigns.InvalidCampaign", allowed: [.root]),
                        Case(
                            "Campaigns.EditCreative", ["id": 99, "revision": 1, "creative": [:]],
                            "Campaigns.NoSuchCreative", allowed: [.root]),
                        Case(
                            "Campaigns.RemoveCreative", ["id": 99], "Campaigns.NoSuchCreative",
                            allowed: [.root]),
                        Case("Campaigns.Import", ["campaigns": []], allowed: [.root]),
                    ]
                #expect(
                    Set(cases.map(\.method)) == (try Self.methods(at: socket)), "not every method is here")
                let found = try answers(cases.map { ($0.method, $0.parameters) }, to: caller, at: socket)
                #expect(found == cases.map { $0.expected(for: caller) }, "\(caller)")
                try waitUntilFree(socket)
            }
        }
    }

    @Test("A daemon that is not root: its own user may host and operate, and pauses nobody else's processes")
    func ownUser() throws {
        try withDaemon(as: .stranger) { socket in
            let foreign = try Child(["sleep", "600"])
            let ofRoot: JSONObject = ["name": "f", "kind": "process", "pid": .integer(Int64(foreign.pid))]
            let calls: [(String, JSONObject)] = [
                ("Slots.Attach", ["slot": "banner", "viewport": .object(Self.viewport)]),
                ("Work.Register", ["name": "c", "kind": "client"]),
                ("Work.Register", ["name": "p", "kind": "process"]), ("Work.Register", ofRoot),
                ("Work.Register", ["name": "u", "kind": "unit", "unit": "x.service"]),
                ("Manager.Reload", [:]), ("Manager.Record", [:]),
            ]
            #expect(
                try answers(calls, to: .stranger, at: socket) == [
                    "ok", "ok", "ok", "Work.NotPermitted", "Work.NotPermitted", "ok", "ok",
                ])
            // Root may, but this daemon cannot.
            #expect(try answers([("Work.Register", ofRoot)], to: .root, at: socket) == ["Work.InvalidTarget"])
            try waitUntilFree(socket)
            // Without a control group of its own the program is a process.
            let script = """
                import json, socket, sys
                daemon = socket.socket(socket.AF_UNIX)
                daemon.connect(sys.argv[1])
                daemon.sendall(b'{"method": "org.adslotd.Work.List"}\\0')
                reply = b""
                while not reply.endswith(b"\\0"): reply += daemon.recv(65536)
                print(json.dumps(json.loads(reply[:-1])["parameters"]))
                """
            let run = try Finished.run(
                Caller.stranger.command + [
                    Programs.control, "--socket", socket, "run-paused", "game", "--", "/usr/bin/env",
                    "PATH=/usr/local/bin:/usr/bin:/bin", "python3", "-c", script, socket,
                ])
            #expect(run.code == 0, "\(run)")
            let item = try #require(try JSONObject.reading(run.output).objects("work").first)
            #expect(try item.text("kind") == "process")
            try waitUntilFree(socket)
            // A program of root's own cannot be paused by it either way, and does not run.
            let refused = try Finished.run([
                Programs.control, "--socket", socket, "run-paused", "game", "--", "echo", "it runs",
            ])
            #expect(refused.code == 1, "\(refused)")
            #expect(refused.output == "")
            #expect(refused.errors.contains("CAP_KILL"), "\(refused)")
        }
    }

    /// Every method that the daemon describes, named as here.
    private static func methods(at socket: String) throws -> Set<String> {
        let client = try VarlinkClient(connectingTo: socket)
        let interfaces = try client.call("org.varlink.service.GetInfo")["interfaces"]?.array ?? []
        var methods: Set<String> = []
        for name in interfaces.compactMap(\.string) {
            let reply = try client.call(
                "org.varlink.service.GetInterfaceDescription", ["interface": .string(name)])
            let text = try reply.text("description")
            let prefix = name.hasPrefix("org.adslotd.") ? String(name.dropFirst(12)) : name
            methods.formUnion(text.matches(of: /(?m)^method (\w+)/).map { "\(prefix).\($0.1)" })
        }
        return methods
    }

    /// Whoever can open the socket may ask, and leases that are none are none for everybody.
    private static let reading = [
        Case("Reachability.Get"), Case("Reachability.ListLinks"), Case("Reachability.Monitor"),
        Case("Reachability.Probe", ["host": "127.0.0.1"]), Case("Slots.List"),
        Case("Slots.Explain", ["slot": "banner"]), Case("Work.List"), Case("Manager.GetStatus"),
        Case("Campaigns.List"), Case("Campaigns.ListCreatives"),
        Case("Campaigns.Get", ["id": 99], "Campaigns.NoSuchCampaign"),
        Case("Campaigns.GetCreative", ["id": 99], "Campaigns.NoSuchCreative"),
        Case("Manager.Monitor"), Case("Ledger.GetStatus"), Case("Ledger.Report"),
        Case("org.varlink.service.GetInfo"),
        Case(
            "org.varlink.service.GetInterfaceDescription", ["interface": "org.adslotd.Work"]),
        Case("Slots.Update", ["lease": "x", "visible": true], "Slots.UnknownLease"),
        Case("Slots.BeginAction", ["lease": "x", "banner": 1], "Slots.UnknownLease"),
        Case("Slots.FinishAction", ["lease": "x", "action": 1], "Slots.UnknownLease"),
        Case("Work.Acknowledge", ["lease": "x", "token": 1], "Work.UnknownLease"),
        Case("Work.Veto", ["lease": "x", "token": 1, "reason": "x"], "Work.UnknownLease"),
    ]

    /// The next caller finds the slot and the names free.
    private func waitUntilFree(_ socket: String) throws {
        let deadline = Deadline()
        while true {
            let client = try VarlinkClient(connectingTo: socket)
            let isFree =
                try client.call("org.adslotd.Slots.List")["slots"]?[0]?["state"]?.string == "detached"
            if isFree, try client.call("org.adslotd.Work.List")["work"]?.array?.isEmpty == true { return }
            guard deadline.pause() else { throw NotInTime(what: "a free slot", account: "") }
        }
    }

    @Test("A lease is good for its own user only")
    func leases() throws {
        try withDaemon { socket in
            let host = try VarlinkClient(connectingTo: socket)
            // Not visible, so that no network of this machine shows a banner.
            let replies = try host.callMore(
                "org.adslotd.Slots.Attach",
                ["slot": "banner", "viewport": .object(Self.viewport), "visible": false])
            let lease = JSONValue.string(try #require(try replies.next()?["lease"]?.string))
            let work = try VarlinkClient(connectingTo: socket)
            let more = try work.callMore("org.adslotd.Work.Register", ["name": "x", "kind": "client"])
            let other = JSONValue.string(try #require(try more.next()?["lease"]?.string))
            let calls: [(String, JSONObject)] = [
                ("Slots.Update", ["lease": lease, "visible": false]),
                ("Slots.BeginAction", ["lease": lease, "banner": 1]),
                ("Slots.FinishAction", ["lease": lease, "action": 1]),
                ("Work.Acknowledge", ["lease": other, "token": 1]),
                ("Work.Veto", ["lease": other, "token": 1, "reason": "x"]),
            ]
            for caller in [Caller.hostMember, .pauseMember, .stranger] {
                let wanted = calls.map { "\($0.0.prefix { $0 != "." }).UnknownLease" }
                #expect(try answers(calls, to: caller, at: socket) == wanted)
            }
            let own = try answers(calls, to: .root, at: socket)
            #expect(
                own == ["ok", "ok", "Slots.UnknownAction", "Work.UnknownToken", "Work.UnknownToken"],
                "\(own)")
        }
    }

    @Test("A control group may be paused by the user that it was given to", .needsControlGroups)
    func ownGroup() throws {
        try withDaemon { socket in
            let group = try ScratchControlGroup()
            let call: (String, JSONObject) = (
                "Work.Register", ["name": "g", "kind": "cgroup", "path": .string(group.path)]
            )
            for caller in Caller.allCases {
                let wanted = Self.pausers.contains(caller) ? "ok" : "Work.NotPermitted"
                #expect(try answers([call], to: caller, at: socket) == [wanted])
                try waitUntilFree(socket)
            }
            try group.give(to: 65_533)
            #expect(try answers([call], to: .hostMember, at: socket) == ["ok"])
            try waitUntilFree(socket)
            try group.give(to: 65_531)
            for caller in [Caller.hostMember, .stranger] {
                #expect(try answers([call], to: caller, at: socket) == ["Work.NotPermitted"])
            }
        }
    }
}
