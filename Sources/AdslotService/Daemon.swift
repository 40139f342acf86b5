internal import AdSlots
internal import Configuration
public import Ledger
public import LinuxSupport
internal import OpenRTB
internal import Reachability
internal import Varlink

/// The daemon: wires the kernel's side to the hosts' side and serves both.
public final class Daemon {
    /// What the command line decides.
    public struct Options: Sendable {
        /// Configuration files; none means the system's.
        public var configurationFiles: [String] = []
        /// Where to listen, nil for the service manager's sockets or the usual place.
        public var socketPath: String?
        /// Where to keep state, nil for the usual place.
        public var stateDirectory: String?
        /// Whether to log what only somebody who looks closely wants to know.
        public var verbose = false

        /// Creates the defaults.
        public init() {}
    }

    /// Why the daemon could not start, or ended on its own.
    public enum Failure: Error, CustomStringConvertible {
        /// The configuration is refused.
        case configuration(ConfigurationError)
        /// The socket's path is in use by a live process.
        case socketTaken(String)
        /// What is kept over restarts belongs to another process or another version.
        case state(LedgerError)
        /// A call of the system failed.
        case system(SystemError)

        fileprivate init(_ error: SystemError, socketPath: String) {
            self =
                error.isAddressInUse && error.subject == socketPath
                ? .socketTaken(socketPath) : .system(error)
        }

        /// The failure in a sentence.
        public var description: String {
            switch self {
            case .configuration(let error): error.description
            case .socketTaken(let path): "another process is already listening on \(path)"
            case .state(let error): error.description
            case .system(let error): error.description
            }
        }
    }

    let loop: EventLoop
    let log: Log
    let server: VarlinkServer
    let reachability: ReachabilityService
    let slots: SlotService
    let ledger: LedgerService
    let creatives: CreativeService
    let inventory: InventoryService
    let events = EventStream()
    /// When it began.
    let started: Instant
    private(set) var configurationFiles: [String]

    private let files: ConfigurationFiles
    private let listeners: ListenerPlan
    private let stateLock: OwnedDescriptor?
    private let memoryPressure: MemoryPressureService
    private var signals: [SignalWatch] = []
    private var isReady = false
    private var farewell: LoopTimer?
    private var missingGroups: [String] = []
    /// Flight records on their way to clients.
    var flightRecords = 0

    /// Reads the configuration, takes the socket and opens the kernel's; nothing is served yet.
    public init(options: Options) throws(Failure) {
        log = Log(verbose: options.verbose)
        files = ConfigurationFiles(named: options.configurationFiles)
        let configuration: Configuration
        do throws(ConfigurationError) {
            (configuration, configurationFiles) = try files.read()
        } catch {
            throw .configuration(error)
        }
        let state = StateDirectory(path: options.stateDirectory)
        do throws(SystemError) {
            try ProcessContext.raiseDescriptorLimit(to: Limits.descriptorsMax)
            do throws(SystemError) {
                try state.prepare()
            } catch {
                // State is of use and no need; a directory that is wrong is a mistake to be told.
                guard error.isDiskUnwritable else { throw error }
                log.write(.warning, "state", "\(error), ignoring")
            }
            // First of all: an occupied path is the plainest sign of another daemon.
            listeners = try ListenerPlan(socketPath: options.socketPath)
            do throws(SystemError) {
                stateLock = try state.lock()
            } catch {
                listeners.cleanUp()
                throw error
            }
        } catch {
            throw Failure(error, socketPath: options.socketPath ?? Product.ownSocket)
        }
        do throws(LedgerError) {
            ledger = try LedgerService(in: state.path, settings: configuration.ledger, log: log)
        } catch {
            listeners.cleanUp()
            throw .state(error)
        }
        do throws(SystemError) {
            loop = try EventLoop()
            started = loop.instant
            try log.wait(for: loop)
            reachability = try ReachabilityService(
                loop: loop, log: log, settings: configuration.reachability)
            slots = try SlotService(
                loop: loop, log: log, configuration: configuration, reachable: false, ledger: ledger,
                state: state)
            // Before anything else, but not before the socket is ours: what a daemon that was killed left.
            slots.pauser.resumeLeftovers(on: loop)
            try ledger.run(on: loop)
            ledger.notices = try OutboxSender(
                loop: loop, log: log, ledger: ledger, http: slots.sources.http)
            creatives = try CreativeService(
                loop: loop, log: log, configuration: configuration, ledger: ledger,
                http: slots.sources.http, house: slots.house)
            inventory = try InventoryService(ledger, loop: loop, log: log)
            memoryPressure = MemoryPressureService(loop: loop, log: log, slots: slots)
            server = try VarlinkServer(
                loop: loop,
                identity: ServiceIdentity(
                    vendor: "adslotd", product: "adslotd", version: Product.version, url: ""))
        } catch {
            throw Failure(error, socketPath: options.socketPath ?? Product.ownSocket)
        }
        wire()
        warnAboutGroups()
    }

    /// Runs until told to stop.
    /// - Returns: the exit code.
    public func run() throws(Failure) -> Int32 {
        do throws(SystemError) {
            try watchSignals()
            try loop.enableWatchdog()
            try reachability.start()
            defer { log.flush() }
            let code = try loop.run()
            slots.settle()
            ledger.finish()
            server.stop()
            listeners.cleanUp()
            return code
        } catch {
            throw .system(error)
        }
    }

