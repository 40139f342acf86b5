import Glibc
import LinuxSupport
import Testing

extension LinuxSupportTests {
    @Suite("Descriptors on the loop")
    final class DescriptorWatchTests {
        private let loop: EventLoop
        private var log: [String] = []
        private var watches: [String: IOWatch] = [:]

        init() throws {
            loop = try EventLoop()
        }

        private func watch(
            _ name: String, _ descriptor: Int32, for interest: IOInterest = .readable,
            priority: EventPriority = .normal, then: @escaping () -> Void = {}
        ) throws {
            watches[name] = try loop.watch(descriptor, for: interest, priority: priority) {
                [unowned self] ready in
                var what: [String] = []
                if ready.contains(.readable) { what.append("readable") }
                if ready.contains(.writable) { what.append("writable") }
                if ready.contains(.hangUp) { what.append("hangUp") }
                log.append(([name] + what).joined(separator: " "))
                then()
            }
        }

        @Test("A handler is called when there is something to read, and again while there is")
        func readable() throws {
            let pair = try SocketPair()
            try watch("a", pair.near)
            try loop.settle()
            #expect(log == [])
            try pair.sendToNear()
            #expect(try loop.runOnce(timeout: 1_000_000))
            #expect(try loop.runOnce(timeout: 1_000_000))
            #expect(log == ["a readable", "a readable"])
            var bytes: [UInt8] = []
            #expect(try UnixSocket.receive(pair.near, into: &bytes, maximum: 10) == .bytes(1))
            #expect(try !loop.runOnce(timeout: 0))
            #expect(log.count == 2)
        }

        @Test("What is waited for can be changed at any time")
        func interest() throws {
            let pair = try SocketPair()
            try watch("a", pair.near, for: .writable)
            #expect(try loop.runOnce(timeout: 1_000_000))
            #expect(log == ["a writable"])
            watches["a"]?.interest = []
            #expect(try !loop.runOnce(timeout: 0))
            try pair.sendToNear()
            #expect(try !loop.runOnce(timeout: 0))
            watches["a"]?.interest = [.readable, .writable]
            #expect(try loop.runOnce(timeout: 1_000_000))
            #expect(log == ["a writable", "a readable writable"])
        }

        @Test("A hang-up is told even where nothing is waited for")
        func hangUp() throws {
            let pair = try SocketPair()
            try watch("a", pair.near, for: []) { [unowned self] in watches["a"] = nil }
            try loop.settle()
            #expect(log == [])
            pair.closeFar()
            try loop.turn(until: { !log.isEmpty })
            #expect(log == ["a hangUp"])
            try loop.settle()
            #expect(log.count == 1, "the watch was dropped in its own handler")
        }

        @Test("A watch cancelled in its own handler is not called again")
        func cancelsItself() throws {
            let pair = try SocketPair()
            try pair.sendToNear()
            try watch("a", pair.near) { [unowned self] in watches["a"]?.cancel() }
            try loop.settle()
            #expect(log == ["a readable"])
        }

        @Test(
            "A source that is ready too is not called once the first handler of the turn has ended it",
            arguments: ["cancelled", "released"])
        func cancelsAnother(how: String) throws {
            let pairs = [try SocketPair(), try SocketPair()]
            for pair in pairs { try pair.sendToNear() }
            func end(_ name: String) {
                if how == "cancelled" { watches[name]?.cancel() } else { watches[name] = nil }
            }
            try watch("a", pairs[0].near) { end("b") }
            try watch("b", pairs[1].near) { end("a") }
            for _ in 0..<3 { try loop.runOnce(timeout: 0) }
            // Which of the two comes first is the kernel's choice; the other never comes.
            #expect(Set(log).count == 1, "\(log)")
            #expect(log.count == 3)
        }

        @Test("Sources that are ready together are called in the order of their priority")
        func priorities() throws {
            let order: [(String, EventPriority)] = [("late", .late), ("facts", .facts), ("normal", .normal)]
            var pairs: [SocketPair] = []
            for (name, priority) in order {
                let pair = try SocketPair()
                pairs.append(pair)
                try pair.sendToNear()
                try watch(name, pair.near, priority: priority) { [unowned self] in watches[name] = nil }
            }
            try loop.settle()
            #expect(log == ["facts readable", "normal readable", "late readable"])
        }

        @Test("A descriptor that cannot be watched is an error that names the call")
        func refusals() throws {
            let closed = systemError { () throws(SystemError) in
                _ = try loop.watch(-1, for: .readable) { _ in }
            }
            #expect(closed?.operation == "sd_event_add_io")
            #expect(closed?.code == EBADF)

            let directory = try TemporaryDirectory()
            try directory.write("file", [])
            let file = OwnedDescriptor(takingOver: unsafe open(directory("file"), O_RDONLY | O_CLOEXEC))
            let regular = systemError { () throws(SystemError) in
                _ = try loop.watch(file.raw, for: .readable) { _ in }
            }
            #expect(regular?.code == EPERM, "epoll takes no regular files")

            let pair = try SocketPair()
            try watch("a", pair.near)
            let twice = systemError { () throws(SystemError) in
                _ = try loop.watch(pair.near, for: .readable) { _ in }
            }
            #expect(twice?.code == EEXIST)
            try pair.sendToNear()
            try loop.runOnce(timeout: 1_000_000)
            #expect(log == ["a readable"], "the first watch stays")
        }

        @Test("Sources may outlive the loop's other owners, and the loop its sources")
        func lifetimes() throws {
            let pair = try SocketPair()
            var short: EventLoop? = try EventLoop()
            let kept = try short?.watch(pair.near, for: .readable) { _ in }
            let timer = try short?.makeTimer {}
            short = nil
            kept?.interest = .writable
            timer?.arm(at: 0)
            kept?.cancel()
            timer?.cancel()
        }
    }
}
