import AdSlots
import Foundation
import Reachability
import Testing

import struct Campaigns.CampaignID
import struct Campaigns.CampaignMemory
import struct Campaigns.SchedulerMemory

@testable import Ledger

@Suite("What slots remember is kept in a file")
struct LedgerTests {
    @Test("What is kept comes back, every field of it")
    func roundTrip() throws {
        let rig = try StateRig()
        let memories = [
            SlotMemory(name: "plain"), .full("full", at: rig.clocks.now),
            SlotMemory(name: "off", enablement: .disabled(until: nil), requests: .max),
            SlotMemory(name: "x'); DROP TABLE slots; --"), SlotMemory(name: "plakat grün"),
        ]
        try rig.keep(memories, in: rig.open())
        #expect(try rig.remembered() == memories.sorted { $0.name < $1.name })
        #expect(rig.notices.isEmpty)
    }

    @Test("The end of the process takes nothing away: what was kept is in the files before keep returns")
    func sudden() throws {
        let (rig, after) = (try StateRig(), try StateRig())
        let ledger = try rig.open()
        for count in 1...50 {
            rig.keep([SlotMemory(name: "banner", requests: count)], in: ledger)
        }
        // The files as a killed daemon would leave them.
        for suffix in ["", "-wal"] {
            try FileManager.default.copyItem(atPath: rig.path + suffix, toPath: after.path + suffix)
        }
        #expect(try after.remembered() == [SlotMemory(name: "banner", requests: 50)])
    }

    @Test("Only the rows that changed are written; slots that nobody names keep theirs")
    func rows() throws {
        let rig = try StateRig()
        var ledger: Ledger? = try rig.open()
        rig.keep([SlotMemory(name: "a", fills: 1), SlotMemory(name: "b", fills: 1)], in: ledger!)
        ledger = nil
        ledger = try rig.open()
        rig.pass(.seconds(5))
        rig.keep([SlotMemory(name: "b", fills: 2)], in: ledger!)
        ledger = nil
        let database = try Database(rig.path, .readWrite)
        let start = rig.clocks.now.microseconds - 5_000_000
        #expect(try database.integer("SELECT saved_at FROM slots WHERE name = 'a'") == start)
        #expect(try database.integer("SELECT saved_at FROM slots WHERE name = 'b'") == start + 5_000_000)
    }

