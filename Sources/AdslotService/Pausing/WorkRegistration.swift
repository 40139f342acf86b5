internal import AdSlots
internal import LinuxSupport
internal import Varlink

// org.adslotd.Work.Register: what is to be paused, and whether the caller may have it paused.
extension SlotService {
    /// The parameters of a registration.
    private struct Request {
        let name: String
        let kind: WorkKind
        let pid: Int?
        let path: String?
        let unit: String?
        let mayVeto: Bool?
        let group: Bool?

        init(_ parameters: inout Parameters) throws(ParameterError) {
            name = try parameters.string("name")
            kind = try parameters.choice("kind", of: WorkKind.self)
            pid = try parameters.optionalInt("pid")
            path = try parameters.optionalString("path")
            unit = try parameters.optionalString("unit")
            mayVeto = try parameters.optionalBool("mayVeto")
            group = try parameters.optionalBool("group")
            guard name == name.printable else { throw ParameterError("name") }
        }

        /// The first parameter that goes with another kind of work.
        var misplaced: String? {
            let places: [(String, Bool, WorkKind)] = [
                ("pid", pid != nil, .process), ("group", group != nil, .process),
                ("path", path != nil, .cgroup), ("unit", unit != nil, .unit),
                ("mayVeto", mayVeto == true, .client),
            ]
            return places.first { $0.1 && $0.2 != kind }?.0
        }
    }

    /// Why something is not registered.
    private enum Refusal: Error {
        case invalid(String)
        case notPermitted(String)
    }

    func register(_ call: VarlinkCall) throws(ParameterError) {
        let request = try call.read { parameters throws(ParameterError) in try Request(&parameters) }
        guard access.mayRegister(call.peer) else { return call.failNotPermitted("register work", "Work") }
        if let name = request.misplaced {
            return call.failInvalidTarget("work of kind \(request.kind.rawValue) takes no '\(name)'")
        }
        // What ended earlier in this turn no longer holds its target.
        settle()
        do throws(Refusal) {
            switch request.kind {
            case .client:
                register(call, name: request.name, kind: .client, mayVeto: request.mayVeto ?? false)
            case .process: try admit(call, request, try process(request, call.peer))
            case .cgroup: try admit(call, request, try controlGroup(request, call.peer))
            case .unit: try registerUnit(call, request)
            }
        } catch {
            refuse(call, error)
        }
    }

    private func refuse(_ call: VarlinkCall, _ refusal: Refusal) {
        switch refusal {
        case .invalid(let message): call.failInvalidTarget(message)
        case .notPermitted(let what): call.failNotPermitted(what, "Work")
        }
    }

    private func admit(_ call: VarlinkCall, _ request: Request, _ target: any PauseTarget) throws(Refusal) {
        if let name = pauser.name(registeredFor: target.key) {
            throw .invalid("registered already, as '\(name)'")
        }
        guard !pauser.isReleasing(target.key) else {
            throw .invalid("still being resumed after an earlier pause")
        }
        register(call, name: request.name, kind: request.kind, mayVeto: false, target: target)
    }
}

