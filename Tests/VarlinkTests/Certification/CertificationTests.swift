import Foundation
import Glibc
import LinuxSupport
import Testing

@testable import Varlink
@testable import VarlinkCore

/// A Python that has the package `varlink` of PyPI, where the set-up of the tests has installed one.
private let python = ProcessInfo.processInfo.environment["VARLINK_PYTHON"]

@Suite("The certification of varlink.org")
struct CertificationTests {
    private static let second = Duration.seconds(10)

    @Test("This client passes with this service")
    func ownClient() throws {
        try withBackgroundService { path in try certify(path) }
    }

    @Test("The reference client passes with this service", .enabled(if: python != nil))
    func referenceClient() throws {
        try withBackgroundService { path in
            let client = try run(["--client", "--varlink=unix:\(path)"])
            client.waitUntilExit()
            #expect(client.terminationStatus == 0)
            try certify(path)
        }
    }

    @Test("This client passes with the reference service", .enabled(if: python != nil))
    func referenceService() throws {
        let path = socketPath()
        let service = try run(["--varlink=unix:\(path)"])
        defer {
            // The threads that tests run on block SIGTERM, and a child inherits that.
            _ = kill(service.processIdentifier, SIGKILL)
            service.waitUntilExit()
            removeFile(path)
        }
        // It tells nobody when it listens.
        let end = SystemClock.boottime() + 20_000_000
        while (try? VarlinkClient(connectingTo: path)) == nil {
            try #require(service.isRunning && SystemClock.boottime() < end)
            try EventLoop().runOnce(timeout: 10_000)
        }
        try certify(path)
    }

    private func run(_ arguments: [String]) throws -> Process {
        let process = Process()
        process.executableURL = URL(filePath: try #require(python))
        process.arguments = ["-m", "varlink.tests.test_certification"] + arguments
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        return process
    }

    /// Goes through every step with this client, checking each reply against the service's own description.
    private func certify(_ path: String) throws {
        let client = try VarlinkClient(connectingTo: path)
        let text = try client.call(
            "org.varlink.service.GetInterfaceDescription", ["interface": .string(Certification.interface)],
            timeout: Self.second)
        let interface = try InterfaceDescription.parse(try #require(text["description"]?.string))

        let prefix = Certification.interface + "."
        let id = try #require(try client.call(prefix + "Start", timeout: Self.second)["client_id"])
        var last: JSONObject = [:]
        for (method, reply) in Certification.replies {
            last["client_id"] = id
            last = try client.call(prefix + method, last, timeout: Self.second)
            last["client_id"] = nil
            try interface.checkReply(last, of: method)
            #expect(withoutNulls(last) == reply)
        }
        last["client_id"] = id
        let replies = try client.callMore(prefix + "Test10", last)
        var strings: [JSONValue] = []
        while let reply = try replies.next(timeout: Self.second) { strings.append(reply["string"] ?? nil) }
        #expect(strings.compactMap(\.string) == Certification.moreReplies)
        try client.callOneway(prefix + "Test11", ["client_id": id, "last_more_replies": .array(strings)])
        #expect(try client.call(prefix + "End", ["client_id": id], timeout: Self.second) == ["all_ok": true])
    }

    /// The reference service spells out what is null, two levels down.
    private func withoutNulls(_ object: JSONObject) -> JSONObject {
        var result = object
        for member in object.members {
            if member.value.isNull { result[member.key] = nil }
            if let inner = member.value.object { result[member.key] = .object(withoutNulls(inner)) }
        }
        return result
    }
}
