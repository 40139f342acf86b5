import Testing

/// The far end of a wired network (`e0`, 10.0.0.2), which is a captive portal until told otherwise.
final class Portal {
    private let child: Child
    private var asked = 0

    /// The URL of a check that it answers.
    static let check = "http://10.0.0.1/generate_204"

    /// Makes the network, with the portal in a namespace of its own behind it.
    init(in network: Network) throws {
        child = try Child(
            network.inside(["unshare", "--net", "python3", "-u", Resources.file("portal.py")]))
        try #require(try child.output.takeLine() == "ready", "\(child.errors.text)")
        try network.wired()
        try network.ip("link set p0 netns \(child.pid)")
        try tell("up p0")
    }

    /// Gives it a word and waits until it has taken it.
    func tell(_ word: String, at place: SourceLocation = #_sourceLocation) throws {
        try child.write(word + "\n")
        while let line = try child.output.takeLine() {
            if line == "ok" { return }
            asked += 1
        }
        Issue.record("\(word): \(child.errors.text)", sourceLocation: place)
    }

    /// Waits until it has been asked once more.
    func waitUntilAsked() throws {
        try #require(try child.output.takeLine() == "asked", "\(child.errors.text)")
        asked += 1
    }

    /// How often it has been asked, as far as told.
    var askedCount: Int { asked }
}
