internal import LinuxSupport
internal import NameResolution
internal import Reachability
internal import Varlink

/// Carries out org.adslotd.Reachability.Probe: finds the host's addresses and judges the paths to them.
///
/// A connection has one call open at a time; besides, the probes under way of one user and of all are
/// bounded.
final class ProbeRunner {
    private let resolver: NameResolver
    private let judge: ([IPAddress]) -> PublishedReachability?
    private var running: [Int: Running] = [:]
    private var lastKey = 0

    private struct Running {
        let uid: UInt32
        var resolution: Resolution?
    }

    /// - Parameter judge: the paths to some addresses as they are now, with the sequence and the beginning of
    ///   the state that is posted.
    init(resolver: NameResolver, judge: @escaping ([IPAddress]) -> PublishedReachability?) {
        self.resolver = resolver
        self.judge = judge
    }

    func start(_ call: VarlinkCall) throws(ParameterError) {
        let text = try call.read { parameters throws(ParameterError) in try parameters.string("host") }
        let host: Host
        do throws(HostFault) {
            host = try Host(text)
        } catch {
            // No host is longer; what is sent back stays short whatever was sent.
            let shown = String(text.prefix(Limits.shownHostCharactersMax))
            return call.fail(
                "org.adslotd.Reachability.InvalidHost",
                ["host": .string(shown), "message": .string(error.description)])
        }
        switch host {
        case .address(let address): answer(call, host, .success([address]))
        case .name: resolve(host, for: call)
        }
    }

    private func resolve(_ host: Host, for call: VarlinkCall) {
        // Nobody would learn the answer.
        guard !call.isOneway else { return call.reply() }
        let ofUser = running.values.count { $0.uid == call.peer.uid }
        guard running.count < Limits.probesMax, ofUser < Limits.probesPerUserMax else {
            return answer(call, host, .failure(.busy))
        }
        lastKey += 1
        let key = lastKey
        running[key] = Running(uid: call.peer.uid)
        call.onEnd { [weak self] in self?.running[key] = nil }
        do throws(SystemError) {
            running[key]?.resolution = try resolver.resolve(host) { [unowned self] result in
                running[key] = nil
                answer(call, host, result.map(\.addresses))
            }
        } catch {
            running[key] = nil
            answer(call, host, .failure(.resolver(error.description)))
        }
    }

    private func answer(
        _ call: VarlinkCall, _ host: Host, _ result: Result<[IPAddress], ResolutionFailure>
    ) {
        switch result {
        case .success(let addresses):
            // Nobody is served before the first state is known.
            guard let judged = judge(addresses) else { return call.reply() }
            call.reply(
                EncodedReply { writer in
                    writer.key("reachability")
                    writer.object(judged.write)
                    writer.key("addresses")
                    writer.array { writer in for address in addresses { writer.value(address.description) } }
                })
        case .failure(let failure):
            call.fail(
                "org.adslotd.Reachability.ResolutionFailed",
                ["host": .string(host.description), "message": .string(failure.description)])
        }
    }
}
