internal import LinuxSupport

/// Something that this daemon has stopped, by marks that nothing else will ever have in this boot.
enum PausedTarget: Hashable {
    /// A process, by SIGSTOP.
    case process(ProcessIdentity)
    /// A control group, by its freezer: its path beneath the hierarchy's mount, and the kernel's number.
    case cgroup(path: String, identifier: UInt64)
    /// A unit, by systemd: its name and the invocation.
    case unit(name: String, invocation: String)

    /// The key of the ``PauseTarget`` that it belongs to, but for members of a group.
    var key: String {
        switch self {
        case .process(let identity): "process \(identity.pid) \(identity.startTicks)"
        case .cgroup(_, let identifier): "cgroup \(identifier)"
        case .unit(let name, _): "unit \(name)"
        }
    }

    /// What stands in the record, after the boot.
    var text: String {
        switch self {
        case .process(let identity): "process \(identity.pid) \(identity.startTicks)"
        case .cgroup(let path, let identifier): "cgroup \(identifier) \(path)"
        case .unit(let name, let invocation): "unit \(invocation) \(name)"
        }
    }

    /// Reads what ``text`` wrote.
    init?(_ text: some StringProtocol) {
        let words = text.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
        guard words.count == 3, !words[2].isEmpty else { return nil }
        switch words[0] {
        case "process":
            guard let pid = Int32(words[1]), pid > 1, let start = UInt64(words[2]) else { return nil }
            self = .process(ProcessIdentity(pid: pid, startTicks: start))
        case "cgroup":
            guard let identifier = UInt64(words[1]) else { return nil }
            self = .cgroup(path: String(words[2]), identifier: identifier)
        case "unit":
            guard words[1].count == 32, words[1].allSatisfy(\.isHexDigit) else { return nil }
            self = .unit(name: String(words[2]), invocation: String(words[1]))
        default:
            return nil
        }
    }
}
