import Testing

private let setup = Repository.read(".ci/setup")

@Suite("The list of packages", .enabled(if: setup != nil, "there is no list yet"))
struct PackageListTests {
    /// The names between the brackets of `packages=(`, or of another list, one a line.
    private func packages(_ list: String = "packages") throws -> [String] {
        let lines = try #require(setup).split(separator: "\n").map { $0.drop { $0 == " " } }
        let begin = try #require(lines.firstIndex { $0.hasPrefix("\(list)=(") })
        let end = try #require(lines[begin...].firstIndex { $0 == ")" })
        return lines[(begin + 1)..<end].filter { !$0.hasPrefix("#") }.map(String.init)
    }

    @Test("It names every package once, one a line")
    func once() throws {
        let names = try packages()
        #expect(!names.isEmpty)
        #expect(names.allSatisfy { !$0.contains(" ") })
        #expect(Set(names).count == names.count, "\(names)")
    }

    @Test(
        "What only the system tests or the bench need is listed apart, and nothing twice",
        arguments: ["system_packages", "peer_packages"])
    func apart(list: String) throws {
        let names = try packages(list)
        let others = try packages()
        #expect(!names.isEmpty)
        #expect(Set(names).count == names.count && Set(names).isDisjoint(with: others), "\(names)")
    }

    @Test("It names every package that the build's libraries come from")
    func libraries() throws {
        let names = Set(try packages())
        let manifest = try #require(Repository.read("Package.swift"))
        for piece in manifest.split(separator: ".apt([\"").dropFirst() {
            let name = String(piece.prefix { $0 != "\"" })
            #expect(names.contains(name), "\(name)")
        }
    }

    @Test("No other file names packages to install")
    func onlyList() throws {
        for path in ["Makefile", ".ci/run"] {
            guard let text = Repository.read(path) else { continue }
            #expect(!text.contains("apt-get") && !text.contains("apt install"), "\(path)")
        }
    }
}
