public import Campaigns
internal import HTTPClient
public import Ledger
public import LinuxSupport
internal import Reachability

/// Fetches the files of creatives that name an address, as the cache says, and completes the inventory by
/// those that are there. What is fetched when, and what goes, is the cache's to decide.
public final class CreativeFetcher {
    /// How it stands with a file of an address.
    public enum Standing: Hashable, Sendable {
        /// It is there.
        case whole
        /// It is under way.
        case underWay
        /// It has not come yet; why, where that is known.
        case missing(String?)
    }

    /// What it works with.
    public struct Surroundings {
        let loop: EventLoop
        let http: SharedHTTP
        let ledger: Ledger
        let clocks: () -> Clocks
        let moment: () -> Moment
        let onNotice: (Notice) -> Void

        /// - Parameters:
        ///   - ledger: Keeps what has come.
        ///   - clocks: The present moment, for the ledger.
        ///   - moment: The present moment, with the trust that the wall clock has.
        ///   - onNotice: Is told what somebody should know.
        public init(
            loop: EventLoop, http: SharedHTTP, ledger: Ledger, clocks: @escaping () -> Clocks,
            moment: @escaping () -> Moment, onNotice: @escaping (Notice) -> Void
        ) {
            self.loop = loop
            self.http = http
            self.ledger = ledger
            self.clocks = clocks
            self.moment = moment
            self.onNotice = onNotice
        }
    }

    /// Is told of the inventory, completed; within ``take(_:)`` and whenever a file comes or goes.
    public var onChange: (InventoryChange) -> Void = { _ in }

    private let surroundings: Surroundings
    private var cache: CreativeCache
    private var files: [String: FetchedFile] = [:]
    private var addresses: [String: String] = [:]
    /// The campaigns whose creatives name addresses, and by address.
    private var campaigns: [CampaignID: StoredCampaign] = [:]
    private var users: [String: Set<CampaignID>] = [:]
    private var exchanges: [String: HTTPExchange] = [:]
    private var troubles: [String: String] = [:]
    private var generator = SystemRandomNumberGenerator()
    private var timer: LoopTimer?
    private var savedUse: MeteredUse
    /// When what is wanted changes by itself, as far as it has been told since the inventory last changed.
    private var wantedUntil: WallTime?
    private var isStale = true

    /// Takes up what an earlier run left.
    public init(_ settings: CreativeCache.Settings, in surroundings: Surroundings) throws(SystemError) {
        self.surroundings = surroundings
        // A ledger that cannot be read has said so; then there is nothing to take up.
        let state = (try? surroundings.ledger.fetched(at: surroundings.clocks())) ?? FetchedState()
        savedUse = state.meteredUse
        cache = CreativeCache(
            settings, keeping: state.files.map { ($0.address, $0.file.sizeBytes) }, use: state.meteredUse)
        files = Dictionary(uniqueKeysWithValues: state.files.map { ($0.address, $0) })
        addresses = Dictionary(uniqueKeysWithValues: state.files.map { ($0.file.path, $0.address) })
        timer = try surroundings.loop.makeTimer { [unowned self] in plan() }
    }

    /// Begins with the campaigns that name addresses; those of whose files some are there are told of.
    public func start(with inventory: [StoredCampaign]) {
        for campaign in inventory {
            note(campaign)
            let completed = completed(campaign)
            if completed != campaign { onChange(.put(completed)) }
        }
        isStale = true
        plan()
    }

    /// The inventory has changed.
    public func take(_ change: InventoryChange) {
        isStale = true
        switch change {
        case .put(let campaign):
            note(campaign)
            onChange(.put(completed(campaign)))
        case .removed(let id):
            forget(id)
            onChange(change)
        case .all(let inventory):
            for id in campaigns.keys { forget(id) }
            for campaign in inventory { note(campaign) }
            onChange(.all(inventory.map(completed)))
        }
        plan()
    }

    /// The path to the internet has changed.
    public func setPath(_ path: CreativeCache.Path) {
        for address in cache.setPath(path) {
            guard let exchange = exchanges.removeValue(forKey: address) else { continue }
            exchange.cancel()
            cache.ended(address, received: Int64(exchange.bodyBytesReceived), at: surroundings.moment())
        }
        plan()
    }

    /// Takes other bounds into force.
    public func configure(_ settings: CreativeCache.Settings) {
        guard settings != cache.settings else { return }
        cache.settings = settings
        drop(cache.takeSurplus())
        plan()
    }

