public import AdSlots
public import Campaigns
public import Ledger
public import Reachability

// The inventory, and the clocks, change.
extension HouseAds {
    /// A campaign is new, or was edited, or a file of it has come or gone. What it has had stays counted.
    /// - Returns: what the coordinator is to be told.
    public func put(_ campaign: StoredCampaign) throws(InvalidCampaign) -> [Event] {
        let id = campaign.campaign.id
        try campaign.campaign.check()
        let caps = scheduler[id]?.caps
        try scheduler.upsert(registered(campaign))
        // Caps that are new, or look further back, ask for what was shown before.
        if let caps, campaign.campaign.caps != caps { scheduler.recall(recall(id)) }
        return allMayHaveChanged()
    }

    /// A campaign is gone. What it has on screen leaves it.
    /// - Returns: what the coordinator is to be told.
    public func remove(_ campaign: CampaignID) -> [Event] {
        forget(campaign)
        scheduler.remove(campaign)
        return allMayHaveChanged()
    }

    /// The whole inventory is another one.
    /// - Returns: the campaigns that were refused, with their faults, and what the coordinator is to be told.
    public func replaceAll(
        _ inventory: [StoredCampaign]
    ) -> (refused: [CampaignID: InvalidCampaign], events: [Event]) {
        let present = Set(inventory.map(\.campaign.id))
        for id in scheduler.campaigns where !present.contains(id) { forget(id) }
        let refused = scheduler.load(inventory.map(registered))
        return (refused, allMayHaveChanged())
    }

    /// The wall clock was set, or the machine woke up.
    /// - Returns: what the coordinator is to be told.
    public func clockStepped() -> [Event] { allMayHaveChanged(isStepped: true) }

    /// The campaign for the scheduler, once its files are noted: a creative counts only with its file.
    func registered(_ stored: StoredCampaign) -> Campaign {
        var campaign = stored.campaign
        if campaign.isDated { dated.insert(campaign.id) } else { dated.remove(campaign.id) }
        for creative in scheduler[campaign.id]?.creatives ?? [] {
            files[creative.id] = nil
            unwhole[creative.id] = nil
        }
        for index in campaign.creatives.indices {
            let id = campaign.creatives[index].id
            files[id] = stored.files[id]
            if stored.files[id] == nil { campaign.creatives[index].isEnabled = false }
        }
        return campaign
    }

    private func forget(_ campaign: CampaignID) {
        for creative in scheduler[campaign]?.creatives ?? [] {
            files[creative.id] = nil
            unwhole[creative.id] = nil
        }
        dated.remove(campaign)
        noteRemoval(of: campaign)
    }

    /// Slots that wait may have something now, and ads on screen another end.
    /// - Parameter isStepped: whether the same time of the wall clock is another moment now.
    func allMayHaveChanged(isStepped: Bool = false) -> [Event] {
        let now = readClock()
        waiting.changed(at: now.instant)
        var expiries: [Expiry] = []
        for (request, advertisement) in advertisements.sorted(by: { $0.key < $1.key }) {
            guard var house = advertisement.house, !house.isOver else { continue }
            let expires: WallTime?
            if !isThere(house) {
                expires = now.moment.wall
            } else if now.moment.trust == .trusted {
                expires = end(of: house, now)
            } else {
                // What was begun by a clock that could be believed goes on as it was said.
                continue
            }
            guard expires != house.expires || (isStepped && expires != nil) else { continue }
            house.expires = expires
            house.isOver = expires.map { $0 <= now.moment.wall } ?? false
            advertisements[request]?.house = house
            expiries.append(
                Expiry(
                    slot: advertisement.slot, request: request, expires: expires.map(now.instant(at:))))
        }
        return expiries.isEmpty ? [] : [.expiryChanged(expiries)]
    }

    /// Whether there are still the campaign and the creative that an ad is of.
    private func isThere(_ house: HouseAd) -> Bool {
        guard let campaign = scheduler[house.campaign], campaign.isEnabled else { return false }
        return campaign.creatives.contains { $0.id == house.creative && $0.isEnabled }
            && files[house.creative] == house.file
    }

    /// When an ad must leave the screen, by a clock that can be believed.
    private func end(of house: HouseAd, _ now: HouseClock.Now) -> WallTime? {
        guard let campaign = scheduler[house.campaign] else { return nil }
        let window = campaign.window(at: now.moment.wall, in: scheduler.settings.zone)
        return window.isOpen ? window.nextChange : now.moment.wall
    }
}

// Time.
extension HouseAds {
    /// When ``timerFired()`` is to be called, nil while nothing is due.
    public var deadline: Instant? {
        guard case .untrusted = trust, isInUse, !dated.isEmpty else { return waiting.deadline }
        let look = clockReadAt + Limits.clockLookInterval
        return min(waiting.deadline ?? look, look)
    }

    /// The moment of ``deadline`` has come, or an earlier or a later one.
    /// - Returns: what the coordinator is to be told.
    public func timerFired() -> [Event] {
        let now = readClock()
        let slots = waiting.takeDue(at: now)
        return slots.isEmpty ? [] : [.sourceChanged(slots: slots)]
    }

    /// Reads the clocks. Where the wall clock can be believed anew, or no more, slots that wait are to be
    /// told.
    func readClock() -> HouseClock.Now {
        let now = clock.now()
        if let trust, trust != now.moment.trust { waiting.changed(at: now.instant) }
        (trust, clockReadAt) = (now.moment.trust, now.instant)
        return now
    }
}
