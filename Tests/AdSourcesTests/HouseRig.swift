import AdSlots
import Campaigns
import Foundation
import Ledger
import Reachability
import Simulation
import Testing

@testable import AdSources

/// A coordinator and house campaigns in virtual time, put together as the daemon does it; both clocks are the
/// test's to turn, and the files of creatives are real.
final class HouseRig {
    /// What the clocks say, shared with the reader that the house ads have.
    final class Clocks {
        var reading: HouseClock.Reading

        init(_ reading: HouseClock.Reading) { self.reading = reading }
    }

    let directory: String
    let clocks: Clocks
    private(set) var ads: HouseAds
    private(set) var coordinator: Coordinator
    private(set) var log: [Effect] = []
    /// The campaigns that came on screen, in order; one that is shown again does not count again.
    private(set) var shown: [Int64] = []
    private var seen: Set<RequestID> = []
    /// What was kept after each event, put together as a ledger would.
    private(set) var kept = SchedulerMemory()
    /// Keeps what was kept before this, so as to see what a kill leaves.
    var isKeeping = true
    var settings: CoordinatorSettings
    /// How sources of other kinds answer, by name.
    var others: [String: Result<AdSlots.Creative, SourceError>] = [:]
    private(set) var inventory: [CampaignID: StoredCampaign] = [:]
    private var houseSettings: HouseAds.Settings
    private var random = SeededGenerator(seed: 7)
    private var asked: [SourceRequest] = []
    private var hosts = 0
    private var runs = 0

    init(
        slots: [SlotSettings] = [.house("banner")], synchronised: Bool = true,
        _ houseSettings: HouseAds.Settings = HouseAds.Settings()
    ) throws {
        directory = NSTemporaryDirectory() + "/adslotd-house-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: false)
        clocks = Clocks(
            HouseClock.Reading(
                boottime: 1_000_000_000, realtime: WallTime.noon.milliseconds * 1_000,
                isSynchronised: synchronised))
        settings = CoordinatorSettings(slots: slots)
        self.houseSettings = houseSettings
        coordinator = Coordinator(
            settings: settings, reachable: true, at: Instant(microseconds: 1_000_000_000))
        ads = HouseAds(boot: "boot", run: "0", clock: HouseClock())
        restart()
    }

    deinit { try? FileManager.default.removeItem(atPath: directory) }

    var now: Instant { Instant(microseconds: clocks.reading.boottime) }
    var wall: WallTime { WallTime(milliseconds: clocks.reading.realtime / 1_000) }

    /// The daemon was killed and starts again.
    func restart(boot: String = "boot") {
        runs += 1
        (asked, seen) = ([], [])
        let clocks = clocks
        ads = HouseAds(
            settings: houseSettings, memory: kept, boot: boot, run: "run\(runs)",
            clock: HouseClock { clocks.reading })
        #expect(ads.start(inventory.values.sorted { $0.campaign.id < $1.campaign.id }).isEmpty)
        coordinator = Coordinator(
            settings: settings, reachable: true, at: now, remembering: coordinator.memories)
        tell(configureAds())
    }

    func configureAds() -> [Event] {
        ads.configure(
            houseSettings, slots: settings.slots.map(\.name),
            houseSlots: settings.slots.filter { $0.sources.contains { !$0.isNetwork } }.map(\.name))
    }

    func reconfigure(_ slots: [SlotSettings], _ houseSettings: HouseAds.Settings? = nil) {
        settings = CoordinatorSettings(slots: slots)
        self.houseSettings = houseSettings ?? self.houseSettings
        perform(.configure(settings))
        tell(configureAds())
    }

    // MARK: Events

    @discardableResult
    func perform(_ event: Event) -> [Effect] {
        var slot: String?
        if case .update(let host, _, _) = event { slot = coordinator.slot(of: host)?.name }
        if let earlier = ads.unshowable(beforeEventOf: slot) { handle(earlier) }
        return handle(event)
    }

    @discardableResult
    private func handle(_ event: Event) -> [Effect] {
        let effects = coordinator.handle(event, at: now, using: &random)
        ads.follow(effects, after: event) { $0 != "test" }
        if isKeeping, let changes = ads.takeChanges() {
            if changes.isWhole { kept = changes.memory } else { kept.merge(changes.memory) }
            for id in changes.removed { kept.campaigns.removeAll { $0.campaign == id } }
        }
        log += effects
        for effect in effects {
            switch effect {
            case .request(let request): asked.append(request)
            case .cancel(let request): asked.removeAll { $0.id == request }
            case .command(_, let command):
                guard command.kind == .show, let creative = command.creative, let request = creative.request,
                    seen.insert(request).inserted, let campaign = creative.campaign
                else { break }
                shown.append(Int64(campaign.prefix { $0 != " " }) ?? 0)
            default: break
            }
        }
        return effects
    }

    func tell(_ events: [Event]) {
        for event in events { perform(event) }
    }

    /// Gives the answers that are due, until nobody asks any more.
    func answer() {
        while !asked.isEmpty {
            let request = asked.removeFirst()
            let answer =
                others[request.source.name].map { judged($0, request) }
                ?? ads.answer(to: request, source: request.source.name)
            perform(.sourceAnswered(request: request.id, answer.result, detail: answer.detail))
        }
    }

