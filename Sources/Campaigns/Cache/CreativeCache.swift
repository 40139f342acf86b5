/// Which files of creatives are fetched from their addresses when, and which go. Pure.
///
/// A file that a running campaign wants is worth more than one that is wanted later, that more than one that
/// nobody wants; among the latter the one that was used last. Only what is worth less makes room, so that no
/// two files drive each other out for ever. Over a path that costs money only what running campaigns want is
/// fetched, within a budget a day; what is wanted later is fetched over Wi-Fi and Ethernet alone.
///
///     cache.want(files)
///     while let fetch = cache.nextFetch(at: now) { … }
///     cache.ended(address, received: n, at: later)
///     if case .keep(let evicted) = cache.verdict(on: address, sizeBytes: n) {
///         cache.kept(address, sizeBytes: n, evicting: evicted)
///     }
public struct CreativeCache: Sendable {
    /// The bounds.
    public struct Settings: Hashable, Sendable {
        /// How many bytes all files may have.
        public var sizeMaxBytes: Int64
        /// How many bytes a day may be fetched over paths that cost money.
        public var meteredBudgetBytes: Int64
        /// The zone whose days those are.
        public var zone: TimeZoneRules

        /// Creates bounds.
        public init(sizeMaxBytes: Int64, meteredBudgetBytes: Int64, zone: TimeZoneRules = .utc) {
            self.sizeMaxBytes = sizeMaxBytes
            self.meteredBudgetBytes = meteredBudgetBytes
            self.zone = zone
        }
    }

    /// The path to the internet, as far as it matters here.
    public enum Path: Hashable, Sendable {
        /// There is none.
        case none
        /// It costs money.
        case metered
        /// It costs nothing and is neither Wi-Fi nor Ethernet.
        case other
        /// Wi-Fi or Ethernet that costs nothing.
        case local
    }

    /// A file to be fetched now.
    public struct Fetch: Hashable, Sendable {
        /// From where.
        public var address: String
        /// How many bytes may come; more end it.
        public var bytesMax: Int64
        /// What bounds them.
        public var bound: Bound

        /// What bounds the bytes that may come.
        public enum Bound: Hashable, Sendable {
            /// No file may have more.
            case file
            /// There is no room for more.
            case room
            /// No more is left of the day's budget.
            case budget
        }
    }

    /// Why a file did not come.
    public enum Failure: Hashable, Sendable {
        /// The server could not be reached, or failed: it is tried again soon.
        case passing
        /// What came is of no use: it is tried again much later.
        case useless
        /// It is longer than was allowed: it is tried again when more is.
        case tooLong(Fetch.Bound)
    }

    /// Whether a file that came is kept.
    public enum Verdict: Equatable, Sendable {
        /// It is, and these make room for it, in this order.
        case keep(evicting: [String])
        /// There is no room that it is worth.
        case noRoom
        /// Nobody wants it any more.
        case unwanted
    }

    private struct Entry: Sendable {
        /// Bytes of the file that is there; nil without one.
        var sizeBytes: Int64?
        /// Its place in the order of uses; the higher, the later.
        var use: Int64 = 0
        /// Moves to: nil, when the fetch has ended.
        var underWay: UnderWay?
        var failures = 0
        var lastFailure: Failure?
        /// By the steady clock, in milliseconds.
        var notBefore: Int64?
        /// How many bytes it takes at the least, as far as that is known.
        var knownBytes: Int64 = 0
    }

    private struct UnderWay: Sendable {
        let isMetered: Bool
    }

    /// The bounds in force.
    public var settings: Settings
    /// What was fetched today over paths that cost money.
    public private(set) var meteredUse: MeteredUse
    private var path = Path.none
    private var entries: [String: Entry] = [:]
    private var wanted: [WantedFile] = []
    private var needs: [String: WantedFile.Need] = [:]
    private var sizeBytes: Int64 = 0
    private var lastUse: Int64 = 0

    /// Takes up what is there.
    /// - Parameter kept: the files with their sizes, the one that was used last at the end.
    public init(_ settings: Settings, keeping kept: [(address: String, sizeBytes: Int64)], use: MeteredUse) {
        self.settings = settings
        meteredUse = use
        for file in kept {
            lastUse += 1
            entries[file.address, default: Entry()].sizeBytes = file.sizeBytes
            entries[file.address]?.use = lastUse
            sizeBytes += file.sizeBytes
        }
    }

