internal import LinuxSupport
internal import Varlink

/// `run-paused`: runs a program as work that the daemon pauses, in a control group of its own where one can
/// be had and as a process group otherwise.
///
/// The program is registered before it runs. The connection is the lease: when this process dies, however,
/// the daemon lets the program go on; when the daemon dies, this process does, and registers it again.
final class PausedRun {
    private let name: String
    private let command: [String]
    private let options: Options
    private let loop: EventLoop
    private let program: HeldProgram
    private var group: ScratchGroup?
    private var registration: Registration
    private var watch: IOWatch?
    private var startWatch: IOWatch?
    private var signals: [SignalWatch] = []
    private var retry: LoopTimer?
    private var pause = PausedRun.retryMicrosecondsMin
    private var lastComplaint = ""
    private let terminal = ControllingTerminal()
    /// The group that had the terminal's turn when this began, where that was ours.
    private let hadTerminal: Bool
    /// The daemon has it stand still, for all that was heard.
    private var isPaused = false
    /// A person stopped it from the terminal.
    private var isSuspended = false
    /// A person wants it to go on; it does at the end of the pause.
    private var isContinueDue = false
    private var result: Int32?

    private static let retryMicrosecondsMin: Int64 = 250_000
    private static let retryMicrosecondsMax: Int64 = 10_000_000
    /// How long the daemon may take for its first answer.
    private static let answerTimeout = Duration.seconds(5)

    /// A registration, and the connection that keeps it.
    private struct Registration {
        let client: VarlinkClient
        let replies: VarlinkReplies
    }

    /// Registers the program, which waits; the daemon missing or refusing is a failure.
    init(_ name: String, _ command: [String], _ options: Options) throws(Failure) {
        (self.name, self.command, self.options) = (name, command, options)
        let client = try Session(options).client
        do throws(SystemError) {
            loop = try EventLoop()
            program = try HeldProgram(command, hasTerminal: terminal != nil)
            hadTerminal = terminal?.foregroundGroup == ProcessContext.group
            try PassedSignal.block()
        } catch {
            throw Failure(code: .refused, message: error.description)
        }
        group = ScratchGroup(for: program.pid)
        do throws(Failure) {
            if let group {
                do throws(Failure) {
                    registration = try Self.register(client, name, group.parameters)
                    return
                } catch {
                    // A daemon that may not freeze it, say; what it may do with a process is another matter.
                    if client.descriptor == nil { throw error }
                }
            }
            group?.remove(moving: program.pid)
            group = nil
            registration = try Self.register(client, name, Self.parameters(of: program))
        } catch {
            program.abandon()
            group?.remove()
            throw error
        }
    }

    /// Runs the program to its end.
    /// - Returns: its exit code; of one that a signal ended, 128 and the signal, as a shell has it.
    func run() throws(Failure) -> Int32 {
        defer { group?.remove() }
        do throws(SystemError) {
            for signal in PassedSignal.allCases {
                signals.append(try loop.watch(passed: signal) { [unowned self] in arrived(signal) })
            }
            retry = try loop.makeTimer { [unowned self] in registerAgain() }
            try follow()
            if hadTerminal { terminal?.give(to: program.pid) }
            try program.go()
            if let descriptor = program.startDescriptor {
                startWatch = try loop.watch(descriptor, for: .readable) { [unowned self] _ in
                    startWatch?.cancel()
                    noteStart()
                }
            }
            while result == nil { try loop.runOnce(timeout: .max) }
        } catch {
            throw Failure(code: .refused, message: error.description)
        }
        takeTerminal()
        return result ?? 0
    }

    /// Says why the program could not be run, where that is so; its process then ends with the code that a
    /// shell has for it.
    private func noteStart() {
        if let failure = try? program.takeStartFailure() { complain(failure.description) }
    }

    private func complain(_ text: String) {
        try? StandardStream.error.writeLine("adslotctl: \(text)")
    }
}

// The daemon.
extension PausedRun {
    private static func parameters(of program: HeldProgram) -> JSONObject {
        ["kind": "process", "pid": .integer(Int64(program.pid)), "group": true]
    }

    private static func register(
        _ client: VarlinkClient, _ name: String, _ parameters: JSONObject
    ) throws(Failure) -> Registration {
        var all = parameters
        all["name"] = .string(name)
        do throws(VarlinkClientError) {
            let replies = try client.callMore("org.adslotd.Work.Register", all, timeout: answerTimeout)
            guard try replies.next(timeout: answerTimeout)?["lease"] != nil else {
                throw VarlinkClientError.malformedReply
            }
            return Registration(client: client, replies: replies)
        } catch {
            throw Failure(error)
        }
    }

    /// Takes the daemon's instructions from now on. What they ask for is the daemon's to do; here they only
    /// say when a person's wishes have to wait.
    private func follow() throws(SystemError) {
        guard let descriptor = registration.client.descriptor else { return lost("the connection is closed") }
        watch = try loop.watch(descriptor, for: .readable) { [unowned self] _ in heard() }
        heard()
    }

