import Foundation
import Testing
import Varlink

@Suite("State on a disk that cannot be written", .ownThread, .needsNamespaces)
struct UnwritableStateTests {
    private static let configuration = HouseInventory.configuration(
        "banner", schedule: "TrustClock=always")

    /// A file system of its own for the state, and a daemon that was killed there after it had kept a
    /// campaign, an ad of it, and that the slot is disabled; the latter only in the log.
    private func killed(_ network: Network, _ directory: ScratchDirectory) throws -> String {
        let state = directory.file("state")
        try FileManager.default.createDirectory(atPath: state, withIntermediateDirectories: true)
        try network.shell("mount -t tmpfs -o size=1m tmpfs \(state)")
        let daemon = try DaemonProcess(in: network, Self.configuration, directory: directory)
        try HouseInventory(of: daemon).add("Autumn sale")
        #expect(try HouseInventory(of: daemon).visit() != nil)
        try daemon.call("org.adslotd.Slots.Disable", ["slot": "banner"])
        try daemon.killNow()
        // It is not mounted for this process.
        try network.shell("test -s \(state)/ledger.sqlite-wal")
        return state
    }

    /// Lets the log grow by so much that it cannot be carried over on a full disk, as many rows would.
    private func grow(_ network: Network, _ state: String) throws {
        let script = """
            import os, sqlite3
            file = sqlite3.connect("\(state)/ledger.sqlite")
            file.execute("PRAGMA wal_autocheckpoint = 0")
            file.execute("CREATE TABLE room (content)")
            file.execute("INSERT INTO room VALUES (zeroblob(100000))")
            file.commit()
            os._exit(0)
            """
        #expect(try Finished.run(network.inside(["python3", "-c", script])).code == 0)
    }

    private func fill(_ network: Network, _ state: String) throws {
        try network.shell("dd if=/dev/zero of=\(state)/ballast bs=4k count=400 2>/dev/null || true")
    }

    /// That a daemon knows what the one before it kept.
    private func expectAllKnown(_ daemon: DaemonProcess) throws {
        #expect(try daemon.slot().flag("disabled") && daemon.slot().number("requests") == 1)
        let status = try daemon.call("org.adslotd.Manager.GetStatus").object("schedule")
        #expect(try status.number("campaigns") == 1)
        let campaign = try daemon.call("org.adslotd.Campaigns.Get", ["id": 1]).object("campaign")
        #expect(try campaign.text("name") == "Autumn sale")
        let total = try daemon.call("org.adslotd.Ledger.Report").object("total")
        #expect(try total.number("shown") == 1)
    }

    @Test("What is only in the log is known at a start on a full disk, and is not written over")
    func fullAtTheStart() throws {
        let (network, directory) = (try Network(), try ScratchDirectory())
        let state = try killed(network, directory)
        try grow(network, state)
        try fill(network, state)
        var daemon = try DaemonProcess(in: network, Self.configuration, directory: directory)
        try expectAllKnown(daemon)
        // So much is written that it shows that the disk is full; reading goes on, from file and log.
        let patience = Deadline()
        while !daemon.log.text.contains("nothing is kept") {
            for word in ["Enable", "Disable"] {
                try daemon.call("org.adslotd.Slots.\(word)", ["slot": "banner"])
            }
            try #require(patience.pause(), "\(daemon.log.text)")
        }
        try expectAllKnown(daemon)
        #expect(!daemon.log.text.contains("set aside") && !daemon.log.text.contains("malformed"))
        let exported = try Finished.run([Programs.control, "--socket", daemon.socket, "ledger", "export"])
        #expect(exported.code == 0 && exported.output.contains("shown"), "\(exported)")
        try network.shell("rm \(state)/ballast")
        try daemon.log.wait(for: "state is kept again")
        try daemon.killNow()
        daemon = try DaemonProcess(in: network, Self.configuration, directory: directory)
        try expectAllKnown(daemon)
    }

    @Test("On a file system that was made read-only after a kill all is known, and later all is written")
    func readOnlyAtTheStart() throws {
        let (network, directory) = (try Network(), try ScratchDirectory())
        let state = try killed(network, directory)
        try network.shell("mount -o remount,ro \(state)")
        var daemon = try DaemonProcess(in: network, Self.configuration, directory: directory)
        try daemon.log.wait(for: "ledger.sqlite: it cannot be written; nothing is kept")
        try expectAllKnown(daemon)
        try daemon.call("org.adslotd.Slots.Enable", ["slot": "banner"])
        let status = try daemon.call("org.adslotd.Ledger.GetStatus").object("status")
        #expect(try status.number("last") > 0 && status.number("sizeBytes") > 0)
        #expect(try status.text("failing").contains("it cannot be written"))
        try network.shell("mount -o remount,rw \(state)")
        try daemon.log.wait(for: "state is kept again")
        try daemon.killNow()
        daemon = try DaemonProcess(in: network, Self.configuration, directory: directory)
        #expect(try !daemon.slot().flag("disabled") && daemon.slot().number("requests") == 1)
        try HouseInventory(of: daemon).add("Winter sale")
    }

    @Test("A stop while nothing can be written says what is lost, and how much")
    func stopped() throws {
        let (network, directory) = (try Network(), try ScratchDirectory())
        let state = try killed(network, directory)
        try network.shell("mount -o remount,ro \(state)")
        let daemon = try DaemonProcess(in: network, Self.configuration, directory: directory)
        try daemon.call("org.adslotd.Slots.Enable", ["slot": "banner"])
        #expect(try HouseInventory(of: daemon).visit() != nil)
        #expect(try daemon.terminate() == 0)
        try daemon.log.wait(for: "changes are lost, and what 1 slots remember of late")
        #expect(daemon.log.text.contains("ending, and nothing can be written: "))
        #expect(!daemon.log.text.contains(": 0 changes are lost"))
    }
}
