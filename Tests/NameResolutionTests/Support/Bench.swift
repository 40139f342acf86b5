import Foundation
import LinuxSupport
import Reachability
import Testing

@testable import NameResolution

/// A name server of its own, a resolver that asks it, and a loop to run them on.
final class Bench {
    let loop: EventLoop
    let resolver: NameResolver
    let folder: URL
    private let server = Process()

    /// Starts a server with this zone (Support/dns-server.py says how it is written).
    init(
        zone: String, hosts: String = "", resolverFile: String = "", isServed: Bool = true,
        seconds: Double = 10
    ) throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "resolver-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for (name, text) in [("zone", zone), ("hosts", hosts), ("resolv.conf", resolverFile)] {
            try Data(text.utf8).write(to: folder.appending(path: name))
        }
        server.executableURL = URL(filePath: "/usr/bin/env")
        server.arguments = [
            "python3",
            URL(filePath: #filePath).deletingLastPathComponent().appending(path: "dns-server.py").path,
            folder.appending(path: "zone").path,
        ]
        let output = Pipe()
        server.standardOutput = output
        try server.run()
        let port = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        var options = NameResolver.Options()
        options.hostsFile = folder.appending(path: "hosts").path
        options.resolverFile = folder.appending(path: "resolv.conf").path
        if isServed { options.servers = "127.0.0.1:\(port.trimmingCharacters(in: .whitespacesAndNewlines))" }
        options.resolutionMicroseconds = Int64(seconds * 1_000_000)
        loop = try EventLoop()
        resolver = NameResolver(loop: loop, options: options)
    }

    deinit {
        server.terminate()
        server.waitUntilExit()
        try? FileManager.default.removeItem(at: folder)
    }

    func write(_ text: String, to name: String) throws {
        try Data(text.utf8).write(to: folder.appending(path: name))
    }

    /// The questions that the server has seen.
    var questions: [String] {
        let log = try? String(contentsOf: folder.appending(path: "zone.log"), encoding: .utf8)
        return (log ?? "").split(separator: "\n").map(String.init)
    }

    /// Turns the loop until a condition holds, for twenty seconds at the most.
    func run(until isDone: () -> Bool) throws {
        let end = loop.now + 20_000_000
        while !isDone() {
            try #require(loop.now < end, "nothing happened in time")
            try loop.runOnce(timeout: 100_000)
        }
    }

    /// Resolves a name and waits for what comes of it.
    func resolve(_ text: String) throws -> Result<ResolvedHost, ResolutionFailure> {
        var result: Result<ResolvedHost, ResolutionFailure>?
        let resolution = try resolver.resolve(Host(text)) { result = $0 }
        #expect(result == nil, "never before the call returns")
        try run { result != nil }
        withExtendedLifetime(resolution) {}
        return try #require(result)
    }

    /// Resolves names all at once and waits for what comes of each.
    func resolve(_ names: [String]) throws -> [String: Result<ResolvedHost, ResolutionFailure>] {
        var results: [String: Result<ResolvedHost, ResolutionFailure>] = [:]
        var kept: [Resolution] = []
        for name in names { kept.append(try resolver.resolve(Host(name)) { results[name] = $0 }) }
        try run { results.count == names.count }
        withExtendedLifetime(kept) {}
        return results
    }

    /// The addresses of a name as text.
    func addresses(_ text: String) throws -> [String] {
        try resolve(text).get().addresses.map(\.description)
    }
}

func ip(_ text: String) -> IPAddress {
    guard let address = IPAddress(text) else { preconditionFailure("\(text) is no address") }
    return address
}