    /// Says what is wanted from now on, the most urgent first.
    public mutating func want(_ files: [WantedFile]) {
        wanted = files
        needs = Dictionary(files.map { ($0.address, $0.need) }, uniquingKeysWith: { first, _ in first })
        entries = entries.filter {
            needs[$0.key] != nil || $0.value.sizeBytes != nil || $0.value.underWay != nil
        }
    }

    /// The path has changed.
    /// - Returns: the fetches that must end, since they would go on where they are not allowed; whoever ends
    ///   them says so (`ended`).
    public mutating func setPath(_ path: Path) -> [String] {
        guard path != self.path else { return [] }
        let wasNone = self.path == .none
        self.path = path
        if wasNone {
            // What failed for want of a network, or seemed to, is tried at once.
            for address in entries.keys where entries[address]?.lastFailure == .passing {
                entries[address]?.notBefore = nil
            }
        }
        let underWay = entries.filter { $0.value.underWay != nil }.keys.sorted()
        return path == .none || path == .metered ? underWay : underWay.filter { !isAllowed($0) }
    }

    /// The file that is to be fetched next; it counts as under way from then on. Nil when there is none now.
    public mutating func nextFetch(at moment: Moment) -> Fetch? {
        meteredUse.renew(at: moment, in: settings.zone)
        let underWay = entries.values.count { $0.underWay != nil }
        guard path != .none, underWay < (path == .metered ? 1 : Limits.fetchesMax) else { return nil }
        let ranking = ranking
        for file in wanted {
            let entry = entries[file.address] ?? Entry()
            guard entry.sizeBytes == nil, entry.underWay == nil, isAllowed(file.address),
                entry.notBefore.map({ $0 <= moment.steadyMilliseconds }) ?? true
            else { continue }
            let (bytes, bound) = bytesAllowed(for: file.need, ranking)
            guard bytes > 0, bytes >= entry.knownBytes else { continue }
            entries[file.address, default: Entry()].underWay = UnderWay(isMetered: path == .metered)
            return Fetch(address: file.address, bytesMax: bytes, bound: bound)
        }
        return nil
    }

    /// When there may be something to fetch again though nothing happens; nil when there will not.
    /// - Returns: the moment by the steady clock, in milliseconds.
    public func nextChange(at moment: Moment) -> Int64? {
        guard path != .none else { return nil }
        let missing = wanted.filter { isAllowed($0.address) && entries[$0.address]?.sizeBytes == nil }
        let retries = missing.compactMap { entries[$0.address]?.notBefore }
            .filter { $0 > moment.steadyMilliseconds }
        guard path == .metered, !missing.isEmpty else { return retries.min() }
        let renewal = moment.steadyMilliseconds + meteredUse.millisecondsLeft(at: moment, in: settings.zone)
        return (retries + [renewal]).min()
    }

    /// A fetch is over, however it ended; said before anything else of it.
    /// - Parameter received: the bytes that came. They count where the fetch began.
    public mutating func ended(_ address: String, received: Int64, at moment: Moment) {
        let isMetered = entries[address]?.underWay?.isMetered ?? false
        entries[address]?.underWay = nil
        if isMetered { meteredUse.add(received, at: moment, in: settings.zone) }
        if needs[address] == nil, entries[address]?.sizeBytes == nil { entries[address] = nil }
    }

    /// Whether a whole and fitting file that has come is to be kept.
    public func verdict(on address: String, sizeBytes size: Int64) -> Verdict {
        guard let need = needs[address] else { return .unwanted }
        let missing = sizeBytes + size - settings.sizeMaxBytes
        return ranking.evictions(toFree: missing, for: need).map { .keep(evicting: $0) } ?? .noRoom
    }

    /// A file is there, as the verdict said.
    public mutating func kept(_ address: String, sizeBytes size: Int64, evicting evicted: [String]) {
        for other in evicted { drop(other) }
        drop(address)
        lastUse += 1
        entries[address] = Entry(sizeBytes: size, use: lastUse)
        sizeBytes += size
    }

    /// There was no room for a file.
    public mutating func refused(_ address: String, sizeBytes size: Int64) {
        entries[address]?.knownBytes = size
    }

