internal import Campaigns
public import Ledger

// What is kept.
extension HouseAds {
    /// What is still to be kept, besides what the scheduler says.
    struct Keeping {
        /// What of the traffic is kept.
        var traffic: TrafficCount
        /// Campaigns that are gone from the inventory, and slots from the configuration.
        var removedCampaigns: [CampaignID] = []
        var forgottenSlots: [String] = []
        /// What is remembered of campaigns that nothing was decided on: where they stand in line. After an
        /// import these are very many.
        var idle: [CampaignID: CampaignMemory] = [:]
        /// Nothing was kept while nobody asked for house campaigns.
        var mustKeepAll = false
    }

    /// What has changed since this was last asked, nil where nothing has that must be kept.
    public func takeChanges() -> SchedulerChanges? {
        guard isInUse || !keeping.removedCampaigns.isEmpty else { return nil }
        if keeping.mustKeepAll {
            _ = scheduler.takeChanges()
            return whole()
        }
        var memory = scheduler.takeChanges()
        takeIdle(&memory)
        let isSame =
            memory.campaigns.isEmpty && memory.lanes.isEmpty && memory.slots.isEmpty
            && memory.decisions.isEmpty && memory.traffic == keeping.traffic
        guard !isSame || !keeping.removedCampaigns.isEmpty || !keeping.forgottenSlots.isEmpty else {
            return nil
        }
        defer { (keeping.removedCampaigns, keeping.forgottenSlots) = ([], []) }
        keeping.traffic = memory.traffic
        return SchedulerChanges(
            memory: memory, windows: windows(of: memory), removed: keeping.removedCampaigns,
            forgottenSlots: keeping.forgottenSlots)
    }

    /// Leaves for later what is remembered of campaigns that nothing was decided on, and takes of what was
    /// left so much that no turn of the loop lasts for long.
    private func takeIdle(_ memory: inout SchedulerMemory) {
        guard memory.campaigns.count > Limits.idleCampaignsKeptMax || !keeping.idle.isEmpty else { return }
        let decided = Set(memory.decisions.map(\.placement.campaign))
        for campaign in memory.campaigns {
            keeping.idle[campaign.campaign] = decided.contains(campaign.campaign) ? nil : campaign
        }
        memory.campaigns.removeAll { !decided.contains($0.campaign) }
        for (id, campaign) in keeping.idle.prefix(Limits.idleCampaignsKeptMax) {
            memory.campaigns.append(campaign)
            keeping.idle[id] = nil
        }
    }

    /// A campaign is gone, with all that is remembered of it.
    func noteRemoval(of campaign: CampaignID) {
        keeping.removedCampaigns.append(campaign)
        keeping.idle[campaign] = nil
    }

    /// All that is remembered, for when changes could not be kept; nil where nobody asks for house campaigns.
    public func whole() -> SchedulerChanges? {
        guard isInUse else { return nil }
        let memory = scheduler.memory
        keeping = Keeping(traffic: memory.traffic)
        return SchedulerChanges(memory: memory, isWhole: true, windows: windows(of: memory))
    }

    /// For how long frequency caps of the campaigns look back.
    private func windows(of memory: SchedulerMemory) -> [CampaignID: Int64] {
        var windows: [CampaignID: Int64] = [:]
        for impression in memory.impressions where windows[impression.campaign] == nil {
            let caps = scheduler[impression.campaign]?.caps ?? []
            windows[impression.campaign] = caps.map { $0.windowSeconds * 1_000 }.max()
        }
        return windows
    }
}
