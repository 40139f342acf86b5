import Testing

/// A web server with pictures behind a wired network.
struct PictureServer {
    private let farEnd: FarEnd

    /// Makes the network, with the server behind it.
    init(in network: Network) throws {
        farEnd = try FarEnd(in: network, "picture_server.py")
    }

    /// Where a path of its is.
    static func address(_ path: String) -> String { "http://10.0.0.1\(path)" }

    /// Has it answer a path otherwise: `serve`, `cut`, `html`, `slow` or a status.
    func answer(_ path: String, by manner: String) throws { try farEnd.tell("do \(path) \(manner)") }

    /// Puts a picture there.
    /// - Returns: how many bytes it has.
    @discardableResult
    func put(_ path: String, _ width: Int = 320, _ height: Int = 50) throws -> Int {
        try #require(Int(try farEnd.tell("put \(path) \(width) \(height)").joined()))
    }

    /// What was asked for so far.
    func asked() throws -> [String] { try farEnd.tell("asked") }
}
