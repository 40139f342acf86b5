import Foundation
import Testing
import Varlink

/// More than any device has, and more at a time than any device changes.
@Suite("Floods cost neither the final state nor memory nor quiet", .ownThread, .needsNamespaces)
struct FloodTests {
    /// How much more memory the daemon may have taken at any time after its start, in KiB.
    private enum GrowthMax {
        /// The flight recorder's ring fills up, which is one MiB, and the C library keeps some of what it had.
        static let anything = 3 << 10
        static let fiveThousandLinks = 10 << 10
    }

    /// The time on a processor that a test's messages may take: ten times what they do.
    private static let processorTimeMax = Duration.seconds(5)

    /// A daemon without holds on a wired network, that somebody watches.
    private final class Bench {
        let network: Network
        let daemon: DaemonProcess
        let watcher: Watcher
        private let before: ProcessFigures

        init() throws {
            network = try Network()
            try network.wired()
            daemon = try DaemonProcess(in: network, holds: .none)
            watcher = try daemon.watch()
            before = try daemon.figures
        }

        /// Runs lines of ip(8) that a line of sh writes, as fast as the kernel takes them.
        func batch(_ lines: String) throws {
            try network.shell("(\(lines)) | ip -batch -", within: .seconds(60))
        }

        func count(_ what: String) throws -> Int64 {
            try daemon.call("org.adslotd.Manager.GetStatus").number(what)
        }

        /// It has gone to sleep, and has not grown by more than so much, nor has been busy.
        func expectQuiet(growthMax: Int, sourceLocation: SourceLocation = #_sourceLocation) throws {
            try daemon.waitUntilAsleep()
            let after = try daemon.figures
            let account = Comment(rawValue: "before: \(before)\nafter: \(after)")
            #expect(after.peakKiB - before.peakKiB <= growthMax, account, sourceLocation: sourceLocation)
            #expect(
                after.processorTime - before.processorTime < FloodTests.processorTimeMax, account,
                sourceLocation: sourceLocation)
        }
    }

    private func linkNames(_ daemon: DaemonProcess) throws -> [String] {
        try daemon.call("org.adslotd.Reachability.ListLinks").objects("links").map { try $0.text("name") }
    }

    private func awaitLinks(_ number: Int, _ daemon: DaemonProcess) throws {
        let deadline = Deadline()
        while try linkNames(daemon).count != number {
            guard deadline.pause() else { throw NotInTime(what: "\(number) links", account: daemon.log.text) }
        }
    }

    /// Links whose carrier is no news: that of thousands of veth pairs would keep the kernel's link watch busy
    /// for a minute, at 100 links a second for the whole machine, and what other tests do would wait behind it.
    @Test("5,000 links that come are listed, and found at the start; then they go", .needs(.ifb))
    func links() throws {
        let bench = try Bench()
        try bench.batch("for n in $(seq 5000); do echo link add x$n group 7 type ifb; done")
        try awaitLinks(5_003, bench.daemon)
        #expect(try bench.count("linkEvents") > 5_000)

        let late = try DaemonProcess(in: bench.network, holds: .none)
        #expect(try linkNames(late) == linkNames(bench.daemon))
        #expect(try late.get().status == "ethernet")
        let cost = try late.figures.processorTime
        #expect(cost < Self.processorTimeMax, "\(cost)")

        try bench.network.ip("link set p0 down")
        try bench.watcher.wait(for: "none")
        try bench.network.shell("ip link del group 7; ip link set p0 up", within: .seconds(60))
        try bench.watcher.wait(for: "ethernet")
        try awaitLinks(3, bench.daemon)
        try bench.expectQuiet(growthMax: GrowthMax.fiveThousandLinks)
        #expect(bench.watcher.statuses == ["none", "ethernet"])
    }

    @Test("A table of 50,000 routes is none of its business, whether it comes or is there")
    func routes() throws {
        let bench = try Bench()
        let lines = "for m in $(seq 0 249); do echo route add 10.$n.$m.0/24 via 10.0.0.1; done"
        try bench.batch("for n in $(seq 200); do \(lines); done")
        #expect(try bench.count("linkEvents") + bench.count("resyncs") * 50_000 >= 50_000)
        try bench.expectQuiet(growthMax: GrowthMax.anything)

        let late = try DaemonProcess(in: bench.network, holds: .none)
        #expect(try late.get().status == "ethernet")
        let (early, now) = (try bench.daemon.figures, try late.figures)
        #expect(now.peakKiB - early.peakKiB <= GrowthMax.anything, "\(early)\n\(now)")
        try bench.network.ip("route delete default")
        try bench.watcher.wait(for: "none")
        #expect(bench.watcher.statuses == ["none"])
    }

    @Test("Of 20,000 messages about links and addresses that all reach it, the two that matter are told")
    func storm() throws {
        let bench = try Bench()
        // Each line is a message at least, and a call is answered when all that has come is read: none is lost.
        let lines =
            "echo address add 10.9.0.1/32 dev e0; echo link set e0 txqueuelen $n;"
            + " echo address delete 10.9.0.1/32 dev e0; echo link set e0 mtu $((1000 + n))"
        for part in 1...10 {
            try bench.batch("for n in $(seq 500); do \(lines); done")
            _ = try bench.count("linkEvents")
            switch part {
            case 4:
                try bench.network.ip("link set p0 down")
                try bench.watcher.wait(for: "none")
            case 8:
                try bench.network.ip("link set p0 up")
                try bench.watcher.wait(for: "ethernet")
            default: break
            }
        }
        try bench.expectQuiet(growthMax: GrowthMax.anything)
        try bench.watcher.settle()
        #expect(bench.watcher.statuses == ["none", "ethernet"])
        #expect(try bench.count("linkEvents") >= 20_000)
        #expect(try bench.count("resyncs") == 0)
    }

    @Test("Of a storm that overruns it the final state is told, and once")
    func overrun() throws {
        let bench = try Bench()
        bench.daemon.signal(SIGSTOP)
        let lines = "echo address add 10.9.0.1/32 dev e0; echo address delete 10.9.0.1/32 dev e0"
        try bench.batch(
            "for n in $(seq 10000); do \(lines); done; echo link add late type veth peer name later;"
                + " echo address add 10.9.0.2/32 dev e0; echo route delete default")
        bench.daemon.signal(SIGCONT)
        try bench.watcher.wait(for: "none")
        #expect(try bench.count("resyncs") == 1)
        #expect(try linkNames(bench.daemon) == ["lo", "p0", "e0", "later", "late"])
        let links = try bench.daemon.call("org.adslotd.Reachability.ListLinks").objects("links")
        let addresses = try #require(links.first { $0["name"]?.string == "e0" }?["addresses"]?.array)
        #expect(addresses.contains("10.9.0.2/32") && !addresses.contains("10.9.0.1/32"), "\(addresses)")

        // What follows is followed as before.
        try bench.network.defaultRoute(0)
        try bench.watcher.wait(for: "ethernet")
        try bench.expectQuiet(growthMax: GrowthMax.anything)
        #expect(bench.watcher.statuses == ["none", "ethernet"])
        #expect(try bench.count("resyncs") == 1)
    }
}
