public import Reachability

/// Which notices are sent when: those of one server one after the other, the oldest first. Pure.
///
/// A notice goes only on its answer. Whoever sends it stops at nothing in between, so that after a crash
/// between the answer and the deletion it is sent again: HTTP can do no better without the server's help.
///
/// A server that fails is left alone for a while that doubles; the others go on meanwhile. Failures while
/// the network is not reachable count for nothing.
public struct Outbox: Sendable {
    private struct Lane: Sendable {
        var waiting: [OutboundNotice] = []
        var isUnderWay = false
        var failures = 0
        var notBefore: Instant?
        /// The server wants to be left alone until then, whatever becomes of the network.
        var askedPause: Instant?
    }

    /// What became of a notice.
    public enum Verdict: Equatable, Sendable {
        /// The server has it.
        case delivered
        /// It will never be sent; why.
        case givenUp(OutboundNotice, reason: String)
        /// It is tried again.
        case waits(attempts: Int)
    }

    private var lanes: [String: Lane] = [:]
    private var known: Set<String> = []
    private var isReachable = false
    private var underWay = 0

    /// Takes up the notices that an earlier run left, oldest first.
    public init(_ notices: [OutboundNotice] = []) {
        for notice in notices { append(notice) }
    }

    /// How many wait, those under way included.
    public var count: Int { known.count }

    /// The moment of the oldest one that waits, in microseconds since the Unix epoch.
    public var oldest: Int64? { lanes.values.compactMap { $0.waiting.first?.wall }.min() }

    /// Takes a notice; one that it has already changes nothing.
    /// - Returns: the notice that makes room for it where there is none; that one is given up.
    public mutating func add(_ notice: OutboundNotice) -> OutboundNotice? {
        guard !known.contains(notice.id) else { return nil }
        guard notice.url.utf8.count <= Limits.noticeURLBytesMax else { return notice }
        var displaced: OutboundNotice?
        if known.count >= Limits.noticesMax {
            displaced = removeOldest()
            guard displaced != nil else { return notice }
        }
        append(notice)
        return displaced
    }

    private mutating func append(_ notice: OutboundNotice) {
        guard known.insert(notice.id).inserted else { return }
        lanes[notice.origin, default: Lane()].waiting.append(notice)
    }

    private mutating func removeOldest() -> OutboundNotice? {
        func place(_ lane: Lane) -> Int { lane.isUnderWay ? 1 : 0 }
        let oldest = lanes.filter { $0.value.waiting.count > place($0.value) }
            .min { left, right in
                let walls = [left, right].map { $0.value.waiting[place($0.value)].wall }
                return (walls[0], left.key) < (walls[1], right.key)
            }
        guard let (origin, lane) = oldest else { return nil }
        let notice = lanes[origin]?.waiting.remove(at: place(lane))
        if let notice { known.remove(notice.id) }
        return notice
    }

    /// The network was lost or gained. After a gain every server is tried soon.
    public mutating func setReachable(
        _ reachable: Bool, at now: Instant, using generator: inout some RandomNumberGenerator
    ) {
        guard reachable != isReachable else { return }
        isReachable = reachable
        guard reachable else { return }
        let jitter = Int64.random(
            in: 0...Limits.noticeGainJitterMax.microseconds, using: &generator)
        for (origin, lane) in lanes {
            lanes[origin]?.notBefore = max(now + .microseconds(jitter), lane.askedPause ?? now)
        }
    }

    /// When something is due, `nil` while nothing is.
    public var deadline: Instant? {
        guard isReachable, underWay < Limits.noticesUnderWayMax else { return nil }
        return lanes.values.filter { !$0.isUnderWay && !$0.waiting.isEmpty }
            .map { $0.notBefore ?? Instant(microseconds: .min) }.min()
    }

