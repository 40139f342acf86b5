import Testing
import Varlink

/// Members that must be there.
extension JSONObject {
    func text(_ key: String) throws -> String {
        try #require(self[key]?.string, "\(key) in \(JSONValue.object(self))")
    }

    func number(_ key: String) throws -> Int64 {
        try #require(self[key]?.integer, "\(key) in \(JSONValue.object(self))")
    }

    func flag(_ key: String) throws -> Bool {
        let value: Bool? = self[key]?.bool
        return try #require(value as Bool?, "\(key) in \(JSONValue.object(self))")
    }

    func object(_ key: String) throws -> JSONObject {
        try #require(self[key]?.object, "\(key) in \(JSONValue.object(self))")
    }

    func objects(_ key: String) throws -> [JSONObject] {
        try #require(self[key]?.array, "\(key) in \(JSONValue.object(self))").compactMap(\.object)
    }
}
