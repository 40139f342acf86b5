internal import LinuxSupport

/// A control group, frozen and thawed by its freezer.
final class ControlGroupTarget: PauseTarget {
    let key: String
    var onGone: (String) -> Void = { _ in }
    var onNotice: (String) -> Void = { _ in }

    private let group: ControlGroup
    private let hierarchy: ControlGroupHierarchy
    private var watch: ControlGroup.Watch?
    private var phase = Phase.idle

    private enum Phase {
        /// Not frozen by this daemon. Moves to: freezing, gone.
        case idle
        /// Told to freeze, and awaited. Moves to: frozen, idle, gone.
        case freezing(PauseProgress)
        /// All of it stood still. Moves to: idle, gone.
        case frozen(isDisturbed: Bool)
        /// It was removed.
        case gone
    }

    init(_ group: ControlGroup, in hierarchy: ControlGroupHierarchy, loop: EventLoop) throws(SystemError) {
        self.group = group
        self.hierarchy = hierarchy
        key = PausedTarget.cgroup(path: group.path, identifier: group.identifier).key
        watch = try group.watch(on: loop) { [unowned self] in look() }
    }

    func survey(_ completion: @escaping (Survey) -> Void) {
        do throws(SystemError) {
            // This process may have been moved since.
            if try hierarchy.holdsThisProcess(group.path) {
                completion(.impossible("the daemon itself is in \(group.path.printable)"))
            } else if try group.isToldToFreeze() {
                completion(.still)
            } else {
                completion(.running([.cgroup(path: group.path, identifier: group.identifier)]))
            }
        } catch {
            completion(error.isGone ? .still : .impossible(error.description))
        }
    }

    func stop(_ progress: PauseProgress) {
        phase = .freezing(progress)
        do throws(SystemError) {
            try group.setFrozen(true)
        } catch {
            if !error.isGone { onNotice("not frozen: \(error)") }
        }
        look()
    }

    func release(_ completion: @escaping () -> Void) {
        if case .gone = phase {} else { phase = .idle }
        do throws(SystemError) {
            try group.setFrozen(false)
        } catch {
            if !error.isGone { onNotice("not thawed: \(error)") }
        }
        completion()
    }

    private func look() {
        if case .gone = phase { return }
        do throws(SystemError) {
            let isFrozen = try group.isFrozen()
            switch phase {
            case .freezing(let progress) where isFrozen:
                phase = .frozen(isDisturbed: false)
                progress.isStill()
            case .frozen(let isDisturbed) where isFrozen == isDisturbed:
                if !isFrozen { onNotice("was thawed by somebody else, left alone") }
                phase = .frozen(isDisturbed: !isFrozen)
            case .idle, .freezing, .frozen, .gone: break
            }
        } catch {
            guard error.isGone else { return onNotice("cannot be looked at: \(error)") }
            phase = .gone
            watch = nil
            onGone("control group \(group.path.printable) was removed")
        }
    }
}
