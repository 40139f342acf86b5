import Testing
import Varlink

@Suite("The interfaces")
struct InterfaceTests {
    private static let directory = "Sources/AdslotService/Interfaces"

    @Test("Every description parses, and its file has the interface's name")
    func parse() throws {
        let files = Repository.files(under: Self.directory, endingIn: ".varlink")
        #expect(files.count >= Contract.interfaces.count)
        for file in files {
            let interface = try InterfaceDescription.parse(file.text)
            #expect(file.path == "\(Self.directory)/\(interface.name).varlink")
            #expect(!interface.documentation.isEmpty, "\(file)")
        }
    }

    @Test("Every type, method, field and error of the contract is there", arguments: Contract.interfaces)
    func contract(promise: Contract.Promise) throws {
        let promised = try InterfaceDescription.parse(promise.text)
        let served = try InterfaceDescription.parse(
            try #require(Repository.read("\(Self.directory)/\(promised.name).varlink"), "\(promised.name)"))
        for type in promised.types {
            let found = try #require(served.type(type.name), "\(promised.name): type \(type.name)")
            #expect(found.type.keeps(type.type), "\(promised.name): type \(type.name)")
        }
        for method in promised.methods {
            let found = try #require(served.method(method.name), "\(promised.name): method \(method.name)")
            #expect(found.input.keep(method.input), "\(promised.name): parameters of \(method.name)")
            #expect(found.output.keep(method.output), "\(promised.name): reply of \(method.name)")
            // A parameter that old callers do not know may be left out.
            for field in found.input where !method.input.contains(where: { $0.name == field.name }) {
                #expect(field.type.isOptional, "\(promised.name): \(method.name)(\(field.name))")
            }
        }
        for error in promised.errors {
            let found = try #require(served.error(error.name), "\(promised.name): error \(error.name)")
            #expect(found.fields.keep(error.fields), "\(promised.name): error \(error.name)")
        }
    }
}

extension VarlinkType {
    var isOptional: Bool {
        if case .optional = self { true } else { false }
    }

    /// Whether this type says all that an older form of it said: the same, with further fields or words.
    func keeps(_ old: VarlinkType) -> Bool {
        switch (self, old) {
        case (.structure(let fields), .structure(let old)): fields.keep(old)
        case (.enumeration(let words), .enumeration(let old)): Set(words).isSuperset(of: old)
        case (.optional(let type), .optional(let old)), (.array(let type), .array(let old)),
            (.dictionary(let type), .dictionary(let old)):
            type.keeps(old)
        default: self == old
        }
    }
}

extension [VarlinkField] {
    /// Whether each field of an older form is there, with a type that keeps the old one.
    func keep(_ old: [VarlinkField]) -> Bool {
        old.allSatisfy { field in contains { $0.name == field.name && $0.type.keeps(field.type) } }
    }
}
