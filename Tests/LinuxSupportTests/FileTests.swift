import Glibc
import LinuxSupport
import Testing

extension LinuxSupportTests {
    @Suite("Files, directories and descriptors")
    struct FileTests {
        @Test(
            "A file is read whole up to its bound, and one byte more is refused",
            arguments: [0, 1, 4095, 4096, 4097, 10_000])
        func bounds(size: Int) throws {
            let directory = try TemporaryDirectory()
            let content = (0..<size).map { UInt8(truncatingIfNeeded: $0) }
            try directory.write("file", content)
            #expect(try TextFile.read(directory("file"), maximum: size) == content)
            #expect(try TextFile.read(directory("file"), maximum: size + 1) == content)
            guard size > 0 else { return }
            let error = systemError { () throws(SystemError) in
                _ = try TextFile.read(directory("file"), maximum: size - 1)
            }
            #expect(error?.code == EFBIG)
            #expect(error?.subject == directory("file"))
        }

        @Test("A pipe, which nobody may ever write to, is refused without waiting")
        func pipe() throws {
            let directory = try TemporaryDirectory()
            try #require(unsafe mkfifo(directory("pipe"), 0o600) == 0)
            let error = systemError { () throws(SystemError) in
                _ = try TextFile.read(directory("pipe"), maximum: 100)
            }
            #expect(error?.code == EINVAL)
        }

        @Test(
            "What would forge a line or turn the screen is shown as its number, all else as it is",
            arguments: [
                ("banner é 字 ok", "banner é 字 ok"), ("a\u{1B}[2Jb", "a\\u{1B}[2Jb"), ("a\nb", "a\\u{A}b"),
                ("a\u{202E}b", "a\\u{202E}b"), ("\u{9B}", "\\u{9B}"), ("\u{2028}", "\\u{2028}"), ("", ""),
                ("\0\u{1F} ~\u{7F}\u{80}", "\\u{0}\\u{1F} ~\\u{7F}\\u{80}"),
            ])
        func printable(text: String, shown: String) {
            #expect(text.printable == shown)
        }

        @Test("A file without end is refused at the bound")
        func endless() {
            let error = systemError { () throws(SystemError) in
                _ = try TextFile.read("/dev/zero", maximum: 1 << 20)
            }
            #expect(error?.code == EFBIG)
        }

        @Test("What cannot be read is an error with the path and the cause")
        func unreadable() throws {
            let directory = try TemporaryDirectory()
            let missing = systemError { () throws(SystemError) in
                _ = try TextFile.read(directory("missing"), maximum: 1)
            }
            #expect(missing?.isMissing == true)
            #expect(missing?.description == "open \(directory("missing")): No such file or directory")
            let folder = systemError { () throws(SystemError) in
                _ = try TextFile.read(directory.path, maximum: 1)
            }
            #expect(folder?.code == EISDIR)
        }

        @Test("No read leaves a descriptor open")
        func leavesNothing() throws {
            let directory = try TemporaryDirectory()
            try directory.write("file", [1, 2, 3])
            let before = try Directory.names(in: "/proc/self/fd").count
            for _ in 0..<50 {
                _ = try TextFile.read(directory("file"), maximum: 3)
                _ = systemError { () throws(SystemError) in
                    _ = try TextFile.read(directory("file"), maximum: 2)
                }
                _ = systemError { () throws(SystemError) in _ = try Directory.names(in: directory("file")) }
                _ = try Directory.names(in: directory.path)
            }
            // Other tests of the process may open and close some meanwhile.
            #expect(try Directory.names(in: "/proc/self/fd").count < before + 50)
        }

