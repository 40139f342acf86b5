import Foundation

/// A name server inside a test's network, which everything in there asks: /etc/resolv.conf names it, and
/// /etc/hosts is empty.
final class NameServer {
    private let directory: ScratchDirectory
    private let child: Child

    /// Starts it with a zone, written as dns-server.py says.
    init(in network: Network, zone: String) throws {
        directory = try ScratchDirectory()
        let zoneFile = try directory.write(zone, to: "zone")
        let resolver = try directory.write("nameserver 127.0.0.1\n", to: "resolv.conf")
        let hosts = try directory.write("", to: "hosts")
        try network.shell("mount --bind \(resolver) /etc/resolv.conf")
        try network.shell("mount --bind \(hosts) /etc/hosts")
        child = try Child(network.inside(["python3", Self.program, zoneFile, "127.0.0.1", "53"]))
        guard try child.output.takeLine(within: Deadline.patience) != nil else {
            throw NotInTime(what: "the name server's start", account: child.errors.text)
        }
    }

    /// What the names mean from now on.
    func change(to zone: String) throws {
        try directory.write(zone, to: "zone")
    }

    /// How many questions there have been.
    var questions: Int {
        let log = try? String(contentsOfFile: directory.file("zone.log"), encoding: .utf8)
        return (log ?? "").split(separator: "\n").count
    }

    private static let program = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../NameResolutionTests/Support/dns-server.py").standardized.path
}
