import LinuxSupport
import Reachability
import Testing

@testable import NetlinkWatcher

/// Against the real kernel, each in a process with a network of its own.
@Suite(
    "The watcher", .serialized, .enabled(if: PrivateNetwork.isAllowed, "this process may not make networks"))
struct WatcherTests {
    @Test("The lists come first and whole, then what changes, and nothing twice")
    func follows() async {
        await #expect(processExitsWith: .success) {
            let lab = try PrivateNetwork()
            try lab.run("ip link add v0 type veth peer name v1; ip addr add 192.0.2.1/24 dev v0")
            try lab.watch()
            try #require(lab.log == ["lists", "settled"])
            try #require(lab.network.links.map(\.name).sorted() == ["lo", "v0", "v1"])
            let index = try #require(lab.network.links.first { $0.name == "v0" }).index
            try #require(lab.network.addresses(of: index).map(\.address.description) == ["192.0.2.1"])
            try #require(lab.watcher.linkEvents == 0 && lab.watcher.resyncs == 0)

            try #require(try lab.said(of: "true") == [], "a quiet network wakes nobody")
            _ = try lab.said(of: "ip link set v1 up; ip link set v0 up")
            let link = try #require(lab.network.link(index))
            try #require(link.carrier && link.administrativelyUp && link.operationalState == .up)
            try #require(lab.watcher.linkEvents > 0)
            let gone = try lab.said(of: "ip link del v0")
            try #require(gone.contains("gone \(index)") && gone.last == "settled")
            try #require(lab.network.links.map(\.name) == ["lo"])
            try #require(lab.watcher.resyncs == 0)
            try #require(lab.notices == [])
        }
    }

    @Test("A burst is told fact by fact, and settles once; routes are told once for all of them")
    func burst() async {
        await #expect(processExitsWith: .success) {
            let lab = try PrivateNetwork()
            try lab.watch()
            let said = try lab.said(
                of: "ip link set lo up; for n in 2 3 4 5; do ip addr add 127.0.0.$n/32 dev lo; done")
            try #require(said.count { $0 == "settled" } == 1)
            try #require(said.count { $0 == "routes" } == 1)
            try #require(said.suffix(2) == ["routes", "settled"])
            let addresses = said.filter { $0.hasPrefix("address") }
            try #require(
                addresses == [
                    "address 127.0.0.1/8", "address ::1/128", "address 127.0.0.2/32", "address 127.0.0.3/32",
                    "address 127.0.0.4/32", "address 127.0.0.5/32",
                ])
        }
    }

    @Test("A rule, a route, a nexthop object: lookups may be wrong now")
    func routing() async {
        await #expect(processExitsWith: .success) {
            let lab = try PrivateNetwork()
            try lab.run("ip link set lo up; ip link add v0 type veth peer name v1")
            try lab.run("ip link set v1 up; ip link set v0 up")
            try lab.run("sleep 0.2")
            try lab.watch()
            _ = try lab.said(of: "sleep 2")
            for command in [
                "ip rule add from 192.0.2.0/24 table 100", "ip -6 rule add from 2001:db8::/64 table 100",
                "ip route add 198.51.100.0/24 dev v0", "ip route del 198.51.100.0/24",
                "ip route add blackhole 198.51.100.0/24 table 100", "ip rule del from 192.0.2.0/24 table 100",
                "ip nexthop add id 9 dev v0", "ip nexthop del id 9",
            ] {
                let said = try lab.said(of: command)
                try #require(said == ["routes", "settled"], "\(command): \(said)")
            }
        }
    }

    @Test("What a bridge tells of its ports deletes no link")
    func bridge() async {
        await #expect(processExitsWith: .success) {
            let lab = try PrivateNetwork()
            try lab.run("ip link add v0 type veth peer name v1; ip link add b0 type bridge")
            try lab.watch()
            let port = try #require(lab.network.links.first { $0.name == "v0" }).index
            let bridge = try #require(lab.network.links.first { $0.name == "b0" }).index
            let joined = try lab.said(of: "ip link set v0 master b0")
            try #require(joined.contains("link v0"))
            try #require(lab.network.link(port)?.controllerIndex == bridge)
            let left = try lab.said(of: "ip link set v0 nomaster")
            try #require(!left.contains("gone \(port)"))
            try #require(lab.network.link(port)?.controllerIndex == nil)
            try #require(lab.network.ports(of: bridge).isEmpty)
        }
    }

    @Test("Messages that are lost are noticed, and the lists are read anew and told as a whole")
    func overrun() async {
        await #expect(processExitsWith: .success) {
            let lab = try PrivateNetwork()
            try lab.run("ip link set lo up")
            try lab.watch()
            _ = try lab.said(of: "true")
            // More than the largest buffer holds, while nobody reads.
            let once = "echo addr add 127.1.0.1/32 dev lo; echo addr del 127.1.0.1/32 dev lo"
            let churn = "for n in $(seq 8000); do \(once); done"
            let said = try lab.said(of: "(\(churn); echo addr add 127.1.0.2/32 dev lo) | ip -batch -")
            try lab.turn { lab.watcher.resyncs > 0 }
            try #require(said.contains("lists") || lab.log.contains("lists"))
            try #require(lab.log.last == "settled")
            try #require(lab.notices.contains("netlink messages were lost, reading the lists anew"))
            let addresses = lab.network.addresses(of: 1).map(\.address.description)
            try #require(addresses == ["127.0.0.1", "127.1.0.2", "::1"])

            // From here on it follows as before.
            let after = try lab.said(of: "ip addr del 127.1.0.2/32 dev lo")
            try #require(after == ["addressGone 127.1.0.2/32", "routes", "settled"])
        }
    }

    @Test("After a loss the lists are read when the queue is empty: before that more is lost without a word")
    func overrunLongerThanATurn() async {
        await #expect(processExitsWith: .success) {
            let lab = try PrivateNetwork()
            try lab.run("ip link set lo up")
            let perTurn = 4
            try lab.watch(bounds: .init(receiveBufferBytes: 32 << 10, datagramsPerTurn: perTurn))
            _ = try lab.said(of: "true")
            let events = lab.watcher.linkEvents
            // Several times what the buffer holds, while nobody reads.
            let once = "echo addr add 127.1.0.1/32 dev lo; echo addr del 127.1.0.1/32 dev lo"
            let churn = "for n in $(seq 200); do \(once); done"
            try lab.run("(\(churn); echo addr add 127.1.0.2/32 dev lo) | ip -batch -")
            lab.forget()
            try #require(try lab.loop.runOnce(timeout: 1_000_000))
            // The first read says that something was lost.
            try #require(lab.watcher.linkEvents == events + perTurn - 1)
            try #require(lab.log == [] && lab.watcher.resyncs == 0, "\(lab.log)")
            try #require(lab.notices.last == "netlink messages were lost, reading the lists anew")
            // Dropped, and nobody is told that it was.
            try lab.run("ip addr del 127.1.0.2/32 dev lo; ip addr add 127.1.0.3/32 dev lo")
            try lab.turn { !lab.log.isEmpty }
            try #require(lab.log == ["lists", "settled"])
            try #require(lab.watcher.resyncs == 1)
            try #require(lab.watcher.linkEvents > events + 2 * perTurn, "the queue was longer than two turns")
            let addresses = lab.network.addresses(of: 1).map(\.address.description)
            try #require(addresses == ["127.0.0.1", "127.1.0.3", "::1"])
            try #require(try lab.said(of: "true") == [], "nothing older comes after the lists")
        }
    }

    @Test("Asked to, it reads the lists anew, after what the kernel has told already; that is no loss")
    func doubt() async {
        await #expect(processExitsWith: .success) {
            let lab = try PrivateNetwork()
            try lab.run("ip link set lo up")
            try lab.watch(bounds: .init(datagramsPerTurn: 4))
            lab.forget()
            lab.watcher.readAnew()
            try lab.turn { !lab.log.isEmpty }
            try #require(lab.log == ["lists", "settled"])

            let later = "for n in 2 3 4 5 6 7 8 9; do ip addr add 127.0.0.$n/32 dev lo; done"
            try lab.run("\(later); ip addr del 127.0.0.9/32 dev lo")
            lab.forget()
            lab.watcher.readAnew()
            try #require(lab.log == [], "the queue is not empty yet")
            try lab.turn { !lab.log.isEmpty }
            try #require(lab.log == ["lists", "settled"])
            let addresses = lab.network.addresses(of: 1).map(\.address.description)
            try #require(addresses == (1...8).map { "127.0.0.\($0)" } + ["::1"])
            try #require(lab.watcher.resyncs == 0)
            try #require(lab.notices == [])
            let after = try lab.said(of: "ip addr del 127.0.0.2/32 dev lo")
            try #require(after == ["addressGone 127.0.0.2/32", "routes", "settled"])
        }
    }
}

