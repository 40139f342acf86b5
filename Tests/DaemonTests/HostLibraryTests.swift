import AdslotClient
import Foundation
import Testing

@Suite("The library for hosts, on the real daemon", .ownThread, .needsNamespaces)
struct HostLibraryTests {
    private let network: Network
    private let directory: ScratchDirectory

    init() throws {
        network = try Network()
        try network.wired()
        directory = try ScratchDirectory()
    }

    private var socket: String { directory.file("s") }

    private func daemon() throws -> DaemonProcess {
        try DaemonProcess(in: network, BannerTests.eager, directory: directory)
    }

    @Test("Attach, update, begin and finish an action, with work that pauses: all from the caller's own loop")
    func wholeTour() throws {
        let daemon = try daemon()
        let rig = try LibraryRig(socket)
        try rig.wait("shown") { $0.kinds == [.create, .show] }
        #expect(rig.events.first == .attached)
        #expect(try daemon.slot().text("host") == "library")
        let show = try #require(rig.commands.last)
        #expect(show.creative?.size.width == show.bannerFrame.width && show.creative?.source == "test")
        #expect(show.contentFrame.height < 640)

        rig.host.update(viewport: Size(width: 640, height: 360))
        try rig.wait("replaced") { $0.kinds.count > 2 && $0.commands.last?.kind == .show }
        rig.host.update(visible: false)
        try rig.wait("hidden") { $0.kinds.last == .hide }
        rig.host.update(visible: true)
        try rig.wait("visible again") { $0.kinds.last == .show }

        var answer: SlotHost.ActionAnswer?
        rig.host.beginAction(banner: show.banner) { answer = $0 }
        try rig.wait("the pause") { $0.pauses.count == 1 }
        rig.work.acknowledge(rig.pauses[0])
        try rig.wait("the answer") { _ in answer != nil }
        guard case .allowed(let action)? = answer else {
            Issue.record("\(String(describing: answer))")
            return
        }
        #expect(rig.pauses[0].action == action)
        #expect(try daemon.slot().text("state") == "acting")
        rig.host.finishAction(action)
        try rig.wait("work goes on") { $0.workEvents.last == .resume(reason: "finished") }

        rig.host.beginAction(banner: show.banner) { answer = $0 }
        try rig.wait("the second pause") { $0.pauses.count == 2 }
        rig.work.veto(rig.pauses[1], reason: "a race is on")
        try rig.wait("the refusal") { _ in answer == .refused("vetoed") }

        var flaw: AdslotError?
        rig.host.update(viewport: Size(width: 0, height: 0)) { flaw = $0 }
        try rig.wait("the refused viewport") { _ in flaw != nil }
        #expect(flaw?.description.contains("invalid viewport") == true)
        rig.host.close()
        try daemon.waitUntilDetached()
    }