    /// A fetch has brought nothing that could be kept.
    ///
    /// - Parameters:
    ///   - received: the bytes that came nevertheless.
    ///   - least: how long the server wants to be left alone, in milliseconds.
    ///   - generator: for the jitter of ±20 %, so that many devices do not come back at once.
    /// - Returns: how long it is left alone, in milliseconds; 0 where that depends on other things than time.
    @discardableResult
    public mutating func failed(
        _ address: String, _ failure: Failure, received: Int64, atLeast least: Int64 = 0, at moment: Moment,
        using generator: inout some RandomNumberGenerator
    ) -> Int64 {
        guard needs[address] != nil else { return 0 }
        var entry = entries[address] ?? Entry()
        entry.failures += 1
        entry.lastFailure = failure
        if case .tooLong(let bound) = failure {
            entry.knownBytes = max(entry.knownBytes, received + 1)
            if bound != .file {
                entry.notBefore = nil
                entries[address] = entry
                return 0
            }
        }
        let range = failure == .passing ? Limits.fetchRetryMilliseconds : Limits.uselessRetryMilliseconds
        let doublings = min(entry.failures - 1, 20)
        let wait = min(max(range.lowerBound << doublings, least), range.upperBound)
        let jittered = wait / 1_000 * Int64.random(in: 800...1_200, using: &generator)
        entry.notBefore = moment.steadyMilliseconds + max(jittered, min(least, range.upperBound))
        entries[address] = entry
        return jittered
    }

    /// A file was shown.
    public mutating func used(_ address: String) {
        guard entries[address]?.sizeBytes != nil else { return }
        lastUse += 1
        entries[address]?.use = lastUse
    }

    /// A file is there no more, whoever took it away.
    public mutating func drop(_ address: String) {
        guard let size = entries[address]?.sizeBytes else { return }
        sizeBytes -= size
        entries[address]?.sizeBytes = nil
        entries[address]?.knownBytes = size
    }

    /// What has to go so that the bounds hold, after they were changed: the least worth first.
    public mutating func takeSurplus() -> [String] {
        var surplus: [String] = []
        for file in ranking.files where sizeBytes > settings.sizeMaxBytes {
            surplus.append(file.address)
            drop(file.address)
        }
        return surplus
    }

    /// What keeps a file from being fetched now, whatever its turn.
    public enum Obstacle: Hashable, Sendable {
        /// There is no path.
        case noPath
        /// It is wanted later, and the path is not Wi-Fi or Ethernet that costs nothing.
        case notLocal
        /// Nothing is left of the day's budget.
        case budget
    }

    /// What keeps a file from being fetched; nil where nothing does, or nobody wants it.
    public func obstacle(to address: String) -> Obstacle? {
        guard needs[address] != nil else { return nil }
        if path == .none { return .noPath }
        if !isAllowed(address) { return .notLocal }
        return path == .metered && meteredUse.bytes >= settings.meteredBudgetBytes ? .budget : nil
    }

    private func isAllowed(_ address: String) -> Bool {
        switch (path, needs[address]) {
        case (.none, _), (_, nil): false
        case (.local, _?), (_, .now?): true
        case (.metered, .ahead?), (.other, .ahead?): false
        }
    }

    /// How many bytes may come, and what bounds them: the least of all bounds.
    private func bytesAllowed(
        for need: WantedFile.Need, _ ranking: Ranking
    ) -> (bytes: Int64, bound: Fetch.Bound) {
        var least = (bytes: Limits.creativeBytesMax, bound: Fetch.Bound.file)
        let room = room(for: need, ranking)
        if room < least.bytes { least = (room, .room) }
        let left = settings.meteredBudgetBytes - meteredUse.bytes
        if path == .metered, left < least.bytes { least = (left, .budget) }
        return least
    }

    /// How many bytes a file may have that is wanted so.
    private func room(for need: WantedFile.Need, _ ranking: Ranking) -> Int64 {
        settings.sizeMaxBytes - sizeBytes + ranking.bytes(below: need)
    }

    private var ranking: Ranking {
        Ranking(
            entries.compactMap { address, entry in
                entry.sizeBytes.map { size in
                    let worth = needs[address].map { Worth.wanted($0) } ?? .unwanted(use: entry.use)
                    return Ranking.File(address: address, sizeBytes: size, worth: worth)
                }
            })
    }
}
