import Glibc
import LinuxSupport
import Testing

extension LinuxSupportTests {
    @Suite("Sockets of the Unix domain")
    struct UnixSocketTests {
        private func mode(of path: String) -> UInt32 {
            var status = stat()
            return unsafe lstat(path, &status) == 0 ? status.st_mode : 0
        }

        /// A socket of another type, bound to a path.
        private func bindDatagramSocket(_ path: String) -> OwnedDescriptor {
            let socket = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            unsafe withUnsafeMutableBytes(of: &address.sun_path) {
                unsafe $0.copyBytes(from: Array(path.utf8))
            }
            let status = unsafe withUnsafePointer(to: &address) {
                unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    unsafe bind(socket, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
                }
            }
            #expect(status == 0)
            return OwnedDescriptor(takingOver: socket)
        }

        /// The connection that waits.
        private func accept(_ listener: Int32) throws -> OwnedDescriptor {
            guard let connection = try UnixSocket.accept(listener) else {
                throw SystemError(operation: "accept", code: EAGAIN)
            }
            return connection
        }

        @Test("A listener and a client talk, and neither ever waits")
        func talk() throws {
            let directory = try TemporaryDirectory()
            let listener = try UnixSocket.listen(path: directory("s"), mode: 0o600)
            #expect(try UnixSocket.accept(listener.raw) == nil)
            let client = try UnixSocket.connect(path: directory("s"))
            let server = try accept(listener.raw)
            #expect(try UnixSocket.accept(listener.raw) == nil)

            var bytes: [UInt8] = [9]
            #expect(try UnixSocket.receive(server.raw, into: &bytes, maximum: 4) == .wouldBlock)
            #expect(try UnixSocket.send(client.raw, [1, 2, 3, 4, 5, 6], from: 1) == 5)
            #expect(try UnixSocket.receive(server.raw, into: &bytes, maximum: 4) == .bytes(4))
            #expect(bytes == [9, 2, 3, 4, 5])
            #expect(try UnixSocket.receive(server.raw, into: &bytes, maximum: 4) == .bytes(1))
            #expect(bytes == [9, 2, 3, 4, 5, 6])

            var sent = 0
            let chunk = [UInt8](repeating: 7, count: 65536)
            while let count = try UnixSocket.send(client.raw, chunk) { sent += count }
            #expect(sent > 65536, "the kernel's buffer is full now")
            let number = client.release()
            _ = close(number)
            var received: [UInt8] = []
            while case .bytes = try UnixSocket.receive(server.raw, into: &received, maximum: 1 << 20) {}
            #expect(received.count == sent)
            #expect(try UnixSocket.receive(server.raw, into: &received, maximum: 1) == .endOfFile)
            let error = systemError { () throws(SystemError) in _ = try UnixSocket.send(server.raw, [1]) }
            #expect(error?.code == EPIPE, "no signal either")
        }

        @Test("All sockets are closed on exec and non-blocking")
        func flags() throws {
            let directory = try TemporaryDirectory()
            let listener = try UnixSocket.listen(path: directory("s"), mode: 0o600)
            let client = try UnixSocket.connect(path: directory("s"))
            let server = try accept(listener.raw)
            let pair = try SocketPair()
            for descriptor in [listener.raw, client.raw, server.raw, pair.near, pair.far] {
                #expect(fcntl(descriptor, F_GETFD) & FD_CLOEXEC != 0)
                #expect(fcntl(descriptor, F_GETFL) & O_NONBLOCK != 0)
            }
        }

        @Test(
            "The file has exactly the bits asked for, whatever the mask is",
            arguments: [0o600, 0o660, 0o666, 0o777, 0o200] as [UInt32], [0, 0o077, 0o777] as [mode_t])
        func bits(mode: UInt32, mask: mode_t) throws {
            let directory = try TemporaryDirectory()
            let old = umask(mask)
            defer { _ = umask(old) }
            let listener = try UnixSocket.listen(path: directory("s"), mode: mode)
            #expect(self.mode(of: directory("s")) == S_IFSOCK | mode)
            #expect(umask(mask) == mask, "the mask is as before")
            withExtendedLifetime(listener) {}
        }

        @Test("A socket that nobody listens at any more is taken over")
        func deadSocket() throws {
            let directory = try TemporaryDirectory()
            let first = try UnixSocket.listen(path: directory("s"), mode: 0o666)
            _ = close(first.release())
            #expect(mode(of: directory("s")) & S_IFMT == S_IFSOCK, "the file stays behind")
            let second = try UnixSocket.listen(path: directory("s"), mode: 0o600)
            #expect(mode(of: directory("s")) == S_IFSOCK | 0o600)
            _ = try UnixSocket.connect(path: directory("s"))
            #expect(try UnixSocket.accept(second.raw) != nil)
        }

