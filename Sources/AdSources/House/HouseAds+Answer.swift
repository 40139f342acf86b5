public import AdSlots
internal import Campaigns
internal import Ledger
internal import LinuxSupport
internal import Reachability

// What a source of kind `house` answers.
extension HouseAds {
    /// Decides what a slot shows, and counts it. What is answered must be told to the coordinator at once,
    /// and the effects to ``follow(_:after:isJudged:)``.
    /// - Parameter source: the source's name.
    public func answer(to request: SourceRequest, source: String) -> SourceAnswer {
        let now = readClock()
        lookAtUnwhole(now)
        let size = CreativeSize(width: request.size.width, height: request.size.height)
        var met = 0
        while met < Limits.unwholeCreativesMetMax {
            let id = decisionID(request.id, attempt: met)
            let adRequest = AdRequest(id: id, slot: request.slot, size: size)
            switch scheduler.decide(adRequest, at: now.moment) {
            case .refuse(let refusal):
                wait(request.slot, refusal, now)
                return .failed(.noFill, text(of: refusal))
            case .serve(let placement, _):
                if let creative = creative(placement, for: request, source: source, now) {
                    waiting.remove(request.slot)
                    return SourceAnswer(.success(creative))
                }
                // It is never shown, and another one may be.
                _ = scheduler.withdraw(id, at: now.moment)
                holdBack(placement.creative, of: placement.campaign)
                met += 1
            }
        }
        waiting.add(request.slot, until: nil, isSeparated: false, firesAt: nil)
        return .failed(.noFill, "the files of \(met) creatives are missing or not whole")
    }

    private func wait(_ slot: String, _ refusal: Refusal, _ now: HouseClock.Now) {
        let isSeparated = refusal.verdicts.contains {
            if case .separated = $0.reason { true } else { false }
        }
        waiting.add(
            slot, until: refusal.nextChange, isSeparated: isSeparated,
            firesAt: refusal.nextChange.map(now.instant(at:)))
    }

    /// The ad for the coordinator, nil where its file is not whole.
    private func creative(
        _ placement: Campaigns.Placement, for request: SourceRequest, source: String, _ now: HouseClock.Now
    ) -> AdSlots.Creative? {
        guard let campaign = scheduler[placement.campaign],
            let own = campaign.creatives.first(where: { $0.id == placement.creative }),
            let file = files[placement.creative], file.isWhole
        else { return nil }
        var markup: String?
        if own.kind == .html, file.sizeBytes <= Limits.houseMarkupBytesMax {
            guard let text = file.markup else { return nil }
            markup = text
        }
        let end = campaign.window(at: now.moment.wall, in: scheduler.settings.zone).nextChange
        advertisements[request.id] = Advertisement(
            slot: request.slot, separation: Separation(campaign),
            house: HouseAd(
                decision: placement.decision, campaign: campaign.id, creative: own.id, file: file,
                expires: end))
        return AdSlots.Creative(
            id: String(own.id.value), source: source,
            mediaType: own.kind == .html ? "text/html" : file.mediaType, size: request.size, markup: markup,
            path: markup == nil ? file.path : nil, clickURL: own.clickURL,
            advertiserDomains: campaign.domain.map { [$0] } ?? [], categories: campaign.categories,
            expires: end.map(now.instant(at:)), isFromNetwork: false, campaign: campaign.reportName,
            price: CPM(nanos: campaign.price.micros * 1_000, currency: campaign.price.currency.code))
    }

    /// Takes a creative out of the rotation whose file is not whole.
    private func holdBack(_ creative: CreativeID, of campaign: CampaignID) {
        unwhole[creative] = campaign
        setEnabled(creative, of: campaign, false)
    }

    /// Lets creatives into the rotation again whose file has become whole: a few, now and then.
    private func lookAtUnwhole(_ now: HouseClock.Now) {
        guard !unwhole.isEmpty,
            now.moment.steadyMilliseconds - unwholeLookedAt >= Limits.unwholeRestMilliseconds
        else { return }
        unwholeLookedAt = now.moment.steadyMilliseconds
        for (creative, campaign) in unwhole.shuffled().prefix(Limits.unwholeCreativesLookedAtMax)
        where files[creative]?.isWhole == true {
            unwhole[creative] = nil
            setEnabled(creative, of: campaign, true)
        }
    }

    private func setEnabled(_ id: CreativeID, of campaign: CampaignID, _ isEnabled: Bool) {
        guard var changed = scheduler[campaign] else { return }
        for index in changed.creatives.indices where changed.creatives[index].id == id {
            changed.creatives[index].isEnabled = isEnabled
        }
        // It has been valid before.
        _ = try? scheduler.upsert(changed)
    }
}

extension Campaign {
    /// What reports and the export call it: the number, which stays the same, and the name.
    var reportName: String { "\(id.value) \(name)" }
}

extension CreativeFile {
    /// Whether the file is there, in its full length.
    var isWhole: Bool {
        guard let stamp = FileStamp(path: path) else { return false }
        return stamp.isRegular && stamp.sizeBytes == sizeBytes
    }

    /// What stands in it, nil where that is no text of the length that it should have.
    fileprivate var markup: String? {
        guard let bytes = try? TextFile.read(path, maximum: Int(Limits.houseMarkupBytesMax)),
            Int64(bytes.count) == sizeBytes
        else { return nil }
        return String(validating: bytes, as: UTF8.self)
    }
}
