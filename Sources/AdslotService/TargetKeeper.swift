internal import LinuxSupport
internal import NameResolution
internal import Reachability

/// Keeps the target of `Target=` resolved: carries out what a ``HostTracker`` decides.
final class TargetKeeper {
    /// Is told of the target to judge from now on.
    var onTarget: (Target) -> Void = { _ in }
    /// Says how the path to the target in force is judged now.
    var isPathUsable: () -> Bool = { false }

    private let loop: EventLoop
    private let log: Log
    private let resolver: NameResolver
    private var host: Host?
    private var tracker: HostTracker?
    private var resolution: Resolution?
    private var timer: LoopTimer?
    private var isFailing = false

    init(loop: EventLoop, log: Log, resolver: NameResolver) throws(SystemError) {
        self.loop = loop
        self.log = log
        self.resolver = resolver
        timer = try loop.makeTimer { [unowned self] in handle(.timer) }
        resolver.onConfigurationChange = { [unowned self] in handle(.changed) }
    }

    /// Takes another target into force: at once where it needs no name server; of a name, with its first
    /// answer, or when that takes too long.
    func follow(_ host: Host?) {
        self.host = host
        resolution = nil
        tracker = nil
        timer?.disarm()
        isFailing = false
        switch host {
        case nil: onTarget(.internet)
        case .address(let address): onTarget(.resolved([address]))
        case .name:
            tracker = HostTracker(startingAt: loop.instant)
            handle(.timer)
        }
    }

    /// Links, addresses or routes have changed.
    func networkChanged() {
        handle(.changed)
    }

    private func handle(_ event: HostTracker.Event) {
        guard let effects = tracker?.handle(event, at: loop.instant) else { return }
        if let deadline = tracker?.deadline {
            timer?.arm(at: deadline.microseconds)
        } else {
            timer?.disarm()
        }
        for effect in effects {
            switch effect {
            case .resolve: resolve()
            case .aim(let target):
                log(target)
                onTarget(target)
            }
        }
    }

    private func resolve() {
        guard let host else { return }
        do throws(SystemError) {
            resolution = try resolver.resolve(host) { [unowned self] result in
                resolution = nil
                take(result)
            }
        } catch {
            take(.failure(.resolver(error.description)))
        }
    }

    private func take(_ result: Result<ResolvedHost, ResolutionFailure>) {
        switch result {
        case .success(let found):
            isFailing = false
            handle(.resolved(found.addresses, lifetime: found.lifetime))
        case .failure(let failure):
            // Of a row of failures the first is worth a line that everybody sees.
            log.write(isFailing ? .debug : .warning, "target", "\(name): \(failure), trying again")
            isFailing = true
            handle(.failed(isFinal: failure.isFinal, isPathUsable: isPathUsable()))
        }
    }

    private func log(_ target: Target) {
        switch target {
        case .internet: break
        case .resolved(let addresses):
            let texts = addresses.map(\.description).joined(separator: " ")
            log.write(.info, "target", "\(name) has \(texts)")
        case .unresolved: log.write(.info, "target", "\(name) has no address that is known")
        }
    }

    private var name: String { host?.description ?? "" }
}
