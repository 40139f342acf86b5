public import LinuxSupport

/// What `adslotd --resume-paused` does: for the time after a daemon that does not come back.
public enum PausedWork {
    /// Resumes what a daemon that is no more had paused.
    /// - Parameter stateDirectory: where it kept its state, nil for the usual place.
    /// - Returns: whether all of it goes on now.
    public static func resume(stateDirectory: String?) throws(SystemError) -> Bool {
        let state = StateDirectory(path: stateDirectory)
        // A daemon that lives has its work stand still for a reason.
        let lock = try state.lock()
        defer { withExtendedLifetime(lock) {} }
        let loop = try EventLoop()
        let log = Log(verbose: false)
        defer { log.flush() }
        let pauser = try WorkPauser(loop: loop, log: log, state: state)
        pauser.resumeLeftovers(on: loop)
        let end = loop.now + Limits.farewellMicrosecondsMax
        while pauser.hasLeftovers, pauser.awaitsUnits, loop.now < end {
            try loop.runOnce(timeout: UInt64(max(0, end - loop.now)))
        }
        return !pauser.hasLeftovers
    }
}
