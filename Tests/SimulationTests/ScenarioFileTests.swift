import Foundation
import Simulation
import Testing

@Suite("Scenarios of the project")
struct ScenarioFileTests {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("Scenarios")

    /// The paths of all scenario files below the folder.
    private static let files: [String] = {
        let paths = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
        return paths.filter { $0.hasSuffix(".scenario") }.sorted()
    }()

    @Test("There are some of each kind")
    func present() {
        for kind in ["faults", "rules", "network"] {
            #expect(Self.files.contains { $0.hasPrefix("\(kind)/") }, "\(kind)")
        }
    }

    @Test("Each one holds", arguments: files)
    func holds(file: String) throws {
        let path = Self.folder.appendingPathComponent(file)
        let scenario = try Scenario(parsing: String(contentsOf: path, encoding: .utf8))
        let claims = scenario.steps.filter { if case .expect = $0.action { true } else { false } }
        #expect(!claims.isEmpty, "a scenario that claims nothing shows nothing")
        var run = try ScenarioRun(scenario)
        let outcome = run.run()
        #expect(outcome.isGood, "\(outcome.failures.map { "\(file):\($0)" }.joined(separator: "\n"))")
    }

    @Test("The same scenario gives the same effects every time", arguments: files)
    func repeatable(file: String) throws {
        let path = Self.folder.appendingPathComponent(file)
        let scenario = try Scenario(parsing: String(contentsOf: path, encoding: .utf8))
        var reports: [[Report]] = [[], []]
        for index in reports.indices {
            var run = try ScenarioRun(scenario)
            _ = run.run { reports[index].append($0) }
        }
        #expect(reports[0] == reports[1])
    }
}
