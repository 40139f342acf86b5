import Testing
import Varlink

@Suite("An interface description is read")
struct DescriptionParserTests {
    @Test("The whole grammar")
    func readsEverything() throws {
        let interface = try InterfaceDescription.parse(
            """
            # What it is for.
            # In two lines.
            interface org.example.more-2.Test

            # An old remark.

            # A shape.
            type Shape (
              kind: (circle, square), # not documentation
              size: ?int,
              tags: []string,
              by_name: [string]?Shape,
              parts: []?(x: float, y: float),
              anything: object
            )
            type Colour (red, green_blue)
            type Empty ()
            method Draw(shape: Shape, colour: Colour) -> (done: bool)
            # Stops.
            method Stop() -> ()
            error Busy (why: string)
            error Gone ()
            """)
        #expect(interface.name == "org.example.more-2.Test")
        #expect(interface.documentation == "What it is for.\nIn two lines.")
        #expect(interface.types.map(\.name) == ["Shape", "Colour", "Empty"])
        #expect(interface.type("Shape")?.documentation == "A shape.")
        #expect(interface.type("Shape")?.line == 8)
        #expect(
            interface.type("Shape")?.type
                == .structure([
                    VarlinkField(name: "kind", type: .enumeration(["circle", "square"])),
                    VarlinkField(name: "size", type: .optional(.int)),
                    VarlinkField(name: "tags", type: .array(.string)),
                    VarlinkField(name: "by_name", type: .dictionary(.optional(.named("Shape")))),
                    VarlinkField(
                        name: "parts",
                        type: .array(
                            .optional(
                                .structure([
                                    VarlinkField(name: "x", type: .float),
                                    VarlinkField(name: "y", type: .float),
                                ])))),
                    VarlinkField(name: "anything", type: .object),
                ]))
        #expect(interface.type("Colour")?.type == .enumeration(["red", "green_blue"]))
        #expect(interface.type("Empty")?.type == .structure([]))
        #expect(interface.method("Draw")?.input.map(\.name) == ["shape", "colour"])
        #expect(interface.method("Draw")?.output == [VarlinkField(name: "done", type: .bool)])
        #expect(interface.method("Stop")?.documentation == "Stops.")
        #expect(interface.errors.map(\.name) == ["Busy", "Gone"])
        #expect(interface.error("Busy")?.fields == [VarlinkField(name: "why", type: .string)])
        #expect(interface.method("Nothing") == nil)
    }

    @Test(
        "What is wrong is refused, with its line",
        arguments: [
            ("", 1, "interface"), ("interface", 1, "interface name"), ("interface org", 1, "interface name"),
            ("interface org.", 1, "interface name"), ("interface org.-a", 1, "interface name"),
            ("interface org.a-", 1, "interface name"), ("interface .org.a", 1, "interface name"),
            ("interface org2.example", 1, "interface name"), ("interface 2org.example", 1, "interface name"),
            ("interface org.example type A ()", 1, "new line"),
            ("interface org.example\nnonsense A ()", 2, "'type', 'method' or 'error'"),
            ("interface org.example\ntype a ()", 2, "capital"),
            ("interface org.example\ntype A_b ()", 2, "capital"),
            ("interface org.example\n\nerror E", 3, "the end where '('"),
            ("interface org.example\nerror E\nerror F ()", 3, "'('"),
            ("interface org.example\nerror E (a, b)", 2, "structure"),
            ("interface org.example\ntype A (one)", 2, "one word"),
            ("interface org.example\nmethod M(kind: (one)) -> ()", 2, "one word"),
            ("interface org.example\ntype A (one, two,)", 2, "a name"),
            ("interface org.example\ntype A (\n  x: int,\n)", 4, "a name"),
            ("interface org.example\ntype A (x: int y: int)", 2, "','"),
            ("interface org.example\ntype A (x: int, y)", 2, "':'"),
            ("interface org.example\ntype A (x, y: int)", 2, "','"),
            ("interface org.example\ntype A (x: int, x: int)", 2, "twice"),
            ("interface org.example\ntype A (x, x)", 2, "twice"),
            ("interface org.example\ntype A (_x: int)", 2, "a name"),
            ("interface org.example\ntype A (x_: int)", 2, "a name"),
            ("interface org.example\ntype A (a__b: int)", 2, "a name"),
            ("interface org.example\ntype A (2x: int)", 2, "a name"),
            ("interface org.example\ntype A (x: ??int)", 2, "a type"),
            ("interface org.example\ntype A (x: integer)", 2, "a type"),
            ("interface org.example\ntype A (x: [int]int)", 2, "']'"),
            ("interface org.example\ntype A (x: [])", 2, "a type"),
            ("interface org.example\ntype A (x: )", 2, "a type"),
            ("interface org.example\ntype A ()\ntype A ()", 3, "twice"),
            ("interface org.example\ntype A ()\nerror A ()", 3, "twice"),
            ("interface org.example\nmethod M()", 2, "'->'"),
            ("interface org.example\nmethod M() -> int", 2, "'('"),
            ("interface org.example\nmethod M() -> (x: Missing)", 2, "no type 'Missing'"),
            ("interface org.example\ntype A (x: int) ;", 2, "character"),
            ("interface org.example\ntype A (x", 2, "the end"),
        ])
    func refuses(text: String, line: Int, message: String) {
        do throws(DescriptionError) {
            _ = try InterfaceDescription.parse(text)
            Issue.record("it was accepted")
        } catch {
            #expect(error.line == line)
            #expect(error.description.contains(message), "\(error)")
        }
    }
}

