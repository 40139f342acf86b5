/// Where a value does not have the type that an interface gives it.
public struct TypeMismatch: Error, Equatable, Sendable, CustomStringConvertible {
    /// The place in the value, `slots[0].state`, empty for the value itself.
    public let path: String
    /// What is wrong.
    public let message: String

    /// The place and the reason, for people.
    public var description: String { path.isEmpty ? message : "\(path): \(message)" }
}

extension InterfaceDescription {
    /// Checks a value against a type of this interface. Members that the type does not name are refused.
    public func check(_ value: JSONValue, against type: VarlinkType) throws(TypeMismatch) {
        try check(value, type, at: "")
    }

    /// Checks the parameters of a call.
    public func checkCall(_ parameters: JSONObject, of method: String) throws(TypeMismatch) {
        guard let found = self.method(method) else {
            throw TypeMismatch(path: "", message: "no method '\(method)'")
        }
        try check(.object(parameters), against: .structure(found.input))
    }

    /// Checks the parameters of a reply.
    public func checkReply(_ parameters: JSONObject, of method: String) throws(TypeMismatch) {
        guard let found = self.method(method) else {
            throw TypeMismatch(path: "", message: "no method '\(method)'")
        }
        try check(.object(parameters), against: .structure(found.output))
    }

    /// Checks what an error carries; the error is named without its interface.
    public func checkError(_ parameters: JSONObject, of error: String) throws(TypeMismatch) {
        guard let found = self.error(error) else {
            throw TypeMismatch(path: "", message: "no error '\(error)'")
        }
        try check(.object(parameters), against: .structure(found.fields))
    }

    private func check(_ value: JSONValue, _ type: VarlinkType, at path: String) throws(TypeMismatch) {
        switch type {
        case .bool: try expect(value.bool != nil, "a bool", value, path)
        case .int: try expect(value.integer != nil, "an int", value, path)
        case .float: try expect(value.double != nil, "a float", value, path)
        case .string: try expect(value.string != nil, "a string", value, path)
        case .object: try expect(value.object != nil, "an object", value, path)
        case .named(let name):
            guard let found = self.type(name) else {
                throw TypeMismatch(path: path, message: "no type '\(name)'")
            }
            try check(value, found.type, at: path)
        case .optional(let wrapped):
            if !value.isNull { try check(value, wrapped, at: path) }
        case .enumeration(let words):
            let isWord = value.string.map(words.contains) ?? false
            try expect(isWord, "one of \(words.joined(separator: ", "))", value, path)
        case .array(let element):
            try expect(value.array != nil, "an array", value, path)
            for (index, item) in (value.array ?? []).enumerated() {
                try check(item, element, at: "\(path)[\(index)]")
            }
        case .dictionary(let element):
            try expect(value.object != nil, "an object", value, path)
            for member in value.object?.members ?? [] {
                try check(member.value, element, at: join(path, member.key))
            }
        case .structure(let fields):
            try checkMembers(of: value, fields, at: path)
        }
    }

    private func checkMembers(
        of value: JSONValue, _ fields: [VarlinkField], at path: String
    ) throws(TypeMismatch) {
        try expect(value.object != nil, "an object", value, path)
        let object = value.object ?? [:]
        for field in fields {
            // A member that is left out counts as null, which only an optional takes.
            try check(object[field.name] ?? .null, field.type, at: join(path, field.name))
        }
        for key in object.keys where !fields.contains(where: { $0.name == key }) {
            throw TypeMismatch(path: join(path, key), message: "a member that the type does not have")
        }
    }

    private func join(_ path: String, _ name: String) -> String {
        path.isEmpty ? name : "\(path).\(name)"
    }

    private func expect(
        _ condition: Bool, _ wanted: String, _ value: JSONValue, _ path: String
    ) throws(TypeMismatch) {
        guard !condition else { return }
        throw TypeMismatch(path: path, message: "\(value) where \(wanted) is wanted")
    }
}
