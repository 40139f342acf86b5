import Glibc
import LinuxSupport
import Testing

/// A directory of its own for one test, removed with all it holds at the end.
final class TemporaryDirectory {
    let path: String

    init() throws {
        path = "/tmp/linux-support-\(getpid())-\(UInt64.random(in: 0 ... .max))"
        try Directory.make(path, mode: 0o700)
    }

    deinit {
        Self.removeTree(path)
    }

    /// The path of a name in it.
    func callAsFunction(_ name: String) -> String { "\(path)/\(name)" }

    /// Writes a file.
    func write(_ name: String, _ bytes: [UInt8]) throws {
        let file = try unsafe #require(fopen(self(name), "w"))
        let written = unsafe fwrite(bytes, 1, bytes.count, file)
        let closed = unsafe fclose(file)
        try #require(written == bytes.count && closed == 0)
    }

    private static func removeTree(_ path: String) {
        if unsafe unlink(path) == 0 { return }
        for name in (try? Directory.names(in: path)) ?? [] { removeTree("\(path)/\(name)") }
        _ = unsafe rmdir(path)
    }
}

/// Two connected sockets; each is closed when it is set to nil or with the pair.
final class SocketPair {
    let near: Int32
    let far: Int32
    private var isFarOpen = true

    init() throws(SystemError) {
        (near, far) = try UnixSocket.pair()
    }

    deinit {
        _ = close(near)
        closeFar()
    }

    func closeFar() {
        if isFarOpen { _ = close(far) }
        isFarOpen = false
    }

    /// Makes the near end readable.
    func sendToNear(_ text: String = "x") throws {
        #expect(try UnixSocket.send(far, Array(text.utf8)) == text.utf8.count)
    }
}

/// The error that `body` throws, nil when it throws none.
func systemError(_ body: () throws(SystemError) -> Void) -> SystemError? {
    do throws(SystemError) {
        try body()
        return nil
    } catch {
        return error
    }
}

/// Whether a number stands for an open descriptor.
func isOpen(_ descriptor: Int32) -> Bool {
    fcntl(descriptor, F_GETFD) >= 0
}

extension EventLoop {
    /// Turns until `condition`, at most for some seconds; what is waited for is there long before.
    func turn(
        until condition: () -> Bool, seconds: Int64 = 10, at place: SourceLocation = #_sourceLocation
    ) throws {
        let end = now + seconds * 1_000_000
        while !condition() {
            try #require(now < end, "not in time", sourceLocation: place)
            try runOnce(timeout: 10_000)
        }
    }

    /// Turns until nothing is ready.
    func settle() throws {
        while try runOnce(timeout: 0) {}
    }
}
