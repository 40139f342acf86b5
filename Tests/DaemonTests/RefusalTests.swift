import Testing
import Varlink

@Suite("What a call gets wrong is named in the error", .ownThread, .needsNamespaces)
struct RefusalTests {
    @Test("An unknown slot is named, with those that there are")
    func unknownSlot() throws {
        let daemon = try DaemonProcess(in: Network(), "[Slot banner]\n[Slot top]\n")
        let wanted: JSONObject = ["slot": "basement", "known": ["banner", "top"]]
        let attach = try daemon.refusal(
            ofStream: "org.adslotd.Slots.Attach", ["slot": "basement", "viewport": Host.size(360, 640)])
        #expect(attach == Refusal(name: "org.adslotd.Slots.UnknownSlot", parameters: wanted))
        let explain = try daemon.refusal(of: "org.adslotd.Slots.Explain", ["slot": "basement"])
        #expect(explain == Refusal(name: "org.adslotd.Slots.UnknownSlot", parameters: wanted))
    }

    @Test(
        "A viewport of nothing, or of absurd size, is refused and repeated in the error",
        arguments: [(0, 0), (0, 640), (360, 0), (-1, 640), (360, -640), (1_000_000_000, 640), (360, .max)]
            as [(Int64, Int64)])
    func viewport(width: Int64, height: Int64) throws {
        let daemon = try DaemonProcess(in: Network())
        let size = Host.size(width, height)
        let attach = try daemon.refusal(
            ofStream: "org.adslotd.Slots.Attach", ["slot": "banner", "viewport": size])
        #expect(attach.name == "org.adslotd.Slots.InvalidViewport")
        #expect(attach.parameters["viewport"] == size)
        #expect(try !attach.parameters.text("message").isEmpty)

        let host = try Host(on: daemon)
        let update = #expect(throws: Refusal.self) { try host.update(width: width, height: height) }
        #expect(update?.name == "org.adslotd.Slots.InvalidViewport")
        #expect(try daemon.slot()["viewport"] == Host.size(360, 640))
    }

    @Test("The smallest and the largest viewport are taken", arguments: [1, 32_768] as [Int64])
    func extremeViewport(side: Int64) throws {
        let daemon = try DaemonProcess(in: Network())
        _ = try Host(on: daemon, width: side, height: side)
    }