    /// The wall clock was set, or is trusted now, or is no longer.
    public func clockChanged() {
        isStale = true
        plan()
    }

    /// A file was shown. Which is seen by its path.
    public func noteUse(ofFileAt path: String) {
        guard let address = addresses[path] else { return }
        cache.used(address)
        // Not worth a word: the order of what goes is then that of the last start.
        try? surroundings.ledger.noteUse(of: address, at: surroundings.clocks())
    }

    /// How it stands with the file of an address.
    public func standing(of address: String) -> Standing {
        if files[address] != nil { return .whole }
        if exchanges[address] != nil { return .underWay }
        return .missing(troubles[address] ?? cache.obstacle(to: address).map(Self.text))
    }

    /// A campaign with the files of its creatives that are there and fit.
    private func completed(_ campaign: StoredCampaign) -> StoredCampaign {
        guard !campaign.addresses.isEmpty else { return campaign }
        var completed = campaign
        for creative in campaign.campaign.creatives {
            guard let file = campaign.addresses[creative.id].flatMap({ files[$0] }),
                (try? file.content.check(fits: creative)) != nil
            else { continue }
            completed.files[creative.id] = file.file
        }
        return completed
    }

    private func note(_ campaign: StoredCampaign) {
        let before = leave(campaign.campaign.id)
        if !campaign.addresses.isEmpty { campaigns[campaign.campaign.id] = campaign }
        for address in campaign.addresses.values { users[address, default: []].insert(campaign.campaign.id) }
        forgetUnused(before)
    }

    private func forget(_ id: CampaignID) { forgetUnused(leave(id)) }

    /// Takes a campaign from the users of its addresses.
    /// - Returns: those addresses.
    private func leave(_ id: CampaignID) -> [String] {
        guard let campaign = campaigns.removeValue(forKey: id) else { return [] }
        for address in campaign.addresses.values { users[address]?.remove(id) }
        return Array(campaign.addresses.values)
    }

    private func forgetUnused(_ addresses: [String]) {
        for address in addresses where users[address]?.isEmpty == true {
            (users[address], troubles[address]) = (nil, nil)
        }
    }

    /// Starts what the cache says.
    private func plan() {
        let moment = surroundings.moment()
        if isStale || wantedUntil.map({ $0 <= moment.wall }) ?? false { sayWhatIsWanted(at: moment) }
        while let fetch = cache.nextFetch(at: moment) { start(fetch) }
        let waits = [
            wantedUntil.map { $0.milliseconds - moment.wall.milliseconds },
            cache.nextChange(at: moment).map { $0 - moment.steadyMilliseconds },
        ]
        guard let wait = waits.compactMap({ $0 }).min() else { return timer?.disarm() ?? () }
        // A little late rather than early, and never so far ahead that the sum would overflow.
        timer?.arm(at: surroundings.loop.now + (min(max(0, wait), Limits.planMillisecondsMax) + 1) * 1_000)
    }

    private func sayWhatIsWanted(at moment: Moment) {
        let creatives = campaigns.values.flatMap { stored in
            stored.addresses.map {
                AddressedCreative(campaign: stored.campaign, creative: $0.key, address: $0.value)
            }
        }
        let (wanted, change) = WantedFile.all(of: creatives, at: moment)
        cache.want(wanted)
        (wantedUntil, isStale) = (change, false)
        // What no campaign names any more, not even one that is over, is of no use to anybody.
        drop(files.keys.filter { users[$0] == nil })
    }

    private func start(_ fetch: CreativeCache.Fetch) {
        var request = HTTPRequest(url: fetch.address)
        request.bodyBytesMax = Int(fetch.bytesMax)
        request.redirectsMax = Limits.redirectsMax
        request.timeout = Limits.fetchTimeout
        do throws(HTTPFailure) {
            exchanges[fetch.address] = try surroundings.http.start(request) { [unowned self] result in
                let received = exchanges.removeValue(forKey: fetch.address)?.bodyBytesReceived ?? 0
                cache.ended(fetch.address, received: Int64(received), at: surroundings.moment())
                take(result, of: fetch)
                saveUse()
                plan()
            }
        } catch {
            cache.ended(fetch.address, received: 0, at: surroundings.moment())
            fail(fetch.address, error.code == .invalidRequest ? .useless : .passing, error.description)
        }
    }