    @Test(
        "The daemon is killed in an action: the banner goes, work goes on, and both come back by themselves")
    func restart() throws {
        var daemon = try daemon()
        let rig = try LibraryRig(socket)
        try rig.wait("shown") { $0.kinds == [.create, .show] }
        var answer: SlotHost.ActionAnswer?
        rig.host.beginAction(banner: 1) { answer = $0 }
        try rig.wait("the pause") { $0.pauses.count == 1 }
        rig.work.acknowledge(rig.pauses[0])
        try rig.wait("the answer") { _ in answer == .allowed(1) }
        try daemon.killNow()
        try rig.wait("the loss") {
            $0.isDisconnected && $0.workEvents.contains(.resume(reason: "disconnected"))
        }
        #expect(rig.kinds == [.create, .show, .hide, .release])
        #expect(rig.commands.suffix(2).allSatisfy { $0.reason == "disconnected" })
        // What belongs to the daemon that is gone is not said to the next one.
        rig.host.finishAction(1)
        rig.work.acknowledge(rig.pauses[0])
        rig.host.beginAction(banner: 1) { answer = $0 }
        #expect(answer == .refused("disconnected"))
        rig.host.update(viewport: Size(width: 1024, height: 600))

        daemon = try self.daemon()
        try rig.wait("shown again") { $0.kinds.suffix(2) == [.create, .show] }
        #expect(rig.events.count { $0 == .attached } == 2)
        #expect(try daemon.slot().object("viewport").number("width") == 1024)
        try rig.wait("registered again") { $0.workEvents.last == .registered }
        #expect(try daemon.work("library-game")?.text("state") == "running")
        rig.host.beginAction(banner: try #require(rig.commands.last).banner) { answer = $0 }
        try rig.wait("the next pause") { $0.pauses.count == 2 }
        rig.work.acknowledge(rig.pauses[1])
        try rig.wait("the next answer") { _ in answer == .allowed(1) }
    }

    @Test("A daemon that stops in the orderly way is waited for too, and one that is not there yet")
    func waiting() throws {
        let rig = try LibraryRig(socket)
        try rig.wait("no daemon") { $0.isDisconnected }
        guard case .disconnected(.noDaemon(let tried), let wait)? = rig.events.first else {
            Issue.record("\(rig.events)")
            return
        }
        #expect(tried.contains(socket))
        #expect(wait > .zero && wait <= Limits.retryMax * 1.2)
        let daemon = try daemon()
        try rig.wait("shown") { $0.kinds == [.create, .show] }
        #expect(try daemon.terminate() == 0)
        try rig.wait("the end") { $0.isDisconnected && $0.kinds.last == .release }
        let again = try self.daemon()
        try rig.wait("shown again") { $0.kinds.suffix(2) == [.create, .show] }
        withExtendedLifetime(again) {}
    }

    @Test("A daemon that cannot be understood is left, and tried again")
    func nonsense() throws {
        let replies = [
            "{\"parameters\":{\"lease\":\"a\"},\"continues\":true}",
            "{\"parameters\":{\"command\":{\"kind\":\"explode\"}},\"continues\":true}",
        ]
        let script = """
            import socket, sys
            listener = socket.socket(socket.AF_UNIX)
            listener.bind(sys.argv[1])
            listener.listen()
            open_connections = []
            while True:
                connection = listener.accept()[0]
                open_connections.append(connection)
                if b"Slots.Attach" in connection.recv(65536):
                    connection.sendall(b"".join(text.encode() + bytes(1) for text in sys.argv[2:]))
            """
        let impostor = try Child(["python3", "-c", script, socket] + replies)
        let rig = try LibraryRig(socket)
        try rig.wait("two attempts") { $0.events.count { $0 == .attached } == 2 && $0.isDisconnected }
        guard case .disconnected(.malformed(let what), _)? = rig.events.last else {
            Issue.record("\(rig.events)\n\(impostor.errors.text)")
            return
        }
        #expect(what == "a command of kind 'explode'")
    }

    @Test("A refusal is final and says why", arguments: ["basement", "banner"])
    func refused(slot: String) throws {
        let daemon = try daemon()
        let other = try Host(on: daemon, name: "radio")
        let rig = try LibraryRig(socket, slot: slot)
        try rig.wait("the refusal") { $0.events.count == 1 }
        guard case .refused(let error)? = rig.events.first else {
            Issue.record("\(rig.events)")
            return
        }
        #expect(error.description.contains(slot == "basement" ? "known are: banner" : "radio"), "\(error)")
        try rig.turn(for: .milliseconds(500))
        #expect(rig.events.count == 1)
        other.die()
    }

    @Test("The asynchronous form does the same from a thread of its own")
    func asynchronous() async throws {
        let daemon = try daemon()
        let host = try AsyncSlotHost(
            slot: "banner", viewport: Size(width: 360, height: 640), name: "async", socket: socket)
        let work = try AsyncPausableWork(name: "game", socket: socket)
        let worker = Task {
            var seen: [String] = []
            for await event in work.events {
                switch event {
                case .registered: seen.append("registered")
                case .pause(let pause):
                    seen.append("pause")
                    work.acknowledge(pause)
                case .resume: seen.append("resume")
                case .disconnected, .refused: seen.append("\(event)")
                }
                if seen.last == "resume" { return seen }
            }
            return seen
        }
        var kinds: [Command.Kind] = []
        for await event in host.events {
            guard case .command(let command) = event else { continue }
            kinds.append(command.kind)
            if command.kind == .show {
                while try daemon.work() == nil { try await Task.sleep(for: .milliseconds(5)) }
                guard case .allowed(let action) = await host.beginAction(banner: command.banner) else {
                    Issue.record("not allowed")
                    return
                }
                host.finishAction(action)
                try await host.update(visible: false)
            }
            if command.kind == .hide { break }
        }
        #expect(kinds == [.create, .show, .hide])
        #expect(await worker.value == ["registered", "pause", "resume"])
        await #expect(throws: AdslotError.self) {
            try await host.update(viewport: Size(width: -1, height: 0))
        }
        host.close()
        work.close()
        #expect(await host.beginAction(banner: 1) == .refused("disconnected"))
        try daemon.waitUntilDetached()
    }