    /// An exchange's answer, as the source of its kind judges it.
    private func judged(
        _ result: Result<AdSlots.Creative, SourceError>, _ request: SourceRequest
    ) -> SourceAnswer {
        guard case .success(let creative) = result, creative.source == "exchange" else {
            return SourceAnswer(result)
        }
        let separation = Separation(domains: creative.advertiserDomains, categories: creative.categories)
        let competitor = ads.competitor(of: separation, besides: request.slot)
        return SourceAnswer(competitor == nil ? result : .failure(.noFill))
    }

    /// Takes the next answer and loses it: whoever asked has gone.
    func loseAnswer() -> SourceAnswer? {
        asked.isEmpty ? nil : ads.answer(to: asked.removeFirst(), source: "house")
    }

    /// Lets time pass; what is due meanwhile is done when it is.
    func run(for duration: Duration) {
        let end = now + duration
        answer()
        while let due = [coordinator.deadline, ads.deadline].compactMap(\.self).min(), due <= end {
            advance(to: max(due, now))
            if let deadline = coordinator.deadline, deadline <= now { perform(.timer) }
            if let deadline = ads.deadline, deadline <= now { tell(ads.timerFired()) }
            answer()
        }
        advance(to: end)
    }

    private func advance(to moment: Instant) {
        let passed = moment.microseconds - clocks.reading.boottime
        clocks.reading.boottime += passed
        clocks.reading.realtime += passed
    }

    /// Somebody sets the wall clock.
    func stepClock(by seconds: Int64) {
        clocks.reading.realtime += seconds * 1_000_000
        tell(ads.clockStepped())
        answer()
    }

    @discardableResult
    func attach(_ slot: String = "banner", visible: Bool = true) -> HostID {
        hosts += 1
        let host = HostID(hosts)
        perform(
            .attach(
                slot: slot, host: host, name: nil, viewport: Size(width: 400, height: 800), visible: visible))
        answer()
        return host
    }

    func see(_ host: HostID, _ visible: Bool) {
        perform(.update(host: host, viewport: nil, visible: visible))
        answer()
    }

    // MARK: Campaigns

    /// Adds a campaign, or its edited form, with a file for each creative.
    func put(_ campaign: Campaign) throws {
        var stored = StoredCampaign(campaign: campaign)
        for creative in campaign.creatives {
            let isImage = creative.kind == .image
            let content = isImage ? "picture \(creative.id.value)" : "<p>\(creative.id.value)</p>"
            let path = "\(directory)/\(creative.id.value)"
            try content.write(toFile: path, atomically: false, encoding: .utf8)
            stored.files[creative.id] = CreativeFile(
                path: path, mediaType: isImage ? "image/png" : "text/html",
                sizeBytes: Int64(content.utf8.count))
        }
        try put(stored)
    }

    func put(_ stored: StoredCampaign) throws {
        inventory[stored.campaign.id] = stored
        tell(try ads.put(stored))
    }

    func remove(_ id: Int64) {
        inventory[CampaignID(id)] = nil
        tell(ads.remove(CampaignID(id)))
        perform(.timer)
    }

    func path(of creative: Int64) -> String { "\(directory)/\(creative)" }

    // MARK: Questions

    /// The number of the campaign on a slot's screen.
    func campaign(_ slot: String = "banner") -> Int64? {
        coordinator.slot(named: slot)?.creative?.campaign.flatMap { Int64($0.prefix { $0 != " " }) }
    }

    func delivered(_ id: Int64) -> Int { ads.scheduler.delivered(CampaignID(id)) }

    /// What Explain says of a slot's last failure.
    func explanation(_ slot: String = "banner") -> String {
        (coordinator.explain(slot: slot) ?? []).map(\.text).joined(separator: "\n")
    }
}

extension WallTime {
    /// 2027-01-04, a Monday, at noon UTC.
    static let noon = WallTime(seconds: 1_799_064_000)

    static func + (time: WallTime, seconds: Int64) -> WallTime {
        WallTime(milliseconds: time.milliseconds + seconds * 1_000)
    }
}

extension SlotSettings {
    /// A slot that asks for house campaigns only, whatever the network does.
    static func house(_ name: String, _ change: (inout SlotSettings) -> Void = { _ in }) -> SlotSettings {
        var slot = SlotSettings(name: name)
        slot.sources = [SourceReference(name: "house", isNetwork: false)]
        slot.sizes = [Size(width: 320, height: 50)]
        slot.whenUnreachable = .house
        slot.refreshInterval = .seconds(30)
        change(&slot)
        return slot
    }
}

extension Campaign {
    /// A campaign with one creative and a domain of its own.
    static func sample(_ id: Int64, _ change: (inout Campaign) -> Void = { _ in }) -> Campaign {
        var campaign = Campaign(
            id: CampaignID(id), name: "Campaign \(id)", advertiser: "Advertiser \(id)",
            price: Money(micros: 2_500_000, currency: .euro),
            creatives: [
                Creative(
                    id: CreativeID(id * 100), size: CreativeSize(width: 320, height: 50),
                    clickURL: "https://a\(id).example/")
            ])
        campaign.domain = "a\(id).example"
        change(&campaign)
        return campaign
    }
}

extension AdSlots.Creative {
    /// An ad of an exchange.
    static func bid(_ id: String, domain: String, categories: [String] = []) -> AdSlots.Creative {
        AdSlots.Creative(
            id: id, source: "exchange", size: Size(width: 320, height: 50), markup: "<p>",
            advertiserDomains: [domain], categories: categories, isFromNetwork: true)
    }
}
