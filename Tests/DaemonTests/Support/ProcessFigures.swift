import Foundation

/// What the kernel says of a process's memory and wake-ups (proc(5)).
struct ProcessFigures: CustomStringConvertible {
    /// The most memory that it has ever had in use, in KiB.
    let peakKiB: Int
    /// What it has in use now, in KiB.
    let residentKiB: Int
    /// How often it has been woken or made to wait so far.
    let contextSwitches: Int
    /// The time on a processor so far.
    let processorTime: Duration

    init(of pid: pid_t) throws {
        let status = try String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8)
        func number(_ name: String) throws -> Int {
            let line = status.split(separator: "\n").first { $0.hasPrefix("\(name):") }
            guard let word = line?.split(whereSeparator: { " \t".contains($0) }).dropFirst().first,
                let number = Int(word)
            else { throw NotInTime(what: "\(name) of process \(pid)", account: status) }
            return number
        }
        peakKiB = try number("VmHWM")
        residentKiB = try number("VmRSS")
        contextSwitches = try number("voluntary_ctxt_switches") + number("nonvoluntary_ctxt_switches")
        let schedule = try String(contentsOfFile: "/proc/\(pid)/schedstat", encoding: .utf8)
        processorTime = .nanoseconds(Int64(schedule.prefix { $0 != " " }) ?? 0)
    }

    var description: String {
        "\(peakKiB) KiB at most, \(residentKiB) KiB now, \(contextSwitches) context switches, \(processorTime)"
    }
}

extension DaemonProcess {
    /// What it costs so far.
    var figures: ProcessFigures { get throws { try ProcessFigures(of: child.pid) } }

    /// Waits for a whole second in which it sleeps without a break.
    func waitUntilAsleep() throws {
        let deadline = Deadline()
        var before = try figures
        repeat {
            usleep(1_000_000)
            let now = try figures
            // One that spins on a core of its own is not switched either.
            let busy = now.processorTime - before.processorTime
            if now.contextSwitches == before.contextSwitches, busy < .milliseconds(1) { return }
            before = now
        } while !deadline.isOver
        throw NotInTime(what: "a second of sleep", account: "\(before)\n\(log.text)")
    }
}