    @Test("What could not be read at the start is not written over by slots that have not changed since")
    func late() throws {
        let rig = try StateRig()
        var ledger: Ledger? = try rig.open()
        var scheduler = SchedulerMemory()
        scheduler.campaigns = [
            CampaignMemory(
                campaign: CampaignID(1), delivered: 7, lastServed: nil, isCompeting: false, turns: [],
                shown: [])
        ]
        ledger?.keep(
            [], [SlotMemory(name: "a", fills: 1), SlotMemory(name: "b", enablement: .disabled(until: nil))],
            SchedulerChanges(memory: scheduler), else: { [] }, at: rig.clocks)
        ledger = nil
        // As a disk that is mounted too late.
        let elsewhere = rig.directory + "-late"
        try FileManager.default.moveItem(atPath: rig.directory, toPath: elsewhere)
        ledger = try rig.open()
        #expect(ledger?.remembered == [] && rig.notices.count == 1)
        ledger?.wholeScheduler = { SchedulerChanges(memory: SchedulerMemory(), isWhole: true) }
        let everything = ["a", "b", "c"].map { SlotMemory(name: $0) }
        rig.keep([SlotMemory(name: "a")], in: ledger!, everything: everything)
        try FileManager.default.moveItem(atPath: elsewhere, toPath: rig.directory)
        rig.pass(.seconds(2))
        rig.keep([], in: ledger!, everything: everything)
        #expect(rig.notices.last == .working(lost: 0))
        ledger = nil
        let after = try rig.open()
        #expect(
            after.remembered == [
                SlotMemory(name: "a"), SlotMemory(name: "b", enablement: .disabled(until: nil)),
                SlotMemory(name: "c"),
            ])
        #expect(after.rememberedScheduler.campaigns == scheduler.campaigns)
    }

    @Test("At the end what waits gets a last chance, and what is lost is counted")
    func end() throws {
        let rig = try StateRig()
        let elsewhere = rig.directory + "-late"
        try FileManager.default.moveItem(atPath: rig.directory, toPath: elsewhere)
        for isBack in [false, true] {
            let ledger = try rig.open()
            rig.keep([Traffic().failure], in: ledger)
            rig.keep([SlotMemory(name: "a", fills: 1)], in: ledger)
            if isBack { try FileManager.default.moveItem(atPath: elsewhere, toPath: rig.directory) }
            ledger.finish({ [SlotMemory(name: "a", fills: 1)] }, at: rig.clocks)
            #expect(rig.notices.last == (isBack ? .working(lost: 0) : .ending(lost: 1, slots: 1)))
        }
        #expect(try rig.remembered() == [SlotMemory(name: "a", fills: 1)])
    }

    @Test("Nobody else may read the file, its log and its copies, those of earlier versions included")
    func modes() throws {
        let rig = try StateRig()
        func modes() throws -> [String: Int] {
            let names = try FileManager.default.contentsOfDirectory(atPath: rig.directory)
            return try Dictionary(
                uniqueKeysWithValues: names.map { name in
                    let path = "\(rig.directory)/\(name)"
                    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
                    return (name, try #require(mode as? Int))
                })
        }
        var ledger: Ledger? = try rig.open()
        rig.keep([SlotMemory(name: "a")], in: ledger!)
        #expect(try modes() == ["ledger.sqlite": 0o600, "ledger.sqlite-wal": 0o600])
        ledger = nil
        let old = "\(rig.path).schema1"
        try Data().write(to: URL(fileURLWithPath: old))
        for path in [rig.path, old] {
            try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
        }
        ledger = try rig.open()
        rig.keep([SlotMemory(name: "b")], in: ledger!)
        let all = try modes()
        #expect(all.count == 3 && all.values.allSatisfy { $0 == 0o600 }, "\(all)")
        ledger = nil
        try Database(rig.path, .readWrite).execute("PRAGMA user_version = 2; DROP TABLE marks")
        _ = try? rig.open()
        #expect(try modes()["ledger.sqlite.schema2"] == 0o600)
    }

    @Test("Another process that has the file open is an error, not two truths")
    func inUse() throws {
        let rig = try StateRig()
        let ledger = try rig.open()
        rig.keep([SlotMemory(name: "a")], in: ledger)
        let error = #expect(throws: LedgerError.self) { try rig.open() }
        #expect(error?.kind == .inUse)
        #expect(error?.description.contains(rig.path) == true)
        rig.keep([SlotMemory(name: "a", fills: 1)], in: ledger)
        #expect(rig.notices.isEmpty)
    }

    @Test(
        "A damaged file is set aside and said aloud, and a new one begins",
        arguments: ["garbage", "cut", "page", "no table", "no schema"])
    func damaged(kind: String) throws {
        let rig = try StateRig()
        let many = (0..<200).map { SlotMemory(name: "slot number \($0) with a name of some length") }
        try rig.keep(many, in: rig.open())
        var bytes = try Data(contentsOf: URL(fileURLWithPath: rig.path))
        switch kind {
        case "garbage": bytes = Data("this was never a database, and is longer than a header of one".utf8)
        case "cut": bytes = bytes.prefix(bytes.count / 2)
        case "page": bytes.replaceSubrange(4_096..<8_192, with: Data(repeating: 0x5A, count: 4_096))
        case "no table":
            try Database(rig.path, .readWrite).execute("DROP TABLE slots")
            bytes = try Data(contentsOf: URL(fileURLWithPath: rig.path))
        default:
            try Database(rig.path, .readWrite).execute("PRAGMA user_version = -1")
            bytes = try Data(contentsOf: URL(fileURLWithPath: rig.path))
        }
        try bytes.write(to: URL(fileURLWithPath: rig.path))
        do {
            let ledger = try rig.open()
            #expect(ledger.remembered.isEmpty)
            rig.keep([SlotMemory(name: "new")], in: ledger)
        }
        guard case .setAside(let error, let path) = rig.notices.first, rig.notices.count == 1 else {
            Issue.record("\(rig.notices)")
            return
        }
        #expect(error.kind == .damaged)
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == bytes)
        #expect(try rig.remembered() == [SlotMemory(name: "new")])
    }

    @Test("Damage that shows when it is written again is set aside too, and all slots are written anew")
    func damagedLater() throws {
        let rig = try StateRig()
        let later = "\(rig.directory)/later"
        let ledger = try rig.open(in: later)
        try FileManager.default.createDirectory(atPath: later, withIntermediateDirectories: false)
        let file = "\(later)/\(Ledger.fileName)"
        try Data("this was never a database".utf8).write(to: URL(fileURLWithPath: file))
        rig.pass(.seconds(2))
        let all = [SlotMemory(name: "a", fills: 1), SlotMemory(name: "b")]
        rig.keep([all[0]], in: ledger, everything: all)
        guard rig.notices.count == 3, case .failing = rig.notices[0], case .setAside = rig.notices[1],
            rig.notices[2] == .working(lost: 0)
        else {
            Issue.record("\(rig.notices)")
            return
        }
        #expect(FileManager.default.fileExists(atPath: "\(file).damaged"))
    }

    @Test("A file of a newer version is refused and left as it is")
    func newer() throws {
        let rig = try StateRig()
        try rig.keep([SlotMemory(name: "a", fills: 9)], in: rig.open())
        try Database(rig.path, .readWrite).execute("PRAGMA user_version = 99")
        let error = #expect(throws: LedgerError.self) { try rig.open() }
        #expect(error?.kind == .newer)
        #expect(error?.description.contains("99") == true)
        #expect(try Database(rig.path, .readWrite).integer("SELECT fills FROM slots") == 9)
    }

    @Test("A disk that cannot be written is said once; as soon as it can, everything is written")
    func unwritable() throws {
        let rig = try StateRig()
        let missing = "\(rig.directory)/later"
        let ledger = try rig.open(in: missing)
        for count in 1...5 {
            rig.keep([SlotMemory(name: "a", requests: count)], in: ledger)
            rig.pass(.milliseconds(700))
        }
        guard case .failing(let error) = rig.notices.first, rig.notices.count == 1 else {
            Issue.record("\(rig.notices)")
            return
        }
        #expect(error.kind == .readOnly)
        #expect(error.path == "\(missing)/\(Ledger.fileName)")
        try FileManager.default.createDirectory(atPath: missing, withIntermediateDirectories: false)
        let all = [SlotMemory(name: "a", requests: 6), SlotMemory(name: "b", requests: 2)]
        rig.pass(.seconds(1))
        rig.keep([all[0]], in: ledger, everything: all)
        #expect(rig.notices.last == .working(lost: 0) && rig.notices.count == 2)
        let database = try Database("\(missing)/\(Ledger.fileName)", .immutable)
        #expect(try database.integer("PRAGMA user_version") >= 0)
    }
}