    @Test("adslotctl attach --reconnect comes back with the daemon, and says so")
    func terminal() throws {
        var daemon = try daemon()
        let tool = try Child([
            Programs.control, "--socket", socket, "attach", "banner", "--viewport", "360x640", "--reconnect",
        ])
        try tool.output.wait(for: "show ")
        #expect(try daemon.terminate() == 0)
        try tool.errors.wait(for: "the daemon is stopping, next attempt in 0.")
        let count = tool.output.count
        daemon = try self.daemon()
        try tool.output.wait(for: "show ", from: count)
        tool.signal(SIGINT)
        #expect(try tool.waitForExit() == -SIGINT)
        try daemon.waitUntilDetached()
    }
}

/// A program with a loop of its own that hosts a slot and has work that pauses.
private final class LibraryRig {
    private final class Journal {
        var events: [SlotHost.Event] = []
        var workEvents: [PausableWork.Event] = []
    }

    let host: SlotHost
    let work: PausableWork
    private let journal = Journal()

    init(_ socket: String, slot: String = "banner") throws {
        host = try SlotHost(
            slot: slot, viewport: Size(width: 360, height: 640), name: "library", socket: socket
        ) { [journal] in journal.events.append($0) }
        work = try PausableWork(name: "library-game", mayVeto: true, socket: socket) { [journal] in
            journal.workEvents.append($0)
        }
    }

    var events: [SlotHost.Event] { journal.events }
    var workEvents: [PausableWork.Event] { journal.workEvents }

    var commands: [Command] {
        events.compactMap { if case .command(let command) = $0 { command } else { nil } }
    }
    var kinds: [Command.Kind] { commands.map(\.kind) }
    var pauses: [PausableWork.Pause] {
        workEvents.compactMap { if case .pause(let pause) = $0 { pause } else { nil } }
    }
    /// Whether the last thing that happened to the connection was its loss.
    var isDisconnected: Bool {
        if case .disconnected = events.last { true } else { false }
    }

    /// Turns its loop until something is so.
    func wait(_ what: String, until isSo: (LibraryRig) -> Bool) throws {
        let deadline = Deadline()
        while !isSo(self) {
            guard !deadline.isOver else {
                throw NotInTime(what: what, account: "\(events)\n\(workEvents)")
            }
            turn(milliseconds: 100)
        }
    }

    /// Turns its loop for a time.
    func turn(for duration: Duration) throws {
        let deadline = Deadline(after: duration)
        while !deadline.isOver { turn(milliseconds: 10) }
    }

    private func turn(milliseconds: CInt) {
        var requests = [host.descriptor, work.descriptor].map {
            pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
        }
        _ = unsafe poll(&requests, 2, milliseconds)
        if requests[0].revents != 0 { host.process() }
        if requests[1].revents != 0 { work.process() }
    }
}
