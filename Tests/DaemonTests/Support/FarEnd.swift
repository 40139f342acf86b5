import Testing

/// The far end of a wired network (`e0`, 10.0.0.2): a script in a namespace of its own at 10.0.0.1, which takes
/// lines and answers each with lines of its own and `ok`.
final class FarEnd {
    private let child: Child

    /// Makes the network, with the script behind it.
    init(in network: Network, _ script: String) throws {
        child = try Child(
            network.inside(["unshare", "--net", "python3", "-u", Resources.file(script)]),
            environment: ["PYTHONDONTWRITEBYTECODE": "1"])
        try #require(try child.output.takeLine() == "ready", "\(child.errors.text)")
        try network.wired()
        try network.ip("link set p0 netns \(child.pid)")
        try tell("up p0")
    }

    /// What it complained of.
    var complaints: String { child.errors.text }

    /// Gives it a line and waits until it has taken it.
    /// - Returns: what it said to that.
    @discardableResult
    func tell(_ line: String, at place: SourceLocation = #_sourceLocation) throws -> [String] {
        try child.write(line + "\n")
        var lines: [String] = []
        while let line = try child.output.takeLine() {
            if line == "ok" { return lines }
            lines.append(line)
        }
        Issue.record("\(line): \(child.errors.text)", sourceLocation: place)
        return lines
    }

    /// Waits for a line that it writes unasked.
    func takeLine() throws -> String? { try child.output.takeLine() }
}
