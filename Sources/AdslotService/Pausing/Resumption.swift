internal import LinuxSupport

/// Resumes what a daemon that is no more had paused, and only that: a process that has the number of one that
/// was paused, a control group or a unit of the same name, is left alone.
final class Resumption {
    private let targets: [PausedTarget]
    private let units: SystemdUnits
    private let loop: EventLoop
    private let log: Log

    init(_ targets: [PausedTarget], units: SystemdUnits, loop: EventLoop, log: Log) {
        self.targets = targets
        self.units = units
        self.loop = loop
        self.log = log
    }

    /// Begins; processes and control groups go on before this returns.
    /// - Parameter resolved: called for each target that goes on, or is no longer there.
    func start(_ resolved: @escaping (PausedTarget) -> Void) {
        for target in targets {
            do throws(SystemError) {
                switch target {
                case .process(let identity): try resume(identity)
                case .cgroup(let path, let identifier): try thaw(path, identifier)
                case .unit(let name, let invocation):
                    let unit = UnitTarget(name: name, invocation: invocation, units: units, loop: loop)
                    unit.onNotice = { [log] in log.write(.warning, "paused", "unit \(name): \($0)") }
                    unit.release { [log] in
                        log.write(.info, "paused", "resumed unit \(name)")
                        resolved(target)
                    }
                    continue
                }
                resolved(target)
            } catch {
                log.write(.error, "paused", "\(target.text) is not resumed: \(error)")
            }
        }
    }

    private func resume(_ identity: ProcessIdentity) throws(SystemError) {
        let process: ProcessHandle
        do throws(SystemError) {
            process = try ProcessHandle(pid: identity.pid)
        } catch {
            // What stands in the way of taking hold of it is that it ended, or is now a thread of another.
            if error.isGone || error.isInvalid { return }
            throw error
        }
        guard process.identity == identity else { return }
        try process.proceed()
        log.write(.info, "paused", "resumed process \(identity.pid)")
    }

    private func thaw(_ path: String, _ identifier: UInt64) throws(SystemError) {
        do throws(SystemError) {
            guard let hierarchy = try ControlGroupHierarchy.find() else { return }
            let group = try ControlGroup(path: path, in: hierarchy)
            guard group.identifier == identifier else { return }
            try group.setFrozen(false)
            log.write(.info, "paused", "thawed control group \(path.printable)")
        } catch {
            if !error.isGone { throw error }
        }
    }
}
