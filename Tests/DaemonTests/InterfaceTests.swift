import Testing
import Varlink

@Suite("The daemon is what it says it is", .ownThread, .needsNamespaces)
struct InterfaceTests {
    @Test("It describes itself and its interfaces")
    func info() throws {
        let daemon = try DaemonProcess(in: Network())
        let info = try daemon.call("org.varlink.service.GetInfo")
        #expect(try info.text("product") == "adslotd")
        #expect(
            info["interfaces"]?.array?.compactMap(\.string).sorted() == [
                "org.adslotd.Campaigns", "org.adslotd.Ledger", "org.adslotd.Manager",
                "org.adslotd.Reachability", "org.adslotd.Slots", "org.adslotd.Work", "org.varlink.service",
            ])
    }

    /// The harness holds every reply against the description; here each method is called.
    @Test("Every reply of every method has the type that the daemon's own description gives it")
    func everyMethod() throws {
        let network = try Network()
        try network.wired()
        let daemon = try DaemonProcess(in: network, BannerTests.eager)
        var called: Set<String> = []
        let events = try daemon.events()
        let watcher = try daemon.watch()
        let host = try Host(on: daemon, name: "radio")
        try host.waitUntilShown()
        let work = try Work(on: daemon, mayVeto: true)
        let vetoed = try host.beginAction()
        try work.veto(work.expect("pause"), "no")
        _ = try vetoed.answer()
        let click = try host.beginAction()
        try work.acknowledge(work.expect("pause"))
        let action = try click.allowed()
        // In an action the optional members have values too.
        for method in [
            "Reachability.Get", "Reachability.ListLinks", "Slots.List", "Work.List", "Manager.GetStatus",
            "Ledger.GetStatus", "Ledger.Report",
        ] {
            try daemon.call("org.adslotd.\(method)")
            called.insert("org.adslotd.\(method)")
        }
        try host.finish(action)
        try host.update(visible: false)
        try daemon.call("org.adslotd.Slots.Explain", ["slot": "banner"])
        try daemon.call("org.adslotd.Slots.Disable", ["slot": "banner", "forMicroseconds": 60_000_000])
        try daemon.call("org.adslotd.Slots.List")
        try daemon.call("org.adslotd.Slots.Enable", ["slot": "banner"])
        try network.ip("link set p0 down")
        try watcher.wait(for: "none")
        try daemon.call("org.adslotd.Manager.Reload")
        #expect(
            try daemon.connect().open("org.adslotd.Ledger.Export").next(within: Deadline.patience) != nil)
        #expect(
            try daemon.connect().open("org.adslotd.Ledger.Timeline").next(within: Deadline.patience) != nil)
        #expect(
            try daemon.connect().open("org.adslotd.Manager.Record").next(within: Deadline.patience) != nil)
        try daemon.call("org.varlink.service.GetInfo")
        try daemon.call("org.varlink.service.GetInterfaceDescription", ["interface": "org.adslotd.Slots"])
        try daemon.call("org.adslotd.Reachability.Probe", ["host": "192.0.2.1"])
        called.formUnion([
            "org.adslotd.Ledger.Export", "org.adslotd.Ledger.Timeline", "org.adslotd.Manager.Monitor",
            "org.adslotd.Manager.Record", "org.adslotd.Manager.Reload", "org.adslotd.Reachability.Monitor",
            "org.adslotd.Reachability.Probe", "org.adslotd.Slots.Attach", "org.adslotd.Slots.BeginAction",
            "org.adslotd.Slots.Disable", "org.adslotd.Slots.Enable", "org.adslotd.Slots.Explain",
            "org.adslotd.Slots.FinishAction", "org.adslotd.Slots.Update",
            "org.adslotd.Work.Acknowledge", "org.adslotd.Work.Register", "org.adslotd.Work.Veto",
            "org.varlink.service.GetInfo", "org.varlink.service.GetInterfaceDescription",
        ])
        called.formUnion(try manageCampaigns(of: daemon))
        #expect(try called.sorted() == daemon.interfaces.methods)
        while try events.next(within: .milliseconds(50)) != nil {}
    }

    /// Calls every method of org.adslotd.Campaigns.
    private func manageCampaigns(of daemon: DaemonProcess) throws -> Set<String> {
        var called: Set<String> = []
        let connection = try daemon.connect()
        func call(_ method: String, _ parameters: JSONObject = [:]) throws -> JSONObject {
            called.insert("org.adslotd.Campaigns.\(method)")
            return try connection.call("org.adslotd.Campaigns.\(method)", parameters)
        }
        let fields: JSONValue = ["name": "A", "advertiser": "A", "price": "1", "currency": "EUR"]
        let id = try JSONValue.integer(call("Add", ["campaign": fields]).object("campaign").number("id"))
        let upload = try call("Upload", ["data": "PHA+", "last": true]).number("upload")
        let creative = try call(
            "AddCreative",
            [
                "campaign": id,
                "creative": ["upload": .integer(upload), "size": ["width": 320, "height": 50]],
            ])
        let number = try JSONValue.integer(creative.object("creative").number("id"))
        var revision = try creative.number("revision")
        revision = try call(
            "EditCreative",
            ["id": number, "revision": .integer(revision), "creative": ["clickURL": "https://a.example"]]
        ).number("revision")
        _ = try call(
            "Edit",
            ["id": id, "revision": .integer(revision), "campaign": ["tier": 3, "domain": "a.example"]])
        for method in ["Get", "GetCreative"] { _ = try call(method, ["id": method == "Get" ? id : number]) }
        for method in ["List", "ListCreatives"] { _ = try call(method) }
        _ = try call("Import", ["campaigns": [["campaign": fields, "creatives": []]], "last": true])
        let export = try daemon.connect().open("org.adslotd.Campaigns.Export")
        #expect(try export.next(within: Deadline.patience) != nil)
        called.insert("org.adslotd.Campaigns.Export")
        _ = try call("RemoveCreative", ["id": number])
        _ = try call("Remove", ["id": id])
        return called
    }

    @Test("The objects in a status have the types of their own interfaces")
    func status() throws {
        let network = try Network()
        try network.wired()
        let daemon = try DaemonProcess(in: network, BannerTests.eager)
        let host = try Host(on: daemon)
        try host.waitUntilShown()
        let work = try Work(on: daemon)
        let status = try daemon.call("org.adslotd.Manager.GetStatus")
        try check(daemon, "Reachability", "Reachability", status.object("reachability"))
        for slot in try status.objects("slots") { try check(daemon, "Slots", "Slot", slot) }
        for item in try status.objects("work") { try check(daemon, "Work", "Item", item) }
        #expect(try status.objects("slots").count == 1)
        #expect(try status.objects("work").count == 1)
        #expect(status["configuration"] == [.string(daemon.configurationFile)])
        #expect(try status.number("pid") == Int64(daemon.child.pid))
        #expect(try status.objects("sources").first?.number("fills") == 1)
        work.die()
    }

    @Test("A time that has not changed is told the same at every question")
    func steadyTimes() throws {
        let network = try Network()
        try network.wired()
        let daemon = try DaemonProcess(in: network, BannerTests.eager)
        let host = try Host(on: daemon)
        try host.waitUntilShown()
        let connection = try daemon.connect()
        var times: Set<Int64> = []
        for _ in 1...300 {
            let slots = try connection.call("org.adslotd.Slots.List").objects("slots")
            times.insert(try #require(slots.first).number("nextAttempt"))
        }
        #expect(times.count == 1, "\(times.sorted())")
    }

    @Test("Each event carries its kind's own object, and the events are numbered without a gap")
    func events() throws {
        let network = try Network()
        try network.wired()
        let daemon = try DaemonProcess(in: network, BannerTests.eager)
        let events = try daemon.events()
        let host = try Host(on: daemon)
        try host.waitUntilShown()
        let work = try Work(on: daemon)
        let click = try host.beginAction()
        try work.acknowledge(work.expect("pause"))
        try click.allowed()
        try network.ip("link set p0 down")
        var kinds: Set<String> = []
        var sequence: Int64?
        repeat {
            let event = try events.next()
            let kind = try event.text("kind")
            kinds.insert(kind)
            let data = try event.object("data")
            switch kind {
            case "reachability", "link": try check(daemon, "Reachability", "Reachability", data)
            case "slot": try check(daemon, "Slots", "Slot", data)
            case "work": try check(daemon, "Work", "Item", data)
            default: break
            }
            if let sequence { #expect(try event.number("sequence") == sequence + 1) }
            sequence = try event.number("sequence")
            #expect(try !event.text("text").isEmpty)
        } while !kinds.isSuperset(of: ["reachability", "slot", "work", "service"])
    }

    @Test(
        "Links are listed with their kind and the evidence for it", .needs(.tap), .needs(.tun),
        .needs(.bridge))
    func links() throws {
        let network = try Network()
        try network.wired()
        try network.tap("wl0")
        try network.modem()
        try network.tap("usb0")
        try network.ip("link add br0 type bridge")
        let daemon = try DaemonProcess(in: network, "[Link usb*]\nKind=cellular\n")
        var kinds: [String: String] = [:]
        for link in try daemon.call("org.adslotd.Reachability.ListLinks").objects("links") {
            kinds[try link.text("name")] = try link.text("kind")
            #expect(try !link.text("evidence").isEmpty)
            #expect(try link.flag("egress") == (link.text("name") == "e0"))
        }
        #expect(
            kinds == [
                "lo": "loopback", "e0": "ethernet", "p0": "ethernet", "wl0": "wifi", "ww0": "cellular",
                "usb0": "cellular", "br0": "bridge",
            ])
    }

    private func check(
        _ daemon: DaemonProcess, _ interface: String, _ type: String, _ object: JSONObject
    ) throws {
        let description = try #require(try daemon.interfaces.interfaces["org.adslotd.\(interface)"])
        try description.check(.object(object), against: .named(type))
    }
}
