import Testing

/// The far end of a wired network (`e0`, 10.0.0.2), which serves pictures.
final class PictureServer {
    private let child: Child

    /// Makes the network, with the server in a namespace of its own behind it.
    init(in network: Network) throws {
        child = try Child(
            network.inside(["unshare", "--net", "python3", "-u", Resources.file("picture_server.py")]))
        try #require(try child.output.takeLine() == "ready", "\(child.errors.text)")
        try network.wired()
        try network.ip("link set p0 netns \(child.pid)")
        try tell("up p0")
    }

    /// Where a path of its is.
    static func address(_ path: String) -> String { "http://10.0.0.1\(path)" }

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

    /// Puts a picture there.
    /// - Returns: how many bytes it has.
    @discardableResult
    func put(_ path: String, _ width: Int = 320, _ height: Int = 50) throws -> Int {
        try #require(Int(try tell("put \(path) \(width) \(height)").joined()))
    }

    /// What was asked for so far.
    func asked() throws -> [String] { try tell("asked") }
}
