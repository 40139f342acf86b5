import Dispatch
import LinuxSupport
import Testing

@testable import Varlink
@testable import VarlinkCore

/// Runs a test service on a thread of its own, for clients that wait, and hands its socket's path to `body`.
func withBackgroundService(_ body: (String) throws -> Void) throws {
    let path = socketPath()
    defer { removeFile(path) }
    let listener = try UnixSocket.listen(path: path, mode: 0o600).release()
    let ended = DispatchSemaphore(value: 0)
    DispatchQueue(label: "service").async {
        defer { ended.signal() }
        do {
            let service = try TestService()
            let certification = CertificationService()
            service.server.add(certification.varlinkInterface)
            try service.server.listen(on: OwnedDescriptor(takingOver: listener))
            _ = try service.loop.run()
            #expect(certification.faults == [])
        } catch {
            Issue.record(error)
        }
    }
    defer {
        // The reply tells that the service is still there; it ends right after it.
        _ = try? VarlinkClient(connectingTo: path).call("org.example.Test.Quit", timeout: .seconds(10))
        #expect(ended.wait(timeout: .now() + 10) == .success)
    }
    try body(path)
}
