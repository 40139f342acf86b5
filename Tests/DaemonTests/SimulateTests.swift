import Foundation
import Testing
import Varlink

/// `adslotctl simulate`: no daemon is there.
@Suite("Simulate", .ownThread)
struct SimulateTests {
    private func simulate(_ files: String..., options: [String] = []) throws -> Finished {
        try Finished.run([Programs.control] + options + ["simulate"] + files)
    }

    private static let good = """
        0s link wlan0 index=3 kind=wifi up carrier
        0s address wlan0 192.0.2.10/24
        0s route default dev=wlan0
        1s attach banner 400x800
        2s expect slot banner shown source=test

        """

    @Test("What happens is one JSON line each, with its time and kind, exit code 0")
    func lines() throws {
        let directory = try ScratchDirectory()
        let result = try simulate(try directory.write(Self.good, to: "good.scenario"))
        #expect(result.code == 0, "\(result)")
        #expect(result.errors.isEmpty)
        let lines = try result.output.split(separator: "\n")
            .map { try #require(try JSONValue(reading: String($0)).object) }
        #expect(lines.allSatisfy { $0["at"]?.integer != nil && $0["kind"]?.string != nil })
        #expect(lines.first?["kind"]?.string == "reachability")
        #expect(lines.first?["status"]?.string == "wifi")
        let show = lines.first { $0["command"]?["kind"]?.string == "show" }
        #expect(show?["at"]?.integer == 1_050_000)
        #expect(show?["command"]?["creative"]?["size"]?["width"]?.integer == 320)
    }

    @Test("A claim that does not hold is said with file and line, exit code 1; the other files run")
    func refused() throws {
        let directory = try ScratchDirectory()
        let bad = try directory.write("1s expect notifications 7\n", to: "bad.scenario")
        let good = try directory.write(Self.good, to: "good.scenario")
        let result = try simulate(bad, good)
        #expect(result.code == 1)
        #expect(result.errors == "\(bad):1: expected notifications 7, found 0")
        #expect(result.output.contains("\"show\""))
    }

    @Test("What is no scenario is said with file and line, exit code 2")
    func unparsable() throws {
        let directory = try ScratchDirectory()
        let bad = try directory.write("0s overrun\n1s jump\n", to: "bad.scenario")
        let worse = try directory.write("0s overrun\n0s finish \u{1B}[31m\n", to: "worse.scenario")
        var result = try simulate(bad, worse)
        #expect(result.code == 2)
        #expect(result.errors.hasPrefix("\(bad):2: unknown step 'jump'\n\(worse):2: "))
        #expect(!result.errors.contains("\u{1B}"))
        result = try simulate(directory.path + "/none.scenario")
        #expect(result.code == 2)
        #expect(result.errors.contains("none.scenario"))
        result = try simulate()
        #expect(result.code == 2)
    }
}
