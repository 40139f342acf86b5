import Glibc
import LinuxSupport
import Reachability
import Testing

@testable import NetlinkWatcher

/// A network namespace of its own for the thread that makes it, and what a watcher says in it. For the
/// process of an exit test: the thread never comes back to the network that it was born in.
final class PrivateNetwork {
    let loop: EventLoop
    private(set) var network = Network()
    /// What the watcher said: `link NAME`, `gone INDEX`, `address …`, `routes`, `lists`, `settled`.
    private(set) var log: [String] = []
    private(set) var notices: [String] = []
    private var running: NetlinkWatcher?

    init() throws {
        try #require(Self.leaveOldNetwork())
        loop = try EventLoop()
    }

    /// Whether this process may make a network of its own (CAP_SYS_ADMIN, bit 21).
    static var isAllowed: Bool {
        guard let status = try? TextFile.read("/proc/self/status", maximum: 1 << 16) else { return false }
        let lines = String(decoding: status, as: UTF8.self).split(separator: "\n")
        guard let line = lines.first(where: { $0.hasPrefix("CapEff:") }),
            let capabilities = line.split(separator: "\t").last.flatMap({ UInt64($0, radix: 16) })
        else { return false }
        return capabilities & 1 << 21 != 0
            && (try? Directory.names(in: "/proc/self/ns"))?.contains("net") == true
    }

    /// unshare(2) with CLONE_NEWNET: a GNU extension, which the Glibc module does not show.
    private static func leaveOldNetwork() -> Bool {
        guard let symbol = unsafe dlsym(nil, "unshare") else { return false }
        let unshare = unsafe unsafeBitCast(symbol, to: (@convention(c) (CInt) -> CInt).self)
        return unshare(0x4000_0000) == 0
    }

    /// Starts watching.
    func watch(bounds: NetlinkWatcher.Bounds = .init()) throws {
        let watcher = try NetlinkWatcher(loop: loop, recorder: nil, bounds: bounds) { [unowned self] event in
            note(event)
        } onNotice: { [unowned self] notice in
            notices.append(notice.description)
        }
        running = watcher
        try #require(log.isEmpty, "nothing is said before the start")
        try watcher.start()
    }

    /// The watcher, which must have been started.
    var watcher: NetlinkWatcher {
        guard let running else { preconditionFailure("not started") }
        return running
    }

    /// Forgets what the watcher has said so far.
    func forget() {
        log = []
    }

    /// Runs a line of sh.
    func run(_ command: String) throws {
        let status = unsafe system(command)
        try #require(status == 0, "\(command)")
    }

    /// Runs a line of sh and gives what the watcher says of it; the kernel has told it by then.
    func said(of command: String) throws -> [String] {
        forget()
        try run(command)
        while try loop.runOnce(timeout: 50_000) {}
        return log
    }

    /// Turns until `condition`, at most for some seconds.
    func turn(until condition: () -> Bool) throws {
        let end = loop.now + 20_000_000
        while !condition() {
            try #require(loop.now < end, "not in time: \(log.suffix(5)) \(notices)")
            try loop.runOnce(timeout: 10_000)
        }
    }

    private func note(_ event: NetlinkWatcher.Event) {
        switch event {
        case .settled: log.append("settled")
        case .resynchronised(let all):
            network = all
            log.append("lists")
        case .fact(let fact):
            _ = network.apply(fact)
            switch fact {
            case .link(let link): log.append("link \(link.name)")
            case .linkGone(let index): log.append("gone \(index)")
            case .address(let address): log.append("address \(address.address)/\(address.prefixLength)")
            case .addressGone(_, let address, let length): log.append("addressGone \(address)/\(length)")
            case .routesMayHaveChanged: log.append("routes")
            }
        }
    }
}
