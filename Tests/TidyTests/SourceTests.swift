import Testing

@Suite("The sources")
struct SourceTests {
    private static let sources = Repository.files(under: "Sources", endingIn: ".swift")
    private static let programs = ["Sources/adslotd/", "Sources/adslotctl/"]

    /// Places that no rule of words can mend: which, and why.
    private static let longLines: [String: Int] = [
        // One line of the markup that hosts are given.
        "Sources/AdSlots/TestAdvertisement.swift": 1
    ]

    private func expectNone(of word: String, in files: [TextFile] = sources) {
        for file in files where file.mentions(word) {
            for (index, line) in file.lines.enumerated() where line.contains(word) {
                Issue.record("\(file):\(index + 1): '\(word)'")
            }
        }
    }

    @Test(
        "Nothing is forced, left for later or waved through",
        arguments: ["try!", "as!", "fatalError", "@unchecked", "nonisolated(unsafe)", "FIXME", "TODO", "XXX"])
    func forbidden(word: String) {
        expectNone(of: word)
    }

    @Test("Only the programs print")
    func printing() {
        let libraries = Self.sources.filter { file in !Self.programs.contains { file.path.hasPrefix($0) } }
        #expect(libraries.count > 100)
        expectNone(of: "print(", in: libraries.filter { !$0.mentions("func print(") })
        expectNone(of: "func print(", in: libraries)
    }

    @Test("Lines have at most 110 characters")
    func lineLength() {
        for file in Self.sources {
            // Counting characters is slow, and no line has more of them than bytes.
            let long = file.lines.enumerated()
                .filter { $0.element.utf8.count > 110 && $0.element.count > 110 }.map { $0.offset + 1 }
            #expect(long.count == Self.longLines[file.path] ?? 0, "\(file): lines \(long)")
        }
    }

    @Test("Files have at most 350 lines")
    func fileLength() {
        for file in Self.sources { #expect(file.lines.count <= 351, "\(file)") }
    }

    @Test("A file begins with an import or what it is about, not with a header")
    func beginnings() {
        for file in Self.sources {
            let first = file.lines.first ?? ""
            let isComment = first.hasPrefix("//") && !first.hasPrefix("///") || first.hasPrefix("/*")
            #expect(!isComment && !first.isEmpty, "\(file): '\(first)'")
        }
    }

    @Test("A file ends with its last line's end")
    func endings() {
        for file in Self.sources {
            #expect(file.text.hasSuffix("\n") && !file.text.hasSuffix("\n\n"), "\(file)")
        }
    }
}
