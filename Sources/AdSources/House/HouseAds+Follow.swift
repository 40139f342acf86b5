public import AdSlots
internal import Campaigns
internal import Ledger
internal import Reachability

// What becomes of ads, by what the coordinator says.
extension HouseAds {
    /// Counts, or takes back, by what an event has brought; to be called for every event, before its effects
    /// are kept and performed.
    /// - Parameter isJudged: whether ads of a source count for competitive separation, by its name.
    public func follow(_ effects: [Effect], after event: Event, isJudged: (String) -> Bool) {
        for effect in effects {
            switch effect {
            case .filled(let slot, let creative): filled(slot, creative, isJudged)
            case .command(_, let command):
                guard command.kind == .show, let request = command.creative?.request else { break }
                showed(request)
            case .leftScreen(let time):
                if let request = time.creative.request { left(request) }
            case .dropped(_, let creative):
                if let request = creative.request { drop(request) }
            case .sourceFailed(let slot, _, _):
                waiting.otherFailed(slot, at: clock.now().instant)
            case .attached, .attachRefused, .updateRefused, .hostDropped, .request, .cancel, .impression,
                .beginAnswered, .actionStarted, .actionEnded, .finishRefused, .registered, .registerRefused,
                .instruct, .pauseUnanswered, .tokenRefused, .enablementRefused, .slotChanged, .workChanged:
                break
            }
        }
        // An answer that was not taken: nobody waited for it any more, or it does not suit.
        if case .sourceAnswered(let request, _, _) = event,
            case .offered = advertisements[request]?.stage
        {
            drop(request)
        }
    }

    private func filled(_ slot: String, _ creative: AdSlots.Creative, _ isJudged: (String) -> Bool) {
        guard let request = creative.request else { return }
        waiting.remove(slot)
        let separation =
            isJudged(creative.source)
            ? Separation(domains: creative.advertiserDomains, categories: creative.categories) : .none
        var advertisement =
            advertisements[request] ?? Advertisement(slot: slot, separation: separation, house: nil)
        advertisement.stage = .arrived
        advertisements[request] = advertisement
        arrived[slot] = request
    }

    private func showed(_ request: RequestID) {
        guard var advertisement = advertisements[request] else { return }
        let slot = advertisement.slot
        let now = clock.now()
        var isConfirmed = false
        if case .arrived = advertisement.stage, let house = advertisement.house {
            isConfirmed = scheduler.confirm(house.decision, at: now.moment) == .done
        }
        // An ad of another source, one that is shown again, or one that waited for longer than is remembered.
        if !isConfirmed { scheduler.occupy(slot, by: advertisement.separation) }
        advertisement.stage = .onScreen
        advertisements[request] = advertisement
        if arrived[slot] == request { arrived[slot] = nil }
        if let before = shown.updateValue(request, forKey: slot), before != request {
            advertisements[before] = nil
        }
        waiting.screenChanged(slot, at: now.instant)
    }

    private func left(_ request: RequestID) {
        guard let slot = advertisements[request]?.slot, shown[slot] == request else { return }
        advertisements[request]?.stage = .offScreen
        scheduler.vacate(slot)
        waiting.screenChanged(slot, at: clock.now().instant)
    }

    /// An ad will never be seen.
    private func drop(_ request: RequestID) {
        guard let advertisement = advertisements.removeValue(forKey: request) else { return }
        let slot = advertisement.slot
        if arrived[slot] == request { arrived[slot] = nil }
        guard let house = advertisement.house else { return }
        let now = clock.now()
        _ = scheduler.withdraw(house.decision, at: now.moment)
        waiting.screenChanged(slot, at: now.instant)
    }

    /// The end of ads that must not come on screen although the coordinator may be about to put them there:
    /// their file is no longer whole, or a competitor has come beside them meanwhile. To be asked before each
    /// event.
    /// - Parameter slot: the slot whose host is heard of, if any: one that becomes visible shows its ad
    ///   again.
    public func unshowable(beforeEventOf slot: String?) -> Event? {
        var candidates = Array(arrived.values)
        if let slot, let request = shown[slot], case .offScreen = advertisements[request]?.stage {
            candidates.append(request)
        }
        guard !candidates.isEmpty else { return nil }
        let now = clock.now().instant
        let expiries = candidates.sorted().compactMap { request -> Expiry? in
            guard let advertisement = advertisements[request], !mayShow(advertisement) else { return nil }
            return Expiry(slot: advertisement.slot, request: request, expires: now)
        }
        return expiries.isEmpty ? nil : .expiryChanged(expiries)
    }

    private func mayShow(_ advertisement: Advertisement) -> Bool {
        if let house = advertisement.house, !house.file.isWhole { return false }
        return competitor(of: advertisement.separation, besides: advertisement.slot) == nil
    }
}