        @Test("A socket that a live process listens at is refused and left alone")
        func liveSocket() throws {
            let directory = try TemporaryDirectory()
            let first = try UnixSocket.listen(path: directory("s"), mode: 0o600)
            let error = systemError { () throws(SystemError) in
                _ = try UnixSocket.listen(path: directory("s"), mode: 0o600)
            }
            #expect(error?.code == EADDRINUSE)
            #expect(error?.subject == directory("s"))
            _ = try UnixSocket.connect(path: directory("s"))
            #expect(try UnixSocket.accept(first.raw) != nil)
        }

        @Test("A live process whose queue of connections is full is live all the same")
        func fullQueue() throws {
            let directory = try TemporaryDirectory()
            let first = try UnixSocket.listen(path: directory("s"), mode: 0o600)
            var clients: [Int32] = []
            defer { for client in clients { _ = close(client) } }
            while true {
                do throws(SystemError) {
                    clients.append(try UnixSocket.connect(path: directory("s")).release())
                } catch {
                    try #require(error.code == EAGAIN)
                    break
                }
            }
            let error = systemError { () throws(SystemError) in
                _ = try UnixSocket.listen(path: directory("s"), mode: 0o600)
            }
            #expect(error?.code == EADDRINUSE)
            withExtendedLifetime(first) {}
        }

        @Test("What is not a socket is refused and left alone")
        func notASocket() throws {
            let directory = try TemporaryDirectory()
            try directory.write("file", Array("precious".utf8))
            try Directory.make(directory("directory"), mode: 0o700)
            try #require(unsafe symlink(directory("nowhere"), directory("dangling")) == 0)
            for name in ["file", "directory", "dangling"] {
                let error = systemError { () throws(SystemError) in
                    _ = try UnixSocket.listen(path: directory(name), mode: 0o600)
                }
                #expect(error?.code == ENOTSOCK, "\(name)")
            }
            #expect(try TextFile.read(directory("file"), maximum: 100) == Array("precious".utf8))
            #expect(try Directory.names(in: directory.path) == ["dangling", "directory", "file"])
        }

        @Test("A socket of another type is refused and left alone")
        func otherType() throws {
            let directory = try TemporaryDirectory()
            let other = bindDatagramSocket(directory("s"))
            let error = systemError { () throws(SystemError) in
                _ = try UnixSocket.listen(path: directory("s"), mode: 0o600)
            }
            #expect(error?.code == EPROTOTYPE)
            #expect(mode(of: directory("s")) & S_IFMT == S_IFSOCK)
            withExtendedLifetime(other) {}
        }

        @Test("The longest path is 107 bytes")
        func longestPath() throws {
            let directory = try TemporaryDirectory()
            let longest = directory(String(repeating: "n", count: 107 - directory.path.utf8.count - 1))
            let listener = try UnixSocket.listen(path: longest, mode: 0o600)
            _ = try UnixSocket.connect(path: longest)
            #expect(try UnixSocket.accept(listener.raw) != nil)
            let error = systemError { () throws(SystemError) in
                _ = try UnixSocket.listen(path: longest + "n", mode: 0o600)
            }
            #expect(error?.code == ENAMETOOLONG)
        }

        @Test(
            "A path that cannot be one is refused with its cause",
            arguments: [
                ("", EINVAL), ("a\0b", EINVAL), ("/nonexistent-directory/s", ENOENT),
                ("/dev/null/s", ENOTDIR),
            ])
        func badPaths(path: String, code: Int32) {
            let listening = systemError { () throws(SystemError) in
                _ = try UnixSocket.listen(path: path, mode: 0o600)
            }
            let connecting = systemError { () throws(SystemError) in _ = try UnixSocket.connect(path: path) }
            #expect(listening?.code == code)
            #expect(connecting?.code == code)
            #expect(listening?.subject == path)
        }

        @Test("The kernel says who connected: process, user, group and further groups")
        func credentials() throws {
            let pair = try SocketPair()
            let peer = try UnixSocket.peerCredentials(pair.near)
            #expect(peer.pid == getpid())
            #expect(peer.uid == geteuid())
            #expect(peer.gid == getegid())
            var groups = [gid_t](repeating: 0, count: 65536)
            let count = unsafe getgroups(Int32(groups.count), &groups)
            #expect(peer.groups == groups.prefix(Int(count)).map { UInt32($0) })
        }

        @Test("What is no socket has no peer")
        func noPeer() throws {
            let null = OwnedDescriptor(takingOver: unsafe open("/dev/null", O_RDONLY | O_CLOEXEC))
            let error = systemError { () throws(SystemError) in _ = try UnixSocket.peerCredentials(null.raw) }
            #expect(error?.code == ENOTSOCK)
            #expect(error?.operation == "getsockopt SO_PEERCRED")
        }
    }
}
