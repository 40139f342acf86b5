internal import AdSources
internal import Campaigns
internal import Configuration
internal import Ledger
internal import LinuxSupport
internal import Reachability

/// The files of creatives that name an address: hands the inventory, the path and the bounds on to
/// ``CreativeFetcher``, and says in the log what comes of it.
final class CreativeService {
    private let fetcher: CreativeFetcher

    /// Takes up what an earlier run fetched, and completes the campaigns that the house service has.
    init(
        loop: EventLoop, log: Log, configuration: Configuration, ledger: LedgerService, http: SharedHTTP,
        house: HouseService
    ) throws(SystemError) {
        fetcher = try CreativeFetcher(
            CreativeCache.Settings(configuration),
            in: CreativeFetcher.Surroundings(
                loop: loop, http: http, ledger: ledger.ledger, clocks: { ledger.clocks() },
                moment: { house.ads.moment },
                onNotice: { log.write($0.isTrouble ? .warning : .info, "creatives", $0.description) }))
        fetcher.onChange = { [unowned house] in house.take($0) }
        fetcher.start(with: house.takeAddressed())
    }

    /// The inventory has changed: it goes on to the house service, completed by the files that are there.
    func take(_ change: InventoryChange) { fetcher.take(change) }

    /// The posted state of the network.
    func note(_ state: ReachabilityState) { fetcher.setPath(CreativeCache.Path(state)) }

    /// Takes a configuration into force.
    func configure(_ configuration: Configuration) {
        fetcher.configure(CreativeCache.Settings(configuration))
    }

    /// The wall clock was set, or the machine woke up.
    func clockStepped() { fetcher.clockChanged() }

    /// An ad that is drawn from a file was taken.
    func noteUse(ofFileAt path: String) { fetcher.noteUse(ofFileAt: path) }

    /// How it stands with the file of an address, in words for people.
    func standing(of address: String) -> String {
        switch fetcher.standing(of: address) {
        case .whole: "fetched"
        case .underWay: "being fetched"
        case .missing(nil): "waits to be fetched"
        case .missing(let reason?): "not fetched: \(reason)"
        }
    }
}

extension CreativeCache.Settings {
    fileprivate init(_ configuration: Configuration) {
        self.init(
            sizeMaxBytes: configuration.creatives.sizeMaxBytes,
            meteredBudgetBytes: configuration.creatives.meteredBudgetBytes, zone: configuration.schedule.zone)
    }
}

extension CreativeCache.Path {
    fileprivate init(_ state: ReachabilityState) {
        self =
            if !state.reachable {
                .none
            } else if state.expensive {
                .metered
            } else if state.status == .wifi || state.status == .ethernet {
                .local
            } else {
                .other
            }
    }
}
