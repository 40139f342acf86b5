import Foundation
import LinuxSupport
import Testing
import Varlink

/// A few rounds are part of every run of the tests, `make test-kill` plays 200.
@Suite("A daemon that is killed at any moment leaves nothing paused", .ownThread, .needsNamespaces)
struct KillTests {
    private static let rounds =
        ProcessInfo.processInfo.environment["ADSLOTD_KILL_ROUNDS"].flatMap { Int($0) } ?? 25

    private static let configuration = """
        [Reachability]
        LossHold=0
        GainHold=0
        DampMax=0
        [Slot banner]
        MinimumInterval=0
        [Slot second]
        MinimumInterval=0
        Placement=top
        [Source test]
        Delay=1ms

        """

    @Test("Under load, with processes, a group of them, control groups and clients as work")
    func killed() throws {
        let network = try Network()
        try network.wired()
        let directory = try ScratchDirectory()
        let games = try (1...4).map { _ in try Child(["setsid", "sleep", "600"]) }
        let leader = try Child(["setsid", "sh", "-c", "sleep 600 & sleep 600 & wait"])
        let members = try Processes.children(of: leader.pid, count: 2)
        let groups =
            ScratchControlGroup.obstacle == nil ? try (1...2).map { _ in try ScratchControlGroup() } : []
        let inmates = try groups.map { group in
            let child = try Busy.threads(4)
            try group.add(child.pid)
            return child
        }
        let held = games.map(\.pid) + [leader.pid] + members + inmates.map(\.pid)

        let load = Load(socket: directory.file("s"))
        for slot in ["banner", "second"] { load.host(slot) }
        for name in ["c1", "c2", "c3"] { load.work(name, ["kind": "client"]) }
        for game in games {
            load.work("p\(game.pid)", ["kind": "process", "pid": .integer(Int64(game.pid))])
        }
        load.work("g", ["kind": "process", "pid": .integer(Int64(leader.pid)), "group": true])
        for group in groups { load.work(group.path, ["kind": "cgroup", "path": .string(group.path)]) }

        var killedInAction = 0
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<Self.rounds {
            let daemon = try DaemonProcess(
                in: network, Self.configuration, holds: .standard, directory: directory)
            usleep(UInt32.random(in: 0...150_000, using: &generator))
            try daemon.killNow()
            if FileManager.default.fileExists(atPath: directory.file("state/paused")) { killedInAction += 1 }
            // And before it is ready, in the midst of resuming.
            guard Bool.random(using: &generator) else { continue }
            let next = try DaemonProcess.start(in: network, directory: directory)
            usleep(UInt32.random(in: 0...20_000, using: &generator))
            try next.killNow()
        }
        let account = "\(Self.rounds) rounds, \(killedInAction) in the midst of an action, \(load.account)"
        print("kill test: \(account)")
        #expect(killedInAction > Self.rounds / 10, "\(account)")

        // Hosts go while the last daemon runs; what it counted is what they did.
        let last = try DaemonProcess(in: network, Self.configuration, holds: .standard, directory: directory)
        usleep(300_000)
        load.stop()
        let deadline = Deadline()
        while try last.call("org.adslotd.Work.List").objects("work").isEmpty == false
            || ["banner", "second"].contains(where: { (try? last.slot($0).text("state")) != "detached" })
        {
            try #require(deadline.pause())
        }
        for slot in ["banner", "second"] {
            let (item, sums) = (try last.slot(slot), load.sums(of: slot))
            // Whatever of the counters outlives a kill, nothing is counted that did not happen.
            #expect(try item.number("actions") <= sums.begun, "\(slot): \(item)")
            #expect(try item.number("impressions") <= sums.shown, "\(slot): \(item)")
        }
        #expect(try last.terminate() == 0)
        for pid in held {
            #expect(
                Processes.states(of: pid).allSatisfy { $0 != "T" }, "\(pid): \(Processes.states(of: pid))")
        }
        for group in groups { #expect(!group.isFrozen) }
        #expect(!FileManager.default.fileExists(atPath: directory.file("state/paused")))
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: directory.file("state"))
                .filter { $0.hasPrefix("paused") } == [])
        for pid in members { kill(pid, SIGKILL) }
    }
}

