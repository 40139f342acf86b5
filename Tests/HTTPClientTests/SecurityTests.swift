import Foundation
import HTTPClient
import Testing

@Suite("TLS")
struct SecurityTests {
    @Test("A certificate that nobody vouches for is refused")
    func unknownCertificate() throws {
        let bench = try Bench()
        let server = Process()
        server.executableURL = URL(filePath: "/usr/bin/env")
        let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "tls-peer.py")
        server.arguments = ["python3", script.path]
        let output = Pipe()
        server.standardOutput = output
        try server.run()
        defer {
            // Not SIGTERM: the threads that tests run on block it, and a child inherits that.
            _ = kill(server.processIdentifier, SIGKILL)
            server.waitUntilExit()
        }
        let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        let port = try #require(UInt16(line.trimmingCharacters(in: .whitespacesAndNewlines)))
        for host in ["127.0.0.1", "localhost"] {
            let result = try bench.result(of: HTTPRequest(url: "https://\(host):\(port)/"))
            #expect(throws: HTTPFailure.self) { try result.get() }
            if case .failure(let failure) = result { #expect(failure.code == .security, "\(failure)") }
        }
    }
}