    private func wire() {
        server.onNotice = { [log] notice in log.write(.warning, "client", notice.description) }
        server.add(reachability.interface())
        server.add(slots.slotsInterface())
        server.add(slots.workInterface())
        server.add(managerInterface())
        server.add(ledger.interface { [unowned self] in slots.access })
        server.add(inventory.interface { [unowned self] in slots.access })
        server.onDisconnect = { [unowned self] in inventory.disconnected($0) }
        // Also what is performed is told last of all: a program that registers in the midst of an action
        // hears so when it stands still.
        ledger.onOpened = { [unowned self] in server.cork() }
        ledger.onKept = { [unowned self] in server.uncork { slots.performDecided() } }
        slots.isPathUsable = { [unowned self] in reachability.isPathUsable }
        slots.sources.connection = { [unowned self] in
            ConnectionType(reachability.published?.state.status ?? .none)
        }
        slots.onNews = { [unowned self] in announce($0) }
        reachability.onChange = { [unowned self] in reachabilityChanged($0) }
        inventory.standing = { [unowned self] in creatives.standing(of: $0) }
        inventory.onChange = { [unowned self] in creatives.take($0) }
        slots.onFileUse = { [unowned self] in creatives.noteUse(ofFileAt: $0) }
        reachability.onIncident = { [unowned self] incident in
            switch incident {
            case .flap: ledger.note(.flap)
            case .resync: ledger.note(.resync)
            case .clock(let jump):
                slots.house.clockStepped()
                creatives.clockStepped()
                ledger.note(.clock, state: jump == .set ? "set" : "slept")
            }
        }
        ledger.slotNames = { [unowned self] in slots.coordinator.slotNames }
    }

    private func watchSignals() throws(SystemError) {
        for signal in Signals.allCases {
            signals.append(
                try loop.watch(signal: signal) { [unowned self] in
                    switch signal {
                    case .hangUp: reloadBySignal()
                    case .interrupt, .terminate: stop(signal)
                    }
                })
        }
    }

    /// Said once for each name, not at every reload.
    private func warnAboutGroups() {
        let missing = slots.access.missingGroups
        for name in missing where !missingGroups.contains(name) {
            log.write(.warning, "access", "group '\(name)' does not exist and has no members, ignoring")
        }
        missingGroups = missing
    }
}

// What the parts tell each other.
extension Daemon {
    private func reachabilityChanged(_ change: ReachabilityChange) {
        guard let published = reachability.published else { return }
        switch change {
        case .posted(let state):
            log.write(.info, "reachability", published.text)
            events.send(.reachability, text: published.text, data: published.write)
            ledger.note(state)
            creatives.note(state)
            slots.sources.networkChanged(reachable: state.reachable)
            slots.handle(.reachability(reachable: state.reachable))
            if !isReady { becomeReady() }
        case .detail:
            log.write(.debug, "reachability", published.text)
            events.send(.link, text: published.text, data: published.write)
        }
        ServiceManager.status(published.text)
    }

    private func announce(_ news: SlotService.News) {
        switch news {
        case .slot(let slot):
            events.send(.slot, text: "\(slot.name): \(slot.text)") { writer in
                writer.members(of: slot, wallClock: slots.currentWallClock())
            }
        case .work(let work):
            events.send(.work, text: "\(work.name): \(work.text)") { $0.members(of: work) }
        case .source(let name, let text):
            events.send(.source, text: text) { writer in
                writer.member("name", name)
                writer.member("lastError", slots.sources.account(of: name).lastError?.rawValue)
            }
        case .action(let slot, let text):
            events.send(.service, text: "\(slot): \(text)") { $0.member("slot", slot) }
        }
    }

    /// The first state is known: from now on every question has an answer.
    private func becomeReady() {
        isReady = true
        do throws(SystemError) {
            for descriptor in listeners.descriptors {
                try server.listen(on: OwnedDescriptor(takingOver: descriptor))
            }
        } catch {
            log.write(.error, "socket", error.description)
            loop.exit(code: 1)
            return
        }
        log.write(.info, "adslotd", "version \(Product.version), ready at \(listeners.description)")
        ServiceManager.ready(status: reachability.published?.text ?? "")
    }
}

// Reload and stop.
extension Daemon {
    /// Reads the configuration again; where it is refused, that is said and the old one stays in force.
    func reload() throws(ConfigurationError) {
        let (configuration, read): (Configuration, [String])
        do throws(ConfigurationError) {
            (configuration, read) = try files.read()
        } catch {
            log.write(.error, "configuration", "\(error), keeping the old one")
            throw error
        }
        // What was decided by the old one is performed by it.
        slots.settle()
        configurationFiles = read
        slots.sources.configure(configuration.sources)
        slots.access = Access(hostGroup: configuration.hostGroup, pauseGroup: configuration.pauseGroup)
        ledger.configure(configuration.ledger)
        slots.handle(.configure(configuration.coordinator))
        slots.house.configure(configuration)
        creatives.configure(configuration)
        reachability.configure(configuration.reachability)
        warnAboutGroups()
        log.write(.info, "adslotd", "configuration read again")
        events.send(.service, text: "configuration read again") { $0.member("event", "reloaded") }
    }

    private func reloadBySignal() {
        ServiceManager.reloading()
        // What was refused has been said in the log, and nobody else waits for it.
        try? reload()
        ServiceManager.ready(status: reachability.published?.text ?? "")
    }

    private func stop(_ signal: Signals) {
        log.write(.info, "adslotd", "stopping")
        ServiceManager.stopping()
        events.send(.service, text: "stopping") { $0.member("event", "stopping") }
        // Work resumes and hosts are told while the connections still stand.
        slots.handle(.shutdown)
        ledger.noteStop()
        slots.settle()
        slots.pauser.whenQuiet { [loop] in loop.exit(code: 0) }
        // Units that systemd does not thaw in time are left to the record, and to whoever reads it next.
        farewell = try? loop.makeTimer { [loop] in loop.exit(code: 0) }
        farewell?.arm(at: loop.now + Limits.farewellMicrosecondsMax)
    }
}