/// Hosts and work that come back as soon as there is a daemon to come back to.
private final class Load: @unchecked Sendable {
    /// What a slot's hosts have done.
    struct Sums {
        var begun: Int64 = 0
        var allowed: Int64 = 0
        var shown: Int64 = 0
    }

    private let socket: String
    private let lock = NSCondition()
    private var isStopping = false
    private var running = 0
    private var slots: [String: Sums] = [:]
    private var registrations = 0
    private var pauses = 0

    init(socket: String) {
        self.socket = socket
    }

    var account: String {
        lock.withLock {
            "\(slots.sorted { $0.key < $1.key }), \(registrations) registrations, \(pauses) pauses"
        }
    }

    func sums(of slot: String) -> Sums { lock.withLock { slots[slot] ?? Sums() } }

    /// Has all of them leave, and waits until they have.
    func stop() {
        lock.withLock {
            isStopping = true
            while running > 0 { lock.wait() }
        }
    }

    private var goesOn: Bool { lock.withLock { !isStopping } }

    /// Runs until the end, again after each death of the daemon.
    private func start(_ body: @escaping @Sendable () throws -> Void) {
        lock.withLock { running += 1 }
        let thread = Thread { [self] in
            while goesOn {
                // What ends it is mostly that the daemon was killed.
                try? body()
                usleep(2_000)
            }
            lock.withLock {
                running -= 1
                lock.broadcast()
            }
        }
        thread.start()
    }

    /// A host that touches its banner as soon as it is shown, again and again.
    func host(_ slot: String) {
        start { [self] in
            let client = try VarlinkClient(connectingTo: socket)
            let replies = try client.callMore(
                "org.adslotd.Slots.Attach",
                ["slot": .string(slot), "viewport": ["width": 360, "height": 640]])
            guard let lease = try replies.next(timeout: .seconds(5))?["lease"] else { return }
            var banner: JSONValue = 0
            while let command = try replies.next(timeout: .seconds(5))?["command"] {
                banner = command["banner"] ?? 0
                if command["kind"] == "show" { break }
            }
            lock.withLock { slots[slot, default: Sums()].shown += 1 }
            let calls = try VarlinkClient(connectingTo: socket)
            for _ in 0..<Int.random(in: 1...50) where goesOn {
                lock.withLock { slots[slot, default: Sums()].begun += 1 }
                let answer = try calls.call(
                    "org.adslotd.Slots.BeginAction", ["lease": lease, "banner": banner], timeout: .seconds(5))
                guard answer["allowed"] == true, let action = answer["action"] else { return }
                lock.withLock { slots[slot, default: Sums()].allowed += 1 }
                usleep(UInt32.random(in: 0...5_000))
                // Some leave without a word.
                if Int.random(in: 0..<20) == 0 { return }
                _ = try calls.call(
                    "org.adslotd.Slots.FinishAction", ["lease": lease, "action": action], timeout: .seconds(5)
                )
                usleep(UInt32.random(in: 0...5_000))
            }
        }
    }

    /// Work that is registered all the time; a client acknowledges at once.
    func work(_ name: String, _ parameters: JSONObject) {
        var all = parameters
        all["name"] = .string(name)
        start { [self, all] in
            let client = try VarlinkClient(connectingTo: socket)
            let replies = try client.callMore("org.adslotd.Work.Register", all)
            guard let lease = try replies.next(timeout: .seconds(5))?["lease"] else { return }
            lock.withLock { registrations += 1 }
            let calls = try VarlinkClient(connectingTo: socket)
            while goesOn {
                guard case .reply(let reply) = try replies.available() else {
                    let wait = Deadline(after: .milliseconds(100))
                    if let descriptor = client.descriptor { _ = wait.waitReadable(descriptor) }
                    continue
                }
                guard let instruction = reply["instruction"], instruction["kind"] == "pause" else { continue }
                lock.withLock { pauses += 1 }
                guard all["kind"] == "client", let token = instruction["token"] else { continue }
                _ = try calls.call(
                    "org.adslotd.Work.Acknowledge", ["lease": lease, "token": token], timeout: .seconds(5))
            }
        }
    }
}
