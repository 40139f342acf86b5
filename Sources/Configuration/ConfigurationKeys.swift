internal import AdSlots
internal import Campaigns
internal import Reachability

/// The longest span that makes sense for a hold or an answer.
private let day = Duration.seconds(86_400)

/// The keys of each section, and how their values are read.
extension ConfigurationBuilder {
    /// Sets a key of a section.
    public mutating func set(
        _ key: String, to value: String, in header: String
    ) throws(ConfigurationFault) {
        let section = try section(named: header)
        let index = try place(of: section)
        do throws(ConfigurationFault) {
            switch section {
            case .reachability: try setReachability(key, value)
            case .link: try setLink(key, value, at: index)
            case .slot: try setSlot(key, value, at: index)
            case .actions: try setActions(key, value)
            case .access: try setAccess(key, value)
            case .source: try setSource(key, value, at: index)
            case .ledger: try setLedger(key, value)
            case .creatives: try setCreatives(key, value)
            case .schedule: try setSchedule(key, value)
            }
        } catch {
            throw ConfigurationFault("\(key)=: \(error.description)")
        }
    }

    private mutating func setReachability(_ key: String, _ value: String) throws(ConfigurationFault) {
        let defaults = ReachabilitySettings()
        switch key {
        case "LossHold":
            reachability.lossHold =
                value.isEmpty ? defaults.lossHold : try ValueText.duration(value, in: .zero...day)
        case "GainHold":
            reachability.gainHold =
                value.isEmpty ? defaults.gainHold : try ValueText.duration(value, in: .zero...day)
        case "DampHalfLife":
            reachability.dampHalfLife =
                value.isEmpty
                ? defaults.dampHalfLife
                : try ValueText.duration(value, in: .milliseconds(100)...day)
        case "DampMax":
            reachability.dampMax =
                value.isEmpty ? defaults.dampMax : try ValueText.duration(value, in: .zero...day)
        case "LookupAddresses":
            guard !value.isEmpty else {
                reachability.lookupAddresses = defaults.lookupAddresses
                return
            }
            let words = try ValueText.words(value)
            guard words.count <= Limits.lookupAddressesMax else {
                throw ConfigurationFault("more than \(Limits.lookupAddressesMax) addresses")
            }
            var addresses: [IPAddress] = []
            for word in words { addresses.append(try ValueText.address(word)) }
            reachability.lookupAddresses = addresses
        case "Target":
            reachability.targetHost = value.isEmpty ? nil : try ValueText.host(value)
        case "NetworkManagerMetered":
            reachability.followsNetworkManager =
                value.isEmpty ? defaults.followsNetworkManager : try ValueText.yesOrNo(value)
        case "ConnectivityCheck", "ConnectivityStatus", "ConnectivityText", "ConnectivityInterval",
            "ConnectivityTimeout":
            try setConnectivity(key, value)
        default:
            throw unknownKey([
                "LossHold", "GainHold", "DampHalfLife", "DampMax", "LookupAddresses", "Target",
                "ConnectivityCheck",
                "ConnectivityStatus", "ConnectivityText", "ConnectivityInterval", "ConnectivityTimeout",
                "NetworkManagerMetered",
            ])
        }
    }

    private mutating func setConnectivity(_ key: String, _ value: String) throws(ConfigurationFault) {
        let defaults = ConnectivitySettings()
        switch key {
        case "ConnectivityCheck":
            reachability.connectivity.url = value.isEmpty ? nil : try ValueText.webAddress(value)
        case "ConnectivityStatus":
            // Interim responses (1xx) end nothing.
            reachability.connectivity.status =
                value.isEmpty ? defaults.status : try ValueText.number(value, in: 200...599)
        case "ConnectivityText":
            guard value.utf8.count <= Limits.expectedTextBytesMax else {
                throw ConfigurationFault("the text is longer than \(Limits.expectedTextBytesMax) bytes")
            }
            reachability.connectivity.text = value
        case "ConnectivityInterval":
            reachability.connectivity.interval =
                value.isEmpty ? defaults.interval : try ValueText.duration(value, in: .seconds(10)...day)
        case "ConnectivityTimeout":
            reachability.connectivity.timeout =
                value.isEmpty
                ? defaults.timeout
                : try ValueText.duration(value, in: .milliseconds(100)...Duration.seconds(60))
        default: preconditionFailure("\(key) is no key of the connectivity check")
        }
    }

