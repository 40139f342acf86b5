internal import LinuxSupport

/// A unit of systemd, frozen and thawed by systemd. One question is under way at a time: a freeze and a thaw
/// of one unit refuse each other.
final class UnitTarget: PauseTarget {
    let key: String
    var onGone: (String) -> Void = { _ in }
    var onNotice: (String) -> Void = { _ in }

    private let name: String
    private let invocation: String
    private let units: SystemdUnits
    private let loop: EventLoop
    private var following: SystemdUnits.Following?
    private var retry: LoopTimer?
    /// Whether an answer is awaited, and what comes after it.
    private var isBusy = false
    private var next: [() -> Void] = []
    private var isGone = false
    private var lastNotice: String?

    /// - Parameters:
    ///   - name: the unit's main name.
    ///   - invocation: which of its runs is meant.
    init(name: String, invocation: String, units: SystemdUnits, loop: EventLoop) {
        self.name = name
        self.invocation = invocation
        key = PausedTarget.unit(name: name, invocation: invocation).key
        self.units = units
        self.loop = loop
    }

    /// Notices from now on when the unit ends.
    func follow() throws(SystemError) {
        following = try units.follow(name) { [weak self] in self?.checkWhetherItRuns() }
        // It may have ended before.
        checkWhetherItRuns()
    }

    func survey(_ completion: @escaping (Survey) -> Void) {
        enqueue { [self] in
            units.describe(name) { [self] result in
                defer { done() }
                switch result {
                case .failure(let error): completion(.impossible(error.description))
                case .success(let unit) where !isSame(unit): completion(.still)
                case .success(let unit) where unit.freezerState != "running": completion(.still)
                case .success: completion(.running([.unit(name: name, invocation: invocation)]))
                }
            }
        }
    }

    func stop(_ progress: PauseProgress) {
        enqueue { [self] in
            units.freeze(name) { [self] error in
                defer { done() }
                if let error { return onNotice("not frozen: \(error)") }
                progress.isStill()
            }
        }
    }

    func release(_ completion: @escaping () -> Void) {
        enqueue { [self] in
            thaw(pause: Limits.thawPauseMicrosecondsMin) { [self] in
                completion()
                done()
            }
        }
    }

    /// Tries until it goes on, or is no longer there. This object lives until then.
    private func thaw(pause: Int64, _ completion: @escaping () -> Void) {
        units.describe(name) { [self] result in
            // Where the freeze was refused there is nothing to thaw, and a thaw that comes late would undo
            // the next freeze.
            if case .success(let unit) = result, !isSame(unit) || unit.freezerState == "running" {
                return completion()
            }
            units.thaw(name) { [self] error in
                guard let error else { return completion() }
                note("not thawed, trying again: \(error)")
                retry = try? loop.makeTimer { [self] in
                    retry = nil
                    thaw(pause: min(pause * 2, Limits.thawPauseMicrosecondsMax), completion)
                }
                retry?.arm(at: loop.now + pause)
            }
        }
    }

    /// The same is said once.
    private func note(_ notice: String) {
        if notice != lastNotice { onNotice(notice) }
        lastNotice = notice
    }

    private func isSame(_ unit: SystemdUnits.Unit) -> Bool {
        unit.isRunning && unit.invocation == invocation
    }

    private func checkWhetherItRuns() {
        units.describe(name) { [weak self] result in
            guard let self, !isGone, case .success(let unit) = result, !isSame(unit) else { return }
            isGone = true
            following = nil
            onGone("unit \(name) \(unit.isRunning ? "was started anew" : "is \(unit.activeState)")")
        }
    }

    private func enqueue(_ step: @escaping () -> Void) {
        guard !isBusy else { return next.append(step) }
        isBusy = true
        step()
    }

    private func done() {
        isBusy = false
        guard !next.isEmpty else { return }
        isBusy = true
        next.removeFirst()()
    }
}
