extension Scheduler {
    /// The slot, first by name, in which a competitor is on screen or about to be; the slot itself does not
    /// count. Nil when there is none.
    public func competitor(of separation: Separation, besides slot: String) -> String? {
        screens.competitor(of: separation, besides: slot)
    }

    /// Whom an advertisement in a slot would stand beside: what is on screen in other slots, or about to be;
    /// of domains and of categories at most `Limits.neighboursMax` each. Who must be sure asks for the
    /// `competitor` of what has come.
    public func neighbours(of slot: String) -> Separation {
        var (domains, categories): (Set<String>, Set<String>) = ([], [])
        for (other, screen) in screens.slots where other != slot {
            for separation in [screen.current].compactMap({ $0 }) + screen.pending.map(\.separation) {
                domains.formUnion(separation.domains)
                categories.formUnion(separation.categories)
            }
            guard domains.count < Limits.neighboursMax || categories.count < Limits.neighboursMax else {
                break
            }
        }
        return Separation(
            domains: Array(domains.sorted().prefix(Limits.neighboursMax)),
            categories: Array(categories.sorted().prefix(Limits.neighboursMax)))
    }
}

extension Campaign {
    /// Whether its flight and its hours are open, and when that changes next; nil when it never does.
    public func window(
        at time: WallTime, in zone: TimeZoneRules
    ) -> (isOpen: Bool, nextChange: WallTime?) {
        if let end = flight.end, time >= end { return (false, nil) }
        if let start = flight.start, time < start { return (false, start) }
        let pattern = WeekPattern(dayparts: dayparts)
        let change = pattern.nextChange(after: time, in: zone)
        return (pattern.isActive(at: time, in: zone), [change, flight.end].compactMap { $0 }.min())
    }
}
