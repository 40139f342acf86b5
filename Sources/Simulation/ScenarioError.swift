/// Why a text is no scenario, with the line.
public struct ScenarioError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The line, from 1.
    public let line: Int
    /// What is wrong, a sentence without the line.
    public let message: String

    /// Creates an error.
    public init(line: Int, message: String) {
        self.line = line
        self.message = message
    }

    /// The line and what is wrong with it.
    public var description: String { "\(line): \(message)" }
}
