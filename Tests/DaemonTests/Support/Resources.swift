import Foundation
import Varlink

/// Scripts that lie beside the tests' sources.
enum Resources {
    static func file(_ name: String) -> String {
        URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(name).path
    }
}

extension JSONObject {
    /// Reads a line of JSON.
    static func reading(_ line: String) throws -> JSONObject {
        guard let object = try JSONValue(reading: line).object else {
            throw NotInTime(what: "a JSON object", account: line)
        }
        return object
    }
}