    /// Takes out what is to be sent now, oldest first.
    public mutating func due(at now: Instant) -> [OutboundNotice] {
        guard isReachable else { return [] }
        let ready = lanes.filter { lane in
            !lane.value.isUnderWay && !lane.value.waiting.isEmpty && lane.value.notBefore ?? now <= now
        }
        .sorted { ($0.value.waiting[0].wall, $0.key) < ($1.value.waiting[0].wall, $1.key) }
        .prefix(max(0, Limits.noticesUnderWayMax - underWay))
        return ready.map { origin, lane in
            lanes[origin]?.isUnderWay = true
            underWay += 1
            return lane.waiting[0]
        }
    }

    /// An answer came, or none.
    public mutating func answered(
        _ notice: OutboundNotice, _ answer: NoticeAnswer, at clocks: Clocks,
        using generator: inout some RandomNumberGenerator
    ) -> Verdict {
        let origin = notice.origin
        guard var lane = lanes[origin], lane.isUnderWay, lane.waiting.first?.id == notice.id else {
            return .waits(attempts: notice.attempts)
        }
        lane.isUnderWay = false
        underWay -= 1
        defer { lanes[origin] = lane.waiting.isEmpty ? nil : lane }
        func remove() {
            lane.waiting.removeFirst()
            known.remove(notice.id)
        }
        let failure: String
        lane.askedPause = nil
        switch answer {
        // A server that has it already has it.
        case .status(200..<300, _), .status(409, _):
            remove()
            (lane.failures, lane.notBefore) = (0, nil)
            return .delivered
        case .status(let status, _) where ![408, 425, 429].contains(status) && status < 500:
            remove()
            (lane.failures, lane.notBefore) = (0, nil)
            return .givenUp(notice, reason: "the server answered \(status)")
        case .unsendable(let reason):
            remove()
            return .givenUp(notice, reason: reason)
        case .status(let status, let retryAfter):
            failure = "the server answered \(status)"
            lane.askedPause = retryAfter.map { clocks.now + Self.pause(asked: $0, using: &generator) }
        case .failed(let reason):
            guard isReachable else { return .waits(attempts: notice.attempts) }
            failure = reason
        }
        lane.failures += 1
        lane.notBefore =
            lane.askedPause ?? clocks.now + Self.pause(after: lane.failures, using: &generator)
        lane.waiting[0].attempts += 1
        let attempts = lane.waiting[0].attempts
        guard let bound = Self.bound(lane.waiting[0], at: clocks) else { return .waits(attempts: attempts) }
        let givenUp = lane.waiting[0]
        remove()
        return .givenUp(givenUp, reason: "\(bound): \(failure)")
    }

    /// Why a notice that failed again is not tried any more, `nil` where it is.
    private static func bound(_ notice: OutboundNotice, at clocks: Clocks) -> String? {
        if notice.attempts >= Limits.noticeAttemptsMax { return "tried \(notice.attempts) times" }
        let isAgeKnown = notice.isTrusted && clocks.isTrusted
        let isOld = clocks.wall - notice.wall > Limits.noticeAgeMax.microseconds
        return isAgeKnown && isOld ? "too old" : nil
    }

    /// What the server asked for, within bounds, with up to a fifth of jitter more: it asks it of many.
    private static func pause(
        asked: Duration, using generator: inout some RandomNumberGenerator
    ) -> Duration {
        let pause = min(max(asked, Limits.noticePause.least), Limits.noticePause.most)
        return .microseconds(pause.microseconds * Int64.random(in: 100...120, using: &generator) / 100)
    }

    /// Doubling from failure to failure, with a fifth of jitter either way.
    private static func pause(
        after failures: Int, using generator: inout some RandomNumberGenerator
    ) -> Duration {
        let doublings = min(failures - 1, 20)
        let pause = min(Limits.noticeRetryMin * (1 << doublings), Limits.noticeRetryMax)
        return .microseconds(pause.microseconds * Int64.random(in: 80...120, using: &generator) / 100)
    }
}
