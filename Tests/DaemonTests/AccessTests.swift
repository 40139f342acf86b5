import Foundation
import Testing

@Suite("A stranger may look, and change nothing", .ownThread, .needsNamespaces)
struct AccessTests {
    private static let isRoot = getuid() == 0

    private func asNobody(_ daemon: DaemonProcess, _ arguments: [String]) throws -> Finished {
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: daemon.directory.path)
        return try Finished.run(
            ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups", "--", Programs.control]
                + ["--socket", daemon.socket] + arguments)
    }

    @Test(
        "Every question is answered", .enabled(if: isRoot, "only root can be somebody else"),
        arguments: ["status", "links", "slots", "work"])
    func mayLook(verb: String) throws {
        let daemon = try DaemonProcess(in: Network())
        #expect(try asNobody(daemon, ["--json=short", verb]).code == 0)
    }

    @Test(
        "Hosting, reloading and the operator's switch are refused with a reason",
        .enabled(if: isRoot, "only root can be somebody else"),
        arguments: [
            ["reload"], ["attach", "banner", "--viewport", "360x640"], ["disable", "banner"],
            ["enable", "banner"],
        ])
    func mayNotChange(arguments: [String]) throws {
        let daemon = try DaemonProcess(in: Network())
        let result = try asNobody(daemon, arguments)
        #expect(result.code == 1, "\(result)")
        #expect(result.errors.contains("not permitted"), "\(result)")
        #expect(try daemon.slot().text("state") == "detached")
    }
}
