import LinuxSupport
import Testing
import Varlink

@Suite("The interfaces that the daemon serves")
struct InterfaceFilesTests {
    /// Left as it is, not shortened: the kernel takes the dots after any symbolic links.
    private static let folder =
        #filePath.split(separator: "/").dropLast().map { "/" + $0 }.joined()
        + "/../../../Sources/AdslotService/Interfaces/"

    @Test(
        "Each file is a description of the interface that it is named after",
        arguments: [
            ("org.adslotd.Manager", ["GetStatus", "Monitor", "Reload"]),
            ("org.adslotd.Reachability", ["Get", "Monitor", "ListLinks", "Probe"]),
            ("org.adslotd.Slots", ["Attach", "Update", "BeginAction", "FinishAction", "List", "Explain"]),
            ("org.adslotd.Work", ["Register", "Acknowledge", "Veto", "List"]),
        ])
    func parses(name: String, methods: [String]) throws {
        let bytes = try TextFile.read(Self.folder + name + ".varlink", maximum: 1 << 20)
        let text = try #require(String(validating: bytes, as: UTF8.self))
        let interface = try InterfaceDescription.parse(text)
        #expect(interface.name == name)
        #expect(!interface.documentation.isEmpty)
        let names = interface.methods.map(\.name)
        #expect(methods.allSatisfy(names.contains), "nothing of the contract may be dropped")
    }
}
