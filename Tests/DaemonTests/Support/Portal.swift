import Testing

/// The far end of a wired network (`e0`, 10.0.0.2), which is a captive portal until told otherwise.
final class Portal {
    private let farEnd: FarEnd
    private var asked = 0

    /// The URL of a check that it answers.
    static let check = "http://10.0.0.1/generate_204"

    /// Makes the network, with the portal behind it.
    init(in network: Network) throws {
        farEnd = try FarEnd(in: network, "portal.py")
    }

    /// Gives it a word and waits until it has taken it.
    func tell(_ word: String, at place: SourceLocation = #_sourceLocation) throws {
        asked += try farEnd.tell(word, at: place).count
    }

    /// Waits until it has been asked once more.
    func waitUntilAsked() throws {
        try #require(try farEnd.takeLine() == "asked", "\(farEnd.complaints)")
        asked += 1
    }

    /// How often it has been asked, as far as told.
    var askedCount: Int { asked }
}