@Suite(
    "Route lookups", .serialized, .enabled(if: PrivateNetwork.isAllowed, "this process may not make networks")
)
struct KernelRoutesTests {
    @Test("The kernel's answer is told as it is, whatever kind of route it comes from")
    func answers() async {
        await #expect(processExitsWith: .success) {
            let lab = try PrivateNetwork()
            var routes = try KernelRoutes()
            func ask(_ text: String, through link: Int? = nil) throws -> RouteAnswer {
                let destination = try #require(IPAddress(text))
                return routes.answer(RouteQuery(destination: destination, outputLink: link))
            }
            try #require(try ask("203.0.113.1") == .unroutable)
            try #require(try ask("2001:db8::1") == .unroutable)
            try #require(routes.failure == nil, "a missing route is no failure")

            try lab.run(
                """
                ip link set lo up; ip link add v0 type veth peer name v1; ip link set v1 up; ip link set v0 up
                ip addr add 192.0.2.1/24 dev v0; ip -6 addr add 2001:db8:1::1/64 dev v0 nodad
                ip route add 203.0.113.0/24 via 192.0.2.2 metric 77
                ip -6 route add 2001:db8::/64 via 2001:db8:1::2
                ip route add blackhole 203.0.113.1; ip route add unreachable 203.0.113.2
                ip route add prohibit 203.0.113.3; ip -6 route add unreachable 2001:db8::2
                ip -6 route add prohibit 2001:db8::3; ip -6 route add blackhole 2001:db8::4
                ip route add throw 203.0.113.5
                """)
            try lab.watch()
            let index = try #require(lab.network.links.first { $0.name == "v0" }).index
            for address in [
                "203.0.113.1", "203.0.113.2", "203.0.113.3", "2001:db8::2", "2001:db8::3", "2001:db8::4",
            ] {
                try #require(try ask(address) == .rejected, "\(address)")
            }
            try #require(try ask("192.0.2.1") == .loopback)
            try #require(try ask("2001:db8:1::1") == .loopback)
            try #require(try ask("203.0.113.5") == .unroutable)
            guard case .unicast(index, _) = try ask("203.0.113.9") else { preconditionFailure("no path") }
            guard case .unicast(index, _) = try ask("2001:db8::9") else {
                preconditionFailure("no path over IPv6")
            }
            try #require(try ask("203.0.113.9", through: index) == .unicast(link: index, metric: 77))
            try #require(try ask("203.0.113.9", through: 1) == .unroutable, "no route is made up")
            try #require(try ask("198.51.100.1", through: index) == .unroutable)
            try #require(try ask("203.0.113.9", through: 9_999) == .unroutable, "a link that is not there")
            try #require(routes.failure == nil)
        }
    }
}
