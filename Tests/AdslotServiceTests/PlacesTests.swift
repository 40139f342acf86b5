import Glibc
import LinuxSupport
import Testing

@testable import AdslotService

@Suite("Sockets and state")
struct PlacesTests {
    private let files: TemporaryFiles

    init() throws {
        files = try TemporaryFiles()
    }

    @Test("The socket is taken at the start, in a directory that may be missing, and removed at the end")
    func listener() throws {
        let path = files("run/adslotd/socket")
        let plan = try ListenerPlan(socketPath: path)
        #expect(plan.description == path)
        let descriptors = plan.descriptors
        try #require(descriptors.count == 1)
        _ = try UnixSocket.connect(path: path)
        plan.cleanUp()
        #expect(try Directory.names(in: files("run/adslotd")) == [])
        plan.cleanUp()
        _ = close(descriptors[0])
    }

    @Test("A path that a live daemon listens at is refused; the dead one's is taken over")
    func occupied() throws {
        let path = files("socket")
        let first = try ListenerPlan(socketPath: path).descriptors
        func take() throws(SystemError) -> Int32 {
            try ListenerPlan(socketPath: path).descriptors[0]
        }
        do throws(SystemError) {
            _ = close(try take())
            Issue.record("it was taken from a live one")
        } catch {
            #expect(error.code == EADDRINUSE)
            #expect(error.subject == path)
        }
        _ = close(first[0])
        _ = close(try take())
    }

    @Test("The state directory is made where it is missing, for its owner and group alone")
    func state() throws {
        let directory = StateDirectory(path: files("var/lib/state"))
        #expect(directory.path == files("var/lib/state"))
        try directory.prepare()
        try directory.prepare()
        var status = stat()
        try #require(unsafe stat(directory.path, &status) == 0)
        #expect(status.st_mode & 0o027 == 0)
    }

    @Test("A state directory that is none is refused with its path")
    func noDirectory() throws {
        try files.write("file", "")
        do throws(SystemError) {
            try StateDirectory(path: files("file")).prepare()
            Issue.record("a file was taken for a directory")
        } catch {
            #expect(error.code == ENOTDIR)
            #expect(error.subject == files("file"))
        }
    }
}
