import Glibc
import LinuxSupport
import Testing

extension LinuxSupportTests {
    @Suite("Memory pressure")
    struct MemoryPressureTests {
        private func fifo(in directory: TemporaryDirectory) throws -> (path: String, writer: Int32) {
            let path = directory("fifo")
            try #require(unsafe mkfifo(path, 0o600) == 0)
            let writer = unsafe open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC)
            try #require(writer >= 0)
            return (path, writer)
        }

        @Test("Whoever tells without end is heard once in a pause, and costs nothing in between")
        func flood() throws {
            let directory = try TemporaryDirectory()
            let (path, writer) = try fifo(in: directory)
            defer { _ = close(writer) }
            let loop = try EventLoop()
            var calls = 0
            let watch = try MemoryPressureWatch(loop: loop, source: MemoryPressureSource(path: path)) {
                calls += 1
            }
            var turns = 0
            let end = loop.now + 1_500_000
            while loop.now < end {
                _ = unsafe write(writer, "flood", 5)
                turns += try loop.runOnce(timeout: 1_000) ? 1 : 0
            }
            #expect(calls == 2)
            #expect(turns < 10, "\(turns) wake-ups")
            withExtendedLifetime(watch) {}
        }

        @Test("A socket that closes is not listened to any more")
        func socket() throws {
            let directory = try TemporaryDirectory()
            let listener = try UnixSocket.listen(path: directory("s"), mode: 0o600)
            let loop = try EventLoop()
            var calls = 0
            let watch = try MemoryPressureWatch(
                loop: loop, source: MemoryPressureSource(path: directory("s"), trigger: Array("some".utf8))
            ) { calls += 1 }
            do {
                guard let peer = try UnixSocket.accept(listener.raw) else {
                    Issue.record("nobody has connected")
                    return
                }
                var bytes: [UInt8] = []
                #expect(try UnixSocket.receive(peer.raw, into: &bytes, maximum: 10) == .bytes(4))
                _ = try UnixSocket.send(peer.raw, [1])
                try loop.turn { calls == 1 }
            }
            for _ in 0..<5 { try loop.runOnce(timeout: 10_000) }
            #expect(calls == 1)
            withExtendedLifetime(watch) {}
        }

        @Test("What cannot tell is an error", arguments: ["missing", "file"])
        func refused(name: String) throws {
            let directory = try TemporaryDirectory()
            try directory.write("file", [])
            let loop = try EventLoop()
            #expect(throws: SystemError.self) {
                try MemoryPressureWatch(loop: loop, source: MemoryPressureSource(path: directory(name))) {}
            }
        }

        @Test("The kernel tells when tasks stand still for want of memory")
        func real() throws {
            let loop = try EventLoop()
            var calls = 0
            let watch: MemoryPressureWatch
            do {
                watch = try MemoryPressureWatch(loop: loop) { calls += 1 }
            } catch {
                try Test.cancel("no pressure stall information here: \(error)")
            }
            guard let hog = try MemoryHog() else {
                try Test.cancel("no memory control group that may be made here")
            }
            try loop.turn(until: { calls == 1 }, seconds: 30)
            withExtendedLifetime((watch, hog)) {}
        }
    }
}

/// A process that reads a file that does not fit into its memory again and again, so that it stands still most
/// of the time. It ends with this object.
private final class MemoryHog {
    private static let root = "/sys/fs/cgroup/memory"
    private let group: String
    private let file = "/tmp/adslotd-hog-\(getpid())"
    private var pid: pid_t = 0

    /// - Returns: nil where no memory control group can be made: only root can, where there are any.
    init?() throws {
        group = "\(Self.root)/adslotd-hog-\(getpid())"
        guard unsafe mkdir(group, 0o755) == 0 else { return nil }
        let limit = unsafe open("\(group)/memory.limit_in_bytes", O_WRONLY | O_CLOEXEC)
        let isLimited = unsafe write(limit, "16M", 3) == 3
        _ = close(limit)
        guard isLimited else { return nil }
        // The shell joins the group, then reads: half a megabyte at a time out of four times the memory.
        let script = """
            echo $$ > \(group)/cgroup.procs && dd if=/dev/zero of=\(file) bs=1M count=64 2>/dev/null
            while :; do cat \(file) >/dev/null; done
            """
        let words: [String] = ["sh", "-c", script]
        let arguments = unsafe words.map { unsafe strdup($0) } + [nil]
        defer { unsafe arguments.forEach { unsafe free($0) } }
        let code = unsafe posix_spawnp(&pid, "sh", nil, nil, arguments, environ)
        try #require(code == 0)
    }

    deinit {
        if pid > 0 {
            _ = kill(pid, SIGKILL)
            _ = waitpid(pid, nil, 0)
        }
        _ = unsafe unlink(file)
        // The last reader may still be ending in it.
        for _ in 0..<100 where unsafe rmdir(group) != 0 && errno == EBUSY { usleep(10_000) }
    }
}