@Suite("Older files")
struct SchemaTests {
    @Test("Each migration that a file has not had is made, once, and keeps what is there")
    func migrate() throws {
        let rig = try StateRig()
        let database = try Database(rig.path, .readWrite)
        try Schema.migrate(database, ["CREATE TABLE a (x INTEGER); INSERT INTO a VALUES (7)"])
        let steps = ["CREATE TABLE never (x INTEGER)", "ALTER TABLE a ADD COLUMN y INTEGER DEFAULT 3"]
        for _ in 1...2 { try Schema.migrate(database, steps) }
        #expect(try database.integer("SELECT x + y FROM a") == 10)
        #expect(try database.integer("PRAGMA user_version") == 2)
        #expect(try database.integer("SELECT count(*) FROM sqlite_master WHERE name = 'never'") == 0)
    }

    @Test("A migration that fails leaves the file as it was")
    func whole() throws {
        let rig = try StateRig()
        let database = try Database(rig.path, .readWrite)
        #expect(throws: LedgerError.self) {
            try Schema.migrate(database, ["CREATE TABLE a (x INTEGER)", "CREATE NONSENSE"])
        }
        #expect(try database.integer("PRAGMA user_version") == 0)
        #expect(try database.integer("SELECT count(*) FROM sqlite_master") == 0)
    }
}

@Suite("Moments over a reboot")
struct ClocksTests {
    private static let saved = Clocks(
        boot: "one", now: Instant(microseconds: 500_000_000), wall: 10_000_000_000)

    @Test("In the same boot a moment stays what it is, whatever the wall clock says")
    func sameBoot() {
        let now = Clocks(boot: "one", now: Instant(microseconds: 600_000_000), wall: 0)
        let moment = Instant(microseconds: 700_000_000)
        #expect(now.moment(moment, keptAt: Self.saved) == moment)
    }

    @Test(
        "After a reboot the wall clock says how much is left; never more than was left",
        arguments: [
            // seconds ahead when kept, seconds by the wall clock since, seconds ahead now
            (600, 0, 600), (600, 60, 540), (600, 600, 0), (600, 1_000, -400),
            // The wall clock was set back: nobody knows, and so much was left.
            (600, -5_000, 600), (-30, 10, -40), (-30, -10, -30),
        ])
    func reboot(ahead: Int64, passed: Int64, left: Int64) {
        let now = Clocks(
            boot: "two", now: Instant(microseconds: 20_000_000), wall: Self.saved.wall + passed * 1_000_000)
        let moment = Self.saved.now + .seconds(ahead)
        #expect(now.moment(moment, keptAt: Self.saved) == now.now + .seconds(left))
    }

    @Test("Numbers that make no sense stop at the ends", arguments: [Int64.min, 0, .max])
    func extremes(value: Int64) {
        for other in [Int64.min, 0, .max] {
            let saved = Clocks(boot: "one", now: Instant(microseconds: value), wall: other)
            let now = Clocks(boot: "two", now: .zero, wall: value)
            #expect(now.moment(Instant(microseconds: other), keptAt: saved).microseconds >= .min)
        }
    }

    @Test("A ledger applies that to every moment of a slot")
    func ledger() throws {
        let rig = try StateRig()
        let before = rig.clocks.now
        try rig.keep([.full("banner", at: before)], in: rig.open())
        rig.clocks = Clocks(
            boot: "two", now: Instant(microseconds: 5_000_000), wall: rig.clocks.wall + 100_000_000)
        let memory = try #require(try rig.remembered().first)
        #expect(memory.enablement.until == rig.clocks.now + .seconds(500))
        #expect(memory.notBefore == rig.clocks.now + .seconds(20))
        #expect(memory.lastRequest == rig.clocks.now + .seconds(-107))
        #expect(memory.impressions == 5)
    }
}