    @Test(
        "A parameter that is missing, unknown or of the wrong type is named",
        arguments: [
            ("Slots.Attach", [:], "slot"),
            ("Slots.Attach", ["slot": 5, "viewport": ["width": 1, "height": 1]], "slot"),
            ("Slots.Attach", ["slot": "banner"], "viewport"),
            ("Slots.Attach", ["slot": "banner", "viewport": "large"], "viewport"),
            ("Slots.Attach", ["slot": "banner", "viewport": ["width": 1]], "viewport.height"),
            ("Slots.Attach", ["slot": "banner", "viewport": ["width": 1.5, "height": 1]], "viewport.width"),
            (
                "Slots.Attach", ["slot": "banner", "viewport": ["width": 1, "height": 1, "depth": 1]],
                "viewport.depth"
            ),
            (
                "Slots.Attach", ["slot": "banner", "viewport": ["width": 1, "height": 1], "visible": "yes"],
                "visible"
            ),
            (
                "Slots.Attach", ["slot": "banner", "viewport": ["width": 1, "height": 1], "colour": "red"],
                "colour"
            ),
            ("Slots.Update", ["visible": true], "lease"),
            ("Slots.BeginAction", ["lease": "x"], "banner"),
            ("Slots.BeginAction", ["lease": "x", "banner": "first"], "banner"),
            ("Slots.FinishAction", ["lease": "x", "action": nil], "action"),
            ("Slots.List", ["slot": "banner"], "slot"),
            ("Slots.Explain", [:], "slot"),
            ("Work.Register", ["kind": "client"], "name"),
            ("Work.Register", ["name": "x", "kind": "thread"], "kind"),
            ("Work.Acknowledge", ["lease": "x"], "token"),
            ("Work.Veto", ["lease": "x", "token": 1], "reason"),
            ("Reachability.Get", ["host": "x"], "host"),
            ("Manager.GetStatus", ["verbose": true], "verbose"),
        ] as [(String, JSONObject, String)])
    func parameter(method: String, parameters: JSONObject, name: String) throws {
        let daemon = try DaemonProcess(in: Network())
        let isStream = method.hasSuffix("Attach") || method.hasSuffix("Register")
        let refusal =
            isStream
            ? try daemon.refusal(ofStream: "org.adslotd.\(method)", parameters)
            : try daemon.refusal(of: "org.adslotd.\(method)", parameters)
        #expect(
            refusal
                == Refusal(
                    name: "org.varlink.service.InvalidParameter", parameters: ["parameter": .string(name)]))
    }

    @Test(
        "Methods that only make sense as a stream want one",
        arguments: ["Slots.Attach", "Work.Register", "Manager.Monitor"])
    func expectedMore(method: String) throws {
        let daemon = try DaemonProcess(in: Network())
        let refusal = try daemon.refusal(
            of: "org.adslotd.\(method)",
            method == "Manager.Monitor"
                ? [:]
                : method == "Work.Register"
                    ? ["name": "x", "kind": "client"] : ["slot": "banner", "viewport": Host.size(360, 640)])
        #expect(refusal.name == "org.varlink.service.ExpectedMore")
    }

    @Test("Unknown methods and interfaces are named")
    func unknownMethods() throws {
        let daemon = try DaemonProcess(in: Network())
        #expect(
            try daemon.refusal(of: "org.adslotd.Slots.Dance")
                == Refusal(
                    name: "org.varlink.service.MethodNotFound",
                    parameters: ["method": "org.adslotd.Slots.Dance"]))
        #expect(
            try daemon.refusal(of: "org.adslotd.Dances.List")
                == Refusal(
                    name: "org.varlink.service.InterfaceNotFound",
                    parameters: ["interface": "org.adslotd.Dances"]))
        #expect(
            try daemon.refusal(
                of: "org.varlink.service.GetInterfaceDescription", ["interface": "org.adslotd.Dances"]
            ).name == "org.varlink.service.InterfaceNotFound")
    }

    @Test("A lease that was never given out, and one whose connection has closed, are unknown")
    func staleLeases() throws {
        let daemon = try DaemonProcess(in: Network())
        let host = try Host(on: daemon)
        let work = try Work(on: daemon)
        let (hostLease, workLease) = (host.lease, work.lease)
        host.die()
        work.die()
        try daemon.waitUntilDetached()
        let deadline = Deadline()
        while try daemon.work() != nil { #expect(deadline.pause()) }
        for lease in ["", "nonsense", hostLease, workLease] {
            let calls: [(String, JSONObject)] = [
                ("Slots.Update", ["lease": .string(lease), "visible": true]),
                ("Slots.BeginAction", ["lease": .string(lease), "banner": 1]),
                ("Slots.FinishAction", ["lease": .string(lease), "action": 1]),
                ("Work.Acknowledge", ["lease": .string(lease), "token": 1]),
                ("Work.Veto", ["lease": .string(lease), "token": 1, "reason": "x"]),
            ]
            for (method, parameters) in calls {
                let interface = method.prefix { $0 != "." }
                #expect(
                    try daemon.refusal(of: "org.adslotd.\(method)", parameters)
                        == Refusal(name: "org.adslotd.\(interface).UnknownLease", parameters: [:]))
            }
        }
    }

    @Test("A host's lease is none of work's, and the other way round")
    func swappedLeases() throws {
        let daemon = try DaemonProcess(in: Network())
        let (host, work) = (try Host(on: daemon), try Work(on: daemon))
        #expect(
            try daemon.refusal(
                of: "org.adslotd.Work.Acknowledge", ["lease": .string(host.lease), "token": 1]
            )
            .name == "org.adslotd.Work.UnknownLease")
        #expect(
            try daemon.refusal(of: "org.adslotd.Slots.Update", ["lease": .string(work.lease)]).name
                == "org.adslotd.Slots.UnknownLease")
    }

    @Test("An action and a token that there are not are named")
    func unknownNumbers() throws {
        let daemon = try DaemonProcess(in: Network())
        let (host, work) = (try Host(on: daemon), try Work(on: daemon))
        let action = #expect(throws: Refusal.self) { try host.finish(77) }
        #expect(action == Refusal(name: "org.adslotd.Slots.UnknownAction", parameters: ["action": 77]))
        let token = try daemon.refusal(
            of: "org.adslotd.Work.Acknowledge", ["lease": .string(work.lease), "token": 77])
        #expect(token == Refusal(name: "org.adslotd.Work.UnknownToken", parameters: ["token": 77]))
    }

    @Test("A name of work is taken once")
    func nameTaken() throws {
        let daemon = try DaemonProcess(in: Network())
        let work = try Work(on: daemon, "game")
        let refusal = try daemon.refusal(
            ofStream: "org.adslotd.Work.Register", ["name": "game", "kind": "client"])
        #expect(refusal == Refusal(name: "org.adslotd.Work.NameTaken", parameters: ["name": "game"]))
        work.die()
    }
}
