import Foundation
import Testing
import Varlink

/// The PyPI package `varlink`, in the virtual environment that Support/make-python-client.sh makes.
enum PythonClient {
    /// The interpreter, or why there is none.
    private static let interpreter: Result<String, Obstacle> = {
        let variables = ProcessInfo.processInfo.environment
        let package = URL(fileURLWithPath: #filePath).appendingPathComponent("../../..").standardizedFileURL
        let place = variables["ADSLOTD_PYTHON"] ?? package.appendingPathComponent(".build/python").path
        do {
            let made = try Finished.run(
                [Resources.file("make-python-client.sh"), place], within: .seconds(180))
            guard made.code == 0 else { return .failure(Obstacle(reason: "\(made)".onOneLine)) }
            return .success("\(place)/bin/python3")
        } catch {
            return .failure(Obstacle(reason: "\(error)".onOneLine))
        }
    }()

    struct Obstacle: Error { let reason: String }

    /// The interpreter; where there is none, the test is skipped with the reason.
    static func interpreterOrSkip() throws -> String {
        switch interpreter {
        case .success(let path): return path
        case .failure(let obstacle): try Test.cancel("no varlink package of PyPI: \(obstacle.reason)")
        }
    }
}

@Suite("A Varlink client that nobody here wrote", .ownThread, .needsNamespaces)
struct ForeignClientTests {
    @Test("It introspects all interfaces, calls GetStatus and sees a flap", .needs(.tap))
    func wholeTour() throws {
        let python = try PythonClient.interpreterOrSkip()
        let network = try Network()
        try network.wifi()
        let daemon = try DaemonProcess(in: network)
        let client = try Child([python, Resources.file("foreign_client.py"), "unix:\(daemon.socket)", "2"])

        func line() throws -> JSONObject { try JSONObject.reading(#require(try client.output.takeLine())) }
        let introspected = try line()
        #expect(
            introspected["interfaces"]?.array?.compactMap(\.string) == [
                "org.adslotd.Campaigns", "org.adslotd.Ledger", "org.adslotd.Manager",
                "org.adslotd.Reachability", "org.adslotd.Slots", "org.adslotd.Work", "org.varlink.service",
            ], "\(client.errors.text)")
        #expect(
            introspected["methods"]?.array?.compactMap(\.string).sorted() == (try daemon.interfaces.methods))
        let status = try line().object("status")
        #expect(try status.number("pid") == Int64(daemon.child.pid))
        #expect(try line().object("reachability").text("status") == "wifi")

        try network.carrier("wl0", false)
        #expect(try line().object("reachability").text("status") == "none")
        try network.carrier("wl0", true)
        #expect(try line().object("reachability").text("status") == "wifi")
        #expect(try line()["refused"] == "org.adslotd.Slots.UnknownSlot")
        #expect(try client.waitForExit() == 0, "\(client.errors.text)")
        #expect(client.errors.text.isEmpty)
    }

    @Test("A host written with it attaches, turns, is touched and pauses its work")
    func host() throws {
        let python = try PythonClient.interpreterOrSkip()
        let network = try Network()
        try network.wired()
        let daemon = try DaemonProcess(in: network, BannerTests.eager)
        let host = try Finished.run([python, Resources.file("foreign_host.py"), "unix:\(daemon.socket)"])
        #expect(host.code == 0, "\(host)")
        let said = try host.output.split(separator: "\n").map { try JSONObject.reading(String($0)) }
        #expect(said.compactMap { $0["command"]?.string }.first == "create")
        #expect(said.compactMap { $0["command"]?.string }.filter { $0 == "show" }.count == 2)
        #expect(said.compactMap { $0["command"]?.string }.last == "hide")
        #expect(said.compactMap { $0["instruction"]?.string } == ["pause", "resume"])
        #expect(said.contains { $0["allowed"] == true })
        #expect(said.contains { $0["refused"] == "org.adslotd.Slots.UnknownAction" })
        try daemon.waitUntilDetached()
    }

    @Test("Its command line works too: info, help for each interface, a call")
    func commandLine() throws {
        let python = try PythonClient.interpreterOrSkip()
        let daemon = try DaemonProcess(in: Network())
        func run(_ arguments: String...) throws -> Finished {
            let result = try Finished.run([python, "-m", "varlink.cli"] + arguments)
            #expect(result.code == 0, "\(result)")
            return result
        }
        #expect(try run("info", "unix:\(daemon.socket)").output.contains("org.adslotd.Slots"))
        for interface in ["Manager", "Reachability", "Slots", "Work"] {
            let help = try run("help", "unix:\(daemon.socket)/org.adslotd.\(interface)")
            #expect(help.output.contains("interface org.adslotd.\(interface)"))
        }
        let status = try run("call", "unix:\(daemon.socket)/org.adslotd.Manager.GetStatus")
        #expect(try JSONObject.reading(status.output).number("pid") == Int64(daemon.child.pid))
    }
}