    private mutating func setLink(
        _ key: String, _ value: String, at index: Int
    ) throws(ConfigurationFault) {
        switch key {
        case "Kind":
            // No link is made loopback by configuration.
            linkRules[index].kind =
                value.isEmpty ? nil : try ValueText.choice(value, of: LinkKind.self, except: .loopback)
        case "Metered": linkRules[index].metered = value.isEmpty ? nil : try ValueText.yesOrNo(value)
        case "OnDemand": linkRules[index].onDemand = value.isEmpty ? nil : try ValueText.yesOrNo(value)
        default: throw unknownKey(["Kind", "Metered", "OnDemand"])
        }
    }

    private mutating func setSlot(
        _ key: String, _ value: String, at index: Int
    ) throws(ConfigurationFault) {
        let defaults = SlotSettings(name: slots[index].settings.name)
        func duration(
            _ fallback: Duration, in range: ClosedRange<Duration>
        ) throws(ConfigurationFault) -> Duration {
            value.isEmpty ? fallback : try ValueText.duration(value, in: range)
        }
        switch key {
        case "Placement":
            slots[index].settings.placement =
                value.isEmpty ? defaults.placement : try ValueText.choice(value, of: Placement.self)
        case "Sources":
            let names = value.isEmpty ? Self.defaultSources : try ValueText.words(value)
            guard names.count <= AdSlots.Limits.sourcesPerSlotMax else {
                throw ConfigurationFault("more than \(AdSlots.Limits.sourcesPerSlotMax) sources")
            }
            slots[index].sources = names
        case "Sizes":
            slots[index].settings.sizes = value.isEmpty ? defaults.sizes : try sizes(value)
        case "RefreshInterval":
            // Below half a minute networks count refreshes as abuse.
            slots[index].settings.refreshInterval = try duration(
                defaults.refreshInterval, in: AdSlots.Limits.refreshInterval)
        case "RetryInterval":
            slots[index].settings.retryInterval = try duration(
                defaults.retryInterval, in: AdSlots.Limits.retryInterval)
        case "RetryMax":
            slots[index].settings.retryMax = try duration(
                defaults.retryMax, in: AdSlots.Limits.retryInterval)
        case "MinimumInterval":
            slots[index].settings.minimumInterval = try duration(
                defaults.minimumInterval, in: AdSlots.Limits.minimumInterval)
        case "MinimumView":
            slots[index].settings.minimumView = try duration(
                defaults.minimumView, in: AdSlots.Limits.minimumView)
        case "WhenUnreachable":
            slots[index].settings.whenUnreachable =
                value.isEmpty
                ? defaults.whenUnreachable : try ValueText.choice(value, of: UnreachablePolicy.self)
        case "RequestTimeout":
            slots[index].settings.requestTimeout = try duration(
                defaults.requestTimeout, in: AdSlots.Limits.requestTimeout)
        default:
            throw unknownKey([
                "Placement", "Sources", "Sizes", "RefreshInterval", "RetryInterval", "RetryMax",
                "MinimumInterval", "MinimumView", "WhenUnreachable", "RequestTimeout",
            ])
        }
    }

    private func sizes(_ value: String) throws(ConfigurationFault) -> [Size] {
        let words = try ValueText.words(value)
        guard words.count <= AdSlots.Limits.sizesPerSlotMax else {
            throw ConfigurationFault("more than \(AdSlots.Limits.sizesPerSlotMax) sizes")
        }
        var sizes: [Size] = []
        for word in words { sizes.append(try ValueText.size(word)) }
        return sizes
    }

    private mutating func setActions(_ key: String, _ value: String) throws(ConfigurationFault) {
        let defaults = CoordinatorSettings()
        switch key {
        case "PauseTimeout":
            pauseTimeout =
                value.isEmpty
                ? defaults.pauseTimeout : try ValueText.duration(value, in: AdSlots.Limits.pauseTimeout)
        case "ActionTimeout":
            actionTimeout =
                value.isEmpty
                ? defaults.actionTimeout
                : try ValueText.duration(value, in: AdSlots.Limits.actionTimeout)
        default: throw unknownKey(["PauseTimeout", "ActionTimeout"])
        }
    }

