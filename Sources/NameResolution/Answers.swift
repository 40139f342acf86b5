public import Reachability

/// An address with the time for which it is good.
struct TimedAddress: Hashable, Sendable {
    var address: IPAddress
    var lifetime: Duration
}

/// The addresses of a name.
public struct ResolvedHost: Hashable, Sendable {
    /// IPv4 before IPv6, at least one and at most 16.
    public let addresses: [IPAddress]
    /// For how long they are good: the shortest time to live among them.
    public let lifetime: Duration

    /// Sorts, so that servers that turn the order round say nothing new; where there are too many, each
    /// family keeps at least half of the room.
    init(_ found: [TimedAddress]) {
        let sorted = Set(found.map(\.address)).sorted()
        let ipv4 = sorted.filter { $0.family == .ipv4 }
        let ipv6 = sorted.filter { $0.family == .ipv6 }
        let room = Limits.addressesPerNameMax
        let ipv4Room = max(room / 2, room - ipv6.count)
        let kept = ipv4.prefix(ipv4Room)
        addresses = Array(kept) + ipv6.prefix(room - kept.count)
        lifetime = found.map(\.lifetime).min() ?? .zero
    }

    init(_ addresses: [IPAddress], lifetime: Duration) {
        self.init(addresses.map { TimedAddress(address: $0, lifetime: lifetime) })
    }
}

/// What the servers have said of a name so far, one answer a family.
struct Answers {
    typealias Answer = Result<[TimedAddress], ResolutionFailure>

    private var answers: [AddressFamily: Answer] = [:]

    /// How much is known.
    enum Progress: Equatable {
        /// Nothing that would do.
        case open
        /// Enough to answer, but the other family may still add something.
        case sufficient
        /// Both families have been answered.
        case complete
    }

    mutating func add(_ answer: Answer, of family: AddressFamily) {
        answers[family] = answer
    }

    var progress: Progress {
        if answers.count == AddressFamily.allCases.count { return .complete }
        switch answers.values.first {
        case .success, .failure(.noSuchName): return .sufficient
        case .failure, nil: return .open
        }
    }

    /// What it comes to when nothing more is waited for.
    ///
    /// Addresses of one family are enough. Without any, a failure to ask counts more than the answer that one
    /// family has no address, and that the name does not exist is true of both families.
    var outcome: Result<ResolvedHost, ResolutionFailure> {
        let found = answers.values.flatMap { (try? $0.get()) ?? [] }
        guard found.isEmpty else { return .success(ResolvedHost(found)) }
        let failures = AddressFamily.allCases.map { family -> ResolutionFailure in
            switch answers[family] {
            case .failure(let failure): return failure
            case .success: return .noAddress
            case nil: return .timedOut
            }
        }
        if failures.contains(.noSuchName) { return .failure(.noSuchName) }
        return .failure(failures.first { !$0.isFinal } ?? .noAddress)
    }
}
