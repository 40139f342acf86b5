internal import AdSlots
internal import AdSources
internal import Campaigns
internal import Configuration
internal import Ledger
internal import LinuxSupport
internal import Reachability
internal import Varlink

/// The house campaigns in the daemon: hands the inventory, the clocks and the coordinator's effects on to
/// ``HouseAds``, and what it has to say to the coordinator.
final class HouseService {
    let ads: HouseAds
    /// Is given what the coordinator must be told.
    var onEvent: (Event) -> Void = { _ in }

    /// How they are scheduled.
    private(set) var schedule: ScheduleSettings

    private let log: Log
    private var addressed: [StoredCampaign] = []
    private var timer: LoopTimer?
    private var armed: Instant?

    init(loop: EventLoop, log: Log, configuration: Configuration, ledger: LedgerService) throws(SystemError) {
        self.log = log
        schedule = configuration.schedule
        var generator = SystemRandomNumberGenerator()
        // Without the boot's identifier every start counts as one after a reboot: caps may hold longer.
        ads = HouseAds(
            settings: HouseAds.Settings(configuration.schedule), memory: ledger.ledger.rememberedScheduler,
            boot: (try? Boot.identifier()) ?? "", run: String(generator.next() as UInt64, radix: 36))
        ads.recall = { [unowned ledger] campaign in
            do throws(LedgerError) {
                return try ledger.ledger.cappedImpressions(of: campaign, at: ledger.clocks())
            } catch {
                log.write(.warning, "house", "\(error); caps of campaign \(campaign.value) begin anew")
                return []
            }
        }
        ledger.ledger.wholeScheduler = { [unowned self] in ads.whole() }
        let inventory = ledger.ledger.inventory(at: ledger.clocks())
        addressed = inventory.filter { !$0.addresses.isEmpty }
        warn(of: ads.start(inventory))
        timer = try loop.makeTimer { [unowned self] in
            armed = nil
            tell(ads.timerFired())
        }
        configure(configuration)
    }

    /// Takes a configuration into force, once the coordinator has it.
    func configure(_ configuration: Configuration) {
        schedule = configuration.schedule
        let sources = Set(configuration.sources.filter { $0.kind == .house }.map(\.name))
        let slots = configuration.coordinator.slots
        tell(
            ads.configure(
                HouseAds.Settings(configuration.schedule), slots: slots.map(\.name),
                houseSlots: slots.filter { slot in slot.sources.contains { sources.contains($0.name) } }
                    .map(\.name)))
    }

    /// The inventory is another one.
    func take(_ change: InventoryChange) {
        switch change {
        case .put(let campaign):
            do throws(InvalidCampaign) {
                tell(try ads.put(campaign))
            } catch {
                warn(of: [campaign.campaign.id: error])
            }
        case .removed(let campaign): tell(ads.remove(campaign))
        case .all(let campaigns):
            let (refused, events) = ads.replaceAll(campaigns)
            warn(of: refused)
            tell(events)
        }
    }

    /// The campaigns at the start that have creatives whose files are to be fetched. Asked once.
    func takeAddressed() -> [StoredCampaign] {
        defer { addressed = [] }
        return addressed
    }

    /// What stands for or against each campaign in a slot that asks a house source: lines for Explain.
    /// - Parameter size: the size that the slot would ask for, nil where it asks for none.
    func explanation(slot: String, size: Size?) -> [String] {
        guard ads.asks(slot) else { return [] }
        guard let size else { return ["House campaigns are judged by a size, and none is asked for."] }
        return ads.explanation(slot: slot, size: size)
    }

    /// The wall clock was set, or the machine woke up.
    func clockStepped() { tell(ads.clockStepped()) }

    /// Sets the timer to what is due next.
    func arm() {
        guard armed != ads.deadline else { return }
        armed = ads.deadline
        if let armed { timer?.arm(at: armed.microseconds) } else { timer?.disarm() }
    }

    private func tell(_ events: [Event]) {
        for event in events { onEvent(event) }
        arm()
    }

    /// The inventory refuses what the scheduler does: this is for a row that somebody else has written.
    private func warn(of refused: [CampaignID: InvalidCampaign]) {
        for (campaign, error) in refused.sorted(by: { $0.key < $1.key }) {
            log.write(.warning, "house", "campaign \(campaign.value) is left out: \(error)")
        }
    }
}

extension HouseService {
    /// Writes the members of an org.adslotd.Manager.Schedule.
    func write(to writer: inout JSONWriter) {
        let status = ads.clockStatus
        writer.member("timeZone", schedule.timeZone)
        writer.member("clock", status.trust.word)
        writer.member("campaigns", status.campaigns)
        writer.member("heldBack", status.heldBack)
    }
}

extension ClockTrust {
    /// The word on the wire.
    fileprivate var word: String {
        switch self {
        case .trusted: "trusted"
        case .untrusted(let doubt): doubt.rawValue
        }
    }
}

extension HouseAds.Settings {
    fileprivate init(_ schedule: ScheduleSettings) {
        self.init(
            scheduler: SchedulerSettings(zone: schedule.zone, repeats: schedule.repeats),
            trustsClockAlways: schedule.trustClock == .always)
    }
}