    private mutating func setLedger(_ key: String, _ value: String) throws(ConfigurationFault) {
        let defaults = LedgerSettings()
        switch key {
        case "RetainDays":
            ledger.retainDays =
                value.isEmpty
                ? defaults.retainDays : try ValueText.number(value, in: Limits.ledgerRetainDays)
        case "SizeMax":
            ledger.sizeMaxBytes =
                value.isEmpty
                ? defaults.sizeMaxBytes : try ValueText.bytes(value, in: Limits.ledgerSizeBytes)
        default: throw unknownKey(["RetainDays", "SizeMax"])
        }
    }

    private mutating func setCreatives(_ key: String, _ value: String) throws(ConfigurationFault) {
        let defaults = CreativesSettings()
        switch key {
        case "SizeMax":
            creatives.sizeMaxBytes =
                value.isEmpty
                ? defaults.sizeMaxBytes : try ValueText.bytes(value, in: Limits.creativesSizeBytes)
        case "MeteredBudget":
            creatives.meteredBudgetBytes =
                value.isEmpty
                ? defaults.meteredBudgetBytes : try ValueText.bytes(value, in: Limits.meteredBudgetBytes)
        default: throw unknownKey(["SizeMax", "MeteredBudget"])
        }
    }

    private mutating func setSchedule(_ key: String, _ value: String) throws(ConfigurationFault) {
        let defaults = ScheduleSettings()
        switch key {
        case "TimeZone": schedule.timeZone = value.isEmpty ? nil : try ValueText.timeZone(value)
        case "Repeats":
            schedule.repeats =
                value.isEmpty
                ? defaults.repeats : try ValueText.choice(value, of: SchedulerSettings.RepeatPolicy.self)
        case "TrustClock":
            schedule.trustClock =
                value.isEmpty
                ? defaults.trustClock : try ValueText.choice(value, of: ScheduleSettings.ClockPolicy.self)
        default: throw unknownKey(["TimeZone", "Repeats", "TrustClock"])
        }
    }

    private mutating func setAccess(_ key: String, _ value: String) throws(ConfigurationFault) {
        switch key {
        case "HostGroup":
            hostGroup = value.isEmpty ? "adslotd" : try ValueText.name(value, of: "group's name")
        case "PauseGroup":
            pauseGroup = value.isEmpty ? nil : try ValueText.name(value, of: "group's name")
        default: throw unknownKey(["HostGroup", "PauseGroup"])
        }
    }

    private mutating func setSource(
        _ key: String, _ value: String, at index: Int
    ) throws(ConfigurationFault) {
        let defaults = TestSource()
        switch key {
        case "Kind":
            sources[index].kind =
                value.isEmpty
                ? SourceSettings.Kind.test : try ValueText.choice(value, of: SourceSettings.Kind.self)
        case "Delay":
            sources[index].test.delay =
                value.isEmpty ? defaults.delay : try ValueText.duration(value, in: .zero...day)
        case "Answer":
            sources[index].test.behaviour =
                value.isEmpty
                ? defaults.behaviour : try ValueText.choice(value, of: TestSource.Behaviour.self)
        case "Expires":
            sources[index].test.expires =
                value.isEmpty
                ? nil : try ValueText.duration(value, in: .milliseconds(100)...day)
        default:
            guard let demandKey = DemandKey.named(key) else {
                let isDemand = sources[index].kind == .openrtb
                throw unknownKey(
                    isDemand
                        ? ["Kind", "Expires"] + DemandKey.all.map(\.name)
                        : ["Kind", "Delay", "Answer", "Expires"])
            }
            var draft = demand[sources[index].name, default: DemandDraft()]
            try demandKey.set(&draft, value)
            draft.keys.removeAll { $0 == key }
            if !value.isEmpty { draft.keys.append(key) }
            demand[sources[index].name] = draft
        }
    }

    private func unknownKey(_ known: [String]) -> ConfigurationFault {
        ConfigurationFault("unknown key; known here are \(known.joined(separator: ", "))")
    }
}
