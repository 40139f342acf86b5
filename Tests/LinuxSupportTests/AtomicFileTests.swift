import Glibc
import LinuxSupport
import Testing

@Suite("Files that are there whole or not at all")
struct AtomicFileTests {
    @Test("A file is written, for its owner alone, and takes the place of an older one")
    func writes() throws {
        let directory = try TemporaryDirectory()
        let path = directory("file")
        let bytes = (0..<300_000).map { UInt8(truncatingIfNeeded: $0) }
        try AtomicFile.write(bytes, to: path)
        #expect(try TextFile.read(path, maximum: 1 << 20) == bytes)
        try AtomicFile.write([1, 2, 3], to: path)
        #expect(try TextFile.read(path, maximum: 1 << 20) == [1, 2, 3])
        try AtomicFile.write([], to: path)
        #expect(try TextFile.read(path, maximum: 1 << 20).isEmpty)
        var status = stat()
        #expect(unsafe stat(path, &status) == 0)
        #expect(status.st_mode & 0o777 == 0o600)
        #expect(try Directory.names(in: directory.path) == ["file"])
    }

    @Test("What is no regular file stays as it is, and nothing is left behind")
    func refuses() throws {
        let directory = try TemporaryDirectory()
        let target = directory("target")
        try AtomicFile.write([1], to: target)
        let link = directory("link")
        #expect(unsafe symlink(target, link) == 0)
        try Directory.make(directory("directory"), mode: 0o700)
        for name in ["link", "directory"] {
            #expect(throws: SystemError(operation: "create", subject: directory(name), code: EEXIST)) {
                try AtomicFile.write([2], to: directory(name))
            }
        }
        #expect(throws: SystemError.self) { try AtomicFile.write([2], to: directory("missing/file")) }
        #expect(throws: SystemError.self) { try AtomicFile.write([2], to: "/dev/null") }
        #expect(try TextFile.read(target, maximum: 10) == [1])
        #expect(try Directory.names(in: directory.path) == ["directory", "link", "target"])
    }

    @Test("A disk that is full leaves nothing behind", .enabled(if: getuid() == 0, "only root can fill one"))
    func full() throws {
        let directory = try TemporaryDirectory()
        try AtomicFile.write([1], to: directory("file"))
        #expect(throws: SystemError.self) { try AtomicFile.write([2], to: "/proc/self/file") }
        #expect(try Directory.names(in: directory.path) == ["file"])
    }
}