    private func take(_ result: Result<HTTPResponse, HTTPFailure>, of fetch: CreativeCache.Fetch) {
        let address = fetch.address
        switch result {
        case .failure(let failure) where failure.code == .tooLong:
            fail(
                address, .tooLong(fetch.bound), Self.text(fetch.bound, bytesMax: fetch.bytesMax),
                received: Int(fetch.bytesMax))
        case .failure(let failure):
            fail(address, .passing, failure.description)
        case .success(let response) where response.status == 200:
            keep(response.body, of: address)
        case .success(let response):
            let isPassing = response.status >= 500 || response.status == 429 || response.status == 408
            let asked = response.retryAfter(now: SystemClock.realtime() / 1_000_000) ?? .zero
            fail(
                address, isPassing ? .passing : .useless, "status \(response.status)",
                atLeast: asked.microseconds / 1_000)
        }
    }

    private func keep(_ bytes: [UInt8], of address: String) {
        let inspected: InspectedFile
        do throws(FileFault) {
            inspected = try InspectedFile(bytes)
            try check(inspected, of: address)
        } catch {
            return fail(address, .useless, error.description)
        }
        switch cache.verdict(on: address, sizeBytes: Int64(bytes.count)) {
        case .unwanted: break
        case .noRoom:
            cache.refused(address, sizeBytes: Int64(bytes.count))
            let trouble = "SizeMax= has no room for its \(bytes.count) bytes beside what runs"
            troubles[address] = trouble
            surroundings.onNotice(.crowdedOut(address: address, reason: trouble))
        case .keep(let evicted):
            let others = evicted.compactMap { files[$0] }
            do throws(LedgerError) {
                let file = try surroundings.ledger.keep(
                    bytes, inspected, from: address, evicting: others, use: cache.meteredUse,
                    at: surroundings.clocks())
                cache.kept(address, sizeBytes: Int64(bytes.count), evicting: evicted)
                savedUse = cache.meteredUse
                files[address] = file
                addresses[file.file.path] = address
                troubles[address] = nil
                surroundings.onNotice(.fetched(address: address, sizeBytes: bytes.count))
                for other in evicted {
                    forget(fileOf: other)
                    surroundings.onNotice(.evicted(address: other))
                }
                announce([address] + evicted)
            } catch {
                fail(address, .passing, error.description)
            }
        }
    }

    /// Throws what is wrong with a file for all creatives that name it; one that it fits suffices.
    private func check(_ file: InspectedFile, of address: String) throws(FileFault) {
        var fault: FileFault?
        for id in (users[address] ?? []).sorted() {
            for creative in campaigns[id]?.campaign.creatives ?? []
            where campaigns[id]?.addresses[creative.id] == address {
                do throws(FileFault) {
                    return try file.check(fits: creative)
                } catch {
                    fault = fault ?? error
                }
            }
        }
        if let fault { throw fault }
    }

    private func fail(
        _ address: String, _ failure: CreativeCache.Failure, _ reason: String, received: Int = 0,
        atLeast least: Int64 = 0
    ) {
        let wait = cache.failed(
            address, failure, received: Int64(received), atLeast: least, at: surroundings.moment(),
            using: &generator)
        troubles[address] = reason
        surroundings.onNotice(.failed(address: address, reason: reason, retryMilliseconds: wait))
    }

    private func drop(_ addresses: [String]) {
        let dropped = addresses.compactMap { forget(fileOf: $0) }
        guard !dropped.isEmpty else { return }
        for address in addresses { cache.drop(address) }
        // Rows that stay name files that are gone, or not: the next start sees which.
        try? surroundings.ledger.drop(dropped, at: surroundings.clocks())
        for file in dropped { surroundings.onNotice(.evicted(address: file.address)) }
        announce(addresses)
    }

    @discardableResult
    private func forget(fileOf address: String) -> FetchedFile? {
        guard let file = files.removeValue(forKey: address) else { return nil }
        addresses[file.file.path] = nil
        return file
    }

    private func announce(_ addresses: [String]) {
        for id in addresses.reduce(into: Set<CampaignID>(), { $0.formUnion(users[$1] ?? []) }).sorted() {
            if let campaign = campaigns[id] { onChange(.put(completed(campaign))) }
        }
    }

    private func saveUse() {
        guard cache.meteredUse != savedUse else { return }
        savedUse = cache.meteredUse
        try? surroundings.ledger.keep(cache.meteredUse, at: surroundings.clocks())
    }
}