// Processes.
extension SlotService {
    private func process(_ request: Request, _ peer: PeerCredentials) throws(Refusal) -> ProcessTarget {
        let number = request.pid ?? Int(peer.pid)
        guard let pid = Int32(exactly: number), pid > 0 else {
            throw .invalid("\(number) is no process id")
        }
        guard pid != 1, pid != ProcessContext.pid else {
            throw .invalid("process \(pid) is \(pid == 1 ? "the system's first" : "the daemon itself")")
        }
        do {
            let handle = try ProcessHandle(pid: pid)
            guard let status = try handle.status() else { throw Refusal.invalid("process \(pid) has ended") }
            try check(status, isGroup: request.group ?? false)
            let mayPauseAll = access.mayPauseAnything(peer)
            if !mayPauseAll, !(try ProcessOwner(pid: pid).isOnly(peer.uid)) {
                throw Refusal.notPermitted("have a process of another user paused")
            }
            try handle.checkPermission()
            let reach = ProcessTarget.Reach(
                isGroup: request.group ?? false, user: mayPauseAll ? nil : peer.uid)
            return try ProcessTarget(handle, reach: reach, loop: loop)
        } catch let refusal as Refusal {
            throw refusal
        } catch let error as SystemError {
            throw .invalid(Self.text(error, pid))
        } catch {
            throw .invalid("\(error)")
        }
    }

    private func check(_ status: ProcessStatus, isGroup: Bool) throws(Refusal) {
        let pid = status.identity.pid
        if status.isKernelThread { throw .invalid("process \(pid) is a thread of the kernel") }
        guard isGroup else { return }
        guard status.group == pid else {
            throw .invalid("process \(pid) does not lead its group; process \(status.group) does")
        }
        guard status.group != ProcessContext.group else {
            throw .invalid("the daemon itself is in process group \(pid)")
        }
    }

    private static func text(_ error: SystemError, _ pid: Int32) -> String {
        if error.isGone { return "there is no process \(pid)" }
        if error.isInvalid { return "\(pid) is a thread, not a process" }
        if error.isNotPermitted { return "the daemon may not signal process \(pid) (it needs CAP_KILL)" }
        return error.description
    }
}

// Control groups.
extension SlotService {
    private func controlGroup(
        _ request: Request, _ peer: PeerCredentials
    ) throws(Refusal) -> ControlGroupTarget {
        guard let path = request.path else { throw .invalid("work of kind cgroup needs a 'path'") }
        do {
            guard let hierarchy = try ControlGroupHierarchy.find() else {
                throw Refusal.invalid("there is no hierarchy of control groups of version 2")
            }
            let relative = try hierarchy.relativePath(of: path)
            let group = try ControlGroup(path: relative, in: hierarchy)
            guard access.mayPauseAnything(peer) || group.owner == peer.uid else {
                throw Refusal.notPermitted("have a control group paused that is not its own")
            }
            if try hierarchy.holdsThisProcess(relative) {
                throw Refusal.invalid("the daemon itself is in \(relative)")
            }
            try group.checkWritable()
            return try ControlGroupTarget(group, in: hierarchy, loop: loop)
        } catch let refusal as Refusal {
            throw refusal
        } catch let fault as ControlGroupHierarchy.PathFault {
            throw .invalid(fault.description)
        } catch {
            throw .invalid("\(error)")
        }
    }
}

// Units.
extension SlotService {
    /// The first version of systemd that stops the watchdog of a unit that is frozen.
    private static let watchdogVersion = 257
    /// Frozen, they would take with them what thaws units.
    private static let vitalUnits: Set = [
        "dbus.service", "dbus-broker.service", "init.scope", "-.slice", "system.slice",
    ]

    private func registerUnit(_ call: VarlinkCall, _ request: Request) throws(Refusal) {
        guard let name = request.unit else { throw .invalid("work of kind unit needs a 'unit'") }
        guard access.mayPauseAnything(call.peer) else {
            throw .notPermitted("have units paused")
        }
        guard name.utf8.count <= Limits.unitNameBytesMax, name == name.printable else {
            throw .invalid("'\(name.prefix(Limits.unitNameBytesMax).printable)' is no name of a unit")
        }
        pauser.units.version { [weak self] result in
            self?.pauser.units.describe(name) { [weak self] unit in
                guard let self, call.isOpen else { return }
                do throws(Refusal) {
                    try admit(call, request, try self.unit(name, version: result, unit))
                } catch {
                    refuse(call, error)
                }
            }
        }
    }

    private func unit(
        _ name: String, version: Result<Int?, BusError>, _ found: Result<SystemdUnits.Unit, BusError>
    ) throws(Refusal) -> UnitTarget {
        let (unit, number): (SystemdUnits.Unit, Int?)
        do {
            (unit, number) = (try found.get(), try version.get())
        } catch {
            throw .invalid("systemd does not answer for unit \(name): \(error)")
        }
        guard unit.loadState == "loaded" else { throw .invalid("unit \(name) is \(unit.loadState)") }
        guard unit.isRunning else { throw .invalid("unit \(name) is \(unit.activeState)") }
        guard !Self.vitalUnits.contains(unit.name) else {
            throw .invalid("unit \(unit.name) must run for others to be thawed")
        }
        guard unit.canFreeze else { throw .invalid("unit \(name) is of a kind that cannot be frozen") }
        if unit.watchdogMicroseconds != nil, (number ?? 0) < Self.watchdogVersion {
            throw .invalid(
                "unit \(name) has a watchdog (WatchdogSec=), which systemd \(number.map(String.init) ?? "?") "
                    + "lets run while it is frozen; \(Self.watchdogVersion) and later do not")
        }
        do {
            let path = String(unit.controlGroup.drop { $0 == "/" })
            if let hierarchy = try ControlGroupHierarchy.find(), !path.isEmpty,
                try hierarchy.holdsThisProcess(path)
            {
                throw Refusal.invalid("the daemon itself is in unit \(unit.name)")
            }
            let target = UnitTarget(
                name: unit.name, invocation: unit.invocation, units: pauser.units, loop: loop)
            try target.follow()
            return target
        } catch let refusal as Refusal {
            throw refusal
        } catch {
            throw .invalid("\(error)")
        }
    }
}

extension VarlinkCall {
    /// Answers that what is to be paused cannot be, and why.
    func failInvalidTarget(_ message: String) {
        fail("org.adslotd.Work.InvalidTarget", ["message": .string(message)])
    }
}
