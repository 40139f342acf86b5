import Foundation
import Testing

@testable import Campaigns
@testable import Ledger

@Suite("Fetched files")
struct FetchedTests {
    private let rig: StateRig

    init() throws { rig = try StateRig() }

    private func content(_ bytes: [UInt8]) -> InspectedFile {
        InspectedFile(
            format: .png, pixels: CreativeSize(width: 640, height: 100), sizeBytes: bytes.count)
    }

    @discardableResult
    private func keep(
        _ text: String, from address: String, evicting others: [FetchedFile] = [], in ledger: Ledger,
        use: MeteredUse = MeteredUse()
    ) throws -> FetchedFile {
        let bytes = Array(text.utf8)
        return try ledger.keep(
            bytes, content(bytes), from: address, evicting: others, use: use, at: rig.clocks)
    }

    private func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: "\(rig.directory)/fetched").sorted()
    }

    @Test("What is kept comes back, in the order of its use, with what was paid for")
    func comesBack() throws {
        var opened: Ledger? = try rig.open()
        #expect(try opened?.fetched(at: rig.clocks) == FetchedState())
        let (a, b) = try withExtendedLifetime(opened) { () throws -> (FetchedFile, FetchedFile) in
            let ledger = try #require(opened)
            return (
                try keep("aaa", from: "https://x.example/a", in: ledger),
                try keep(
                    "bb", from: "https://x.example/b", in: ledger, use: MeteredUse(day: 20_000, bytes: 5))
            )
        }
        #expect(try String(contentsOfFile: a.file.path, encoding: .utf8) == "aaa")
        #expect(a.file.mediaType == "image/png" && a.file.sizeBytes == 3)
        let mode = try FileManager.default.attributesOfItem(atPath: a.file.path)[.posixPermissions]
        #expect(mode as? Int == 0o640)
        try opened?.noteUse(of: a.address, at: rig.clocks)
        opened = nil

        let again = try rig.open()
        let state = try again.fetched(at: rig.clocks)
        #expect(state.files == [b, a])
        #expect(state.meteredUse == MeteredUse(day: 20_000, bytes: 5))
        try again.keep(MeteredUse(day: 20_001, bytes: 1), at: rig.clocks)
        #expect(try again.fetched(at: rig.clocks).meteredUse == MeteredUse(day: 20_001, bytes: 1))
    }

    @Test("What makes room goes with what comes, from the disk too, and a number is never used again")
    func eviction() throws {
        let ledger = try rig.open()
        let a = try keep("a", from: "https://x.example/a", in: ledger)
        let b = try keep("b", from: "https://x.example/b", in: ledger)
        let c = try keep("c", from: "https://x.example/c", evicting: [a, b], in: ledger)
        #expect(try ledger.fetched(at: rig.clocks).files == [c])
        #expect(try names() == ["3.png"])
        try ledger.drop([c], at: rig.clocks)
        #expect(try names() == [])
        let d = try keep("d", from: "https://x.example/c", in: ledger)
        #expect(d.file.path.hasSuffix("/4.png"))
    }

    @Test("A file that is missing or cut is none; what has no row is swept")
    func damage() throws {
        let (gone, cut, whole) = try {
            let ledger = try rig.open()
            return (
                try keep("gone", from: "https://x.example/gone", in: ledger),
                try keep("cut", from: "https://x.example/cut", in: ledger),
                try keep("whole", from: "https://x.example/whole", in: ledger)
            )
        }()
        try FileManager.default.removeItem(atPath: gone.file.path)
        try Data("cu".utf8).write(to: URL(fileURLWithPath: cut.file.path))
        for name in ["9.png", "3.png.aB3dEf"] {
            try Data("x".utf8).write(to: URL(fileURLWithPath: "\(rig.directory)/fetched/\(name)"))
        }
        let again = try rig.open()
        #expect(try again.fetched(at: rig.clocks).files == [whole])
        #expect(try names() == ["3.png"])
    }

    @Test("Where nothing can be written nothing is half done, and what is there stays")
    func unwritable() throws {
        let ledger = try rig.open()
        let a = try keep("a", from: "https://x.example/a", in: ledger)
        // A directory that cannot be made is what a full disk is like, for root too.
        let other = try StateRig()
        let bare = try other.open()
        try Data().write(to: URL(fileURLWithPath: "\(other.directory)/fetched"))
        let bytes = Array("b".utf8)
        #expect(throws: LedgerError.self) {
            try bare.keep(
                bytes, content(bytes), from: "https://x.example/b", evicting: [], use: MeteredUse(),
                at: other.clocks)
        }
        #expect(try bare.fetched(at: other.clocks) == FetchedState())
        // The same address twice is one file.
        #expect(throws: LedgerError.self) { try keep("b", from: a.address, in: ledger) }
        #expect(try ledger.fetched(at: rig.clocks).files == [a])
        #expect(try names() == ["1.png"])
    }
}