    private func heard() {
        do throws(VarlinkClientError) {
            while case .reply(let reply) = try registration.replies.available() {
                guard let kind = reply["instruction"]?["kind"]?.string else { continue }
                isPaused = kind == "pause"
                if !isPaused { proceedIfDue() }
            }
        } catch {
            // The end of the program is one as well, and may not have been heard of yet.
            for change in program.changes() { changed(change) }
            if result == nil { lost(Failure(error).message) }
        }
    }

    private func lost(_ cause: String) {
        watch?.cancel()
        watch = nil
        registration.client.close()
        say("\(cause); '\(name)' runs on, registering it again")
        letGo()
        retry?.arm(at: loop.now + pause)
    }

    /// What was paused is not left so, whatever became of the daemon.
    private func letGo() {
        guard isPaused else { return }
        isPaused = false
        if let group { group.thaw() } else if !isSuspended { program.send(.proceed) }
        proceedIfDue()
    }

    private func registerAgain() {
        guard result == nil else { return }
        pause = min(pause * 2, Self.retryMicrosecondsMax)
        do throws(Failure) {
            let client = try Session(options).client
            registration = try Self.register(
                client, name, group?.parameters ?? Self.parameters(of: program))
        } catch {
            say("not registered: \(error.message)")
            retry?.arm(at: loop.now + pause)
            return
        }
        pause = Self.retryMicrosecondsMin
        say("'\(name)' is registered again")
        do throws(SystemError) {
            try follow()
        } catch {
            say(error.description)
            retry?.arm(at: loop.now + pause)
        }
    }

    /// The same is said once.
    private func say(_ text: String) {
        if text != lastComplaint { complain(text) }
        lastComplaint = text
    }
}

// Signals, and the terminal.
extension PausedRun {
    private func arrived(_ signal: PassedSignal) {
        switch signal {
        case .child: for change in program.changes() { changed(change) }
        case .proceed: continued()
        case .hangUp, .interrupt, .quit, .user1, .user2, .terminate, .windowChange: program.send(signal)
        }
    }

    private func changed(_ change: HeldProgram.Change) {
        switch change {
        case .exited(let code):
            noteStart()
            result = code
        case .killed(let signal): result = 128 + signal
        case .stopped(byTerminal: true):
            // As a shell expects of a job: all of it stops, and the terminal is free.
            isSuspended = true
            takeTerminal()
            ProcessContext.stop()
        case .stopped(byTerminal: false): break
        case .continued: isSuspended = false
        }
    }

    /// A person, mostly by way of a shell, wants it to go on.
    private func continued() {
        if let terminal, terminal.foregroundGroup == ProcessContext.group { terminal.give(to: program.pid) }
        isContinueDue = true
        // A frozen control group stays frozen whatever signal comes.
        if group != nil || !isPaused { proceedIfDue() }
    }

    private func proceedIfDue() {
        guard isContinueDue else { return }
        isContinueDue = false
        program.send(.proceed)
    }

    private func takeTerminal() {
        guard let terminal, terminal.foregroundGroup == program.pid else { return }
        terminal.give(to: ProcessContext.group)
    }
}

/// A control group for one program, inside of this process's own.
private struct ScratchGroup {
    private let hierarchy: ControlGroupHierarchy
    private let own: String
    private let path: String

    /// Makes it and moves a process into it, nil where that cannot be: mostly since the group around it is
    /// not this user's.
    init?(for pid: Int32) {
        guard let hierarchy = try? ControlGroupHierarchy.find(), let own = try? hierarchy.ownPath()
        else { return nil }
        self.hierarchy = hierarchy
        self.own = own
        path = (own.isEmpty ? "" : own + "/") + "adslotctl-\(pid)"
        do throws(SystemError) {
            try ControlGroup.make(path, in: hierarchy)
            try ControlGroup(path: path, in: hierarchy).add(pid: pid)
        } catch {
            remove()
            return nil
        }
    }

    /// What registers it: the path beneath the mount, which may be elsewhere for the daemon.
    var parameters: JSONObject { ["kind": "cgroup", "path": .string(path)] }

    func thaw() {
        try? ControlGroup(path: path, in: hierarchy).setFrozen(false)
    }

    /// Removes it. Where the program left others behind in it that run on, it stays.
    func remove(moving pid: Int32? = nil) {
        if let pid { try? ControlGroup(path: own, in: hierarchy).add(pid: pid) }
        for _ in 0..<Self.removalTriesMax {
            do throws(SystemError) {
                return try ControlGroup.remove(path, in: hierarchy)
            } catch {
                // Those that end together with the program take a moment.
                guard error.isBusy else { return }
                Waiting.pause(milliseconds: 5)
            }
        }
    }

    private static let removalTriesMax = 40
}