        @Test("The names of a directory come sorted, without itself and its parent")
        func names() throws {
            let directory = try TemporaryDirectory()
            for name in ["b", "a", "B", "10", "9", ".hidden", "ü", "z"] { try directory.write(name, []) }
            #expect(
                try Directory.names(in: directory.path) == [".hidden", "10", "9", "B", "a", "b", "z", "ü"])
            let missing = systemError { () throws(SystemError) in
                _ = try Directory.names(in: directory("none"))
            }
            #expect(missing?.isMissing == true)
            let file = systemError { () throws(SystemError) in _ = try Directory.names(in: directory("a")) }
            #expect(file?.code == ENOTDIR)
        }

        @Test("Directories are made with those above them, and those that are there stay")
        func make() throws {
            let directory = try TemporaryDirectory()
            try Directory.make(directory("a/b/c"), mode: 0o750)
            try Directory.make(directory("a/b/c"), mode: 0o700)
            try Directory.make(directory("a/b/d/"), mode: 0o700)
            #expect(try Directory.names(in: directory("a/b")) == ["c", "d"])
            var status = stat()
            try #require(unsafe lstat(directory("a/b/c"), &status) == 0)
            #expect(status.st_mode & 0o777 == 0o750)
            try #require(unsafe symlink(directory("a"), directory("link")) == 0)
            try Directory.make(directory("link"), mode: 0o700)
            try Directory.make(directory("link/e"), mode: 0o700)
            #expect(try Directory.names(in: directory("a")) == ["b", "e"])
            try Directory.make("/", mode: 0o700)
            try Directory.make(".", mode: 0o700)
        }

        @Test("A directory that cannot be made is an error")
        func makeRefused() throws {
            let directory = try TemporaryDirectory()
            try directory.write("file", [])
            try #require(unsafe symlink(directory("nowhere"), directory("dangling")) == 0)
            func code(_ path: String) -> Int32? {
                systemError { () throws(SystemError) in try Directory.make(path, mode: 0o700) }?.code
            }
            #expect(code(directory("file")) == ENOTDIR)
            #expect(code(directory("file/a")) == ENOTDIR)
            #expect(code(directory("dangling")) == ENOENT)
            #expect(code(directory("dangling/a/b")) == ENOENT)
            #expect(code("") == ENOENT)
            #expect(code("/proc/none/a") == ENOENT)
        }

        @Test("Removing is no error where nothing is left, and leaves directories alone")
        func remove() throws {
            let directory = try TemporaryDirectory()
            try directory.write("file", [])
            try Directory.remove(file: directory("file"))
            try Directory.remove(file: directory("file"))
            #expect(try Directory.names(in: directory.path) == [])
            #expect(
                systemError { () throws(SystemError) in try Directory.remove(file: directory.path) } != nil)
        }

        @Test(
            "The directory that a path is in",
            arguments: [
                ("/run/adslotd/socket", "/run/adslotd"), ("/socket", "/"), ("socket", "."), ("a/b", "a"),
                ("/", "/"),
                ("", "."), ("a/", "a"), ("/ü/é", "/ü"),
            ])
        func parent(path: String, parent: String) {
            #expect(Directory.parent(of: path) == parent)
        }

        @Test("Whether files can be made in a directory is told before it is tried")
        func writable() throws {
            let directory = try TemporaryDirectory()
            try Directory.checkWritable(directory.path)
            let error = systemError { () throws(SystemError) in try Directory.checkWritable(directory("none"))
            }
            #expect(error?.operation == "access")
            #expect(error?.isMissing == true)
        }

        @Test("A descriptor is closed once, with its owner; one that is given away is not")
        func ownedDescriptor() throws {
            // High numbers, which no other test takes by chance.
            let number = fcntl(0, F_DUPFD_CLOEXEC, 900)
            try #require(number >= 900)
            do {
                let owned = OwnedDescriptor(takingOver: number)
                #expect(isOpen(owned.raw))
            }
            #expect(!isOpen(number))

            let second = fcntl(0, F_DUPFD_CLOEXEC, 900)
            let released = OwnedDescriptor(takingOver: second).release()
            #expect(released == second && isOpen(second))
            _ = close(second)
        }
    }
}