@Suite("A value is checked against its type")
struct DescriptionCheckTests {
    private func interface() throws -> InterfaceDescription {
        try InterfaceDescription.parse(
            """
            interface org.example.Check
            type Slot (state: (shown, hidden), size: ?Size, names: []string, extra: [string]int, data: object)
            type Size (width: int, scale: float)
            method List(all: ?bool) -> (slots: []Slot)
            error Unknown (slot: string)
            """)
    }

    private static let rest = #""names":[],"extra":{},"data":{}"#

    @Test(
        "What fits passes",
        arguments: [
            #"{"slots":[]}"#, #"{"slots":[{"state":"shown",\#(rest)}]}"#,
            #"{"slots":[{"state":"shown","size":null,"names":["a"],"extra":{"b":1},"data":{"x":[1]}}]}"#,
            #"{"slots":[{"state":"hidden","size":{"width":1,"scale":2},\#(rest)}]}"#,
            #"{"slots":[{"state":"hidden","size":{"width":1,"scale":2.5},\#(rest)}]}"#,
        ])
    func passes(text: String) throws {
        let object = try #require(JSONValue(reading: text).object)
        #expect(throws: Never.self) { try interface().checkReply(object, of: "List") }
    }

    @Test(
        "What does not fit is named",
        arguments: [
            (#"{}"#, "slots"), (#"{"slots":null}"#, "slots"), (#"{"slots":{}}"#, "slots"),
            (#"{"slots":[],"x":1}"#, "x"),
            (#"{"slots":[1]}"#, "slots[0]"), (#"{"slots":[{\#(rest)}]}"#, "slots[0].state"),
            (#"{"slots":[{"state":"gone",\#(rest)}]}"#, "slots[0].state"),
            (
                #"{"slots":[{"state":"shown",\#(rest),"size":{"width":1.5,"scale":1}}]}"#,
                "slots[0].size.width"
            ),
            (
                #"{"slots":[{"state":"shown",\#(rest),"size":{"width":1,"scale":"1"}}]}"#,
                "slots[0].size.scale"
            ),
            (
                #"{"slots":[{"state":"shown",\#(rest),"size":{"width":1,"scale":1,"z":1}}]}"#,
                "slots[0].size.z"
            ),
            (#"{"slots":[{"state":"shown","names":["a",1],"extra":{},"data":{}}]}"#, "slots[0].names[1]"),
            (#"{"slots":[{"state":"shown","names":[],"extra":{"a":"b"},"data":{}}]}"#, "slots[0].extra.a"),
            (#"{"slots":[{"state":"shown","names":[],"extra":{},"data":[]}]}"#, "slots[0].data"),
        ])
    func names(text: String, path: String) throws {
        let object = try #require(JSONValue(reading: text).object)
        let interface = try interface()
        do throws(TypeMismatch) {
            try interface.checkReply(object, of: "List")
            Issue.record("it passed")
        } catch {
            #expect(error.path == path)
        }
    }

    @Test("Calls and errors are checked too; an unknown one is refused")
    func checksTheOthers() throws {
        let interface = try interface()
        try interface.checkCall([:], of: "List")
        try interface.checkCall(["all": true], of: "List")
        try interface.checkError(["slot": "x"], of: "Unknown")
        #expect(throws: TypeMismatch.self) { try interface.checkCall(["all": 1], of: "List") }
        #expect(throws: TypeMismatch.self) { try interface.checkError([:], of: "Unknown") }
        #expect(throws: TypeMismatch.self) { try interface.checkCall([:], of: "Nothing") }
        #expect(throws: TypeMismatch.self) { try interface.checkReply([:], of: "Nothing") }
        #expect(throws: TypeMismatch.self) { try interface.checkError([:], of: "Nothing") }
    }
}
