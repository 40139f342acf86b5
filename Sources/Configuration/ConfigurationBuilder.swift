internal import AdSlots
internal import Reachability

/// Collects sections and keys, in the order of the files, into a ``Configuration``.
///
///     var builder = ConfigurationBuilder()
///     try builder.open("Slot lobby")
///     try builder.set("RefreshInterval", to: "60s", in: "Slot lobby")
///     let configuration = try builder.finish()
///
/// What a later file says of a key replaces what an earlier one said; an empty value brings the default back.
public struct ConfigurationBuilder: Sendable {
    /// A section, as its header names it.
    enum Section: Hashable {
        case reachability, actions, access, ledger, creatives, schedule
        case link(pattern: String)
        case slot(name: String)
        case source(name: String)
    }

    var reachability = ReachabilitySettings()
    var linkRules: [LinkRule] = []
    var slots: [SlotDraft] = []
    var sources: [SourceSettings] = []
    /// What the sections say about exchanges, by the sources' names.
    var demand: [String: DemandDraft] = [:]
    var pauseTimeout = CoordinatorSettings().pauseTimeout
    var actionTimeout = CoordinatorSettings().actionTimeout
    var hostGroup = "adslotd"
    var pauseGroup: String?
    var ledger = LedgerSettings()
    var creatives = CreativesSettings()
    var schedule = ScheduleSettings()

    /// A slot whose sources are still names.
    struct SlotDraft: Sendable {
        var settings: SlotSettings
        var sources: [String]
    }

    /// Whether there must be somebody to ask behind a source that is asked over the network.
    private let needsEndpoints: Bool

    /// Starts from the defaults.
    ///
    /// - Parameter needsEndpoints: Whether an exchange must have an endpoint. In a simulation nobody asks it.
    public init(needsEndpoints: Bool = true) {
        self.needsEndpoints = needsEndpoints
    }

    /// Notes a section, which may stay empty: `[Slot lobby]` alone makes a slot.
    public mutating func open(_ header: String) throws(ConfigurationFault) {
        _ = try place(of: section(named: header))
    }

    /// The section of that header, with its checked name.
    func section(named header: String) throws(ConfigurationFault) -> Section {
        let words = header.split(separator: " ")
        let name = words.dropFirst().joined(separator: " ")
        switch (words.first ?? "", name.isEmpty) {
        case ("Reachability", true): return .reachability
        case ("Actions", true): return .actions
        case ("Access", true): return .access
        case ("Ledger", true): return .ledger
        case ("Creatives", true): return .creatives
        case ("Schedule", true): return .schedule
        case ("Link", false): return .link(pattern: try ValueText.linkPattern(name))
        case ("Slot", false): return .slot(name: try ValueText.name(name, of: "slot's name"))
        case ("Source", false): return .source(name: try ValueText.name(name, of: "source's name"))
        case ("Link", true), ("Slot", true), ("Source", true):
            throw ConfigurationFault("section [\(header)] needs a name, as in [\(header) NAME]")
        case (_, _):
            throw ConfigurationFault(
                "unknown section [\(header)]; known are Reachability, Link, Slot, Actions, Access, "
                    + "Source, Ledger, Creatives and Schedule")
        }
    }

    /// Where the values of a section go: its position in its list, made when it is new.
    mutating func place(of section: Section) throws(ConfigurationFault) -> Int {
        switch section {
        case .reachability, .actions, .access, .ledger, .creatives, .schedule: return 0
        case .link(let pattern):
            if let index = linkRules.firstIndex(where: { $0.pattern == pattern }) { return index }
            guard linkRules.count < Limits.linkRulesMax else {
                throw ConfigurationFault("more than \(Limits.linkRulesMax) [Link] sections")
            }
            linkRules.append(LinkRule(pattern: pattern))
            return linkRules.count - 1
        case .slot(let name):
            if let index = slots.firstIndex(where: { $0.settings.name == name }) { return index }
            guard slots.count < AdSlots.Limits.slotsMax else {
                throw ConfigurationFault("more than \(AdSlots.Limits.slotsMax) slots")
            }
            slots.append(SlotDraft(settings: SlotSettings(name: name), sources: Self.defaultSources))
            return slots.count - 1
        case .source(let name):
            if let index = sources.firstIndex(where: { $0.name == name }) { return index }
            guard sources.count < Limits.sourcesMax else {
                throw ConfigurationFault("more than \(Limits.sourcesMax) sources")
            }
            sources.append(SourceSettings(name: name))
            return sources.count - 1
        }
    }

    static let defaultSources = ["test"]

    /// Something that only shows once all is read: which section, and which key in it when one is to blame.
    public struct CrossFault: Error, Hashable, Sendable {
        /// The header of the section.
        public let section: String
        /// The key, nil when the section itself is to blame.
        public let key: String?
        /// What is wrong.
        public let fault: ConfigurationFault
    }

    /// Checks what holds between sections and gives the whole.
    public func finish() throws(CrossFault) -> Configuration {
        let known = Set(sources.map(\.name)).union(sources.isEmpty ? Self.defaultSources : [])
        for slot in allSlots {
            for name in slot.sources where !known.contains(name) {
                throw CrossFault(
                    section: "Slot \(slot.settings.name)", key: "Sources",
                    fault: ConfigurationFault("source '\(name)' has no [Source \(name)] section"))
            }
            if slot.settings.retryInterval > slot.settings.retryMax {
                throw CrossFault(
                    section: "Slot \(slot.settings.name)", key: "RetryInterval",
                    fault: ConfigurationFault("RetryInterval= is longer than RetryMax="))
            }
        }
        try checkDemand()
        let connectivity = reachability.connectivity
        if connectivity.url != nil, !connectivity.text.isEmpty, [204, 304].contains(connectivity.status) {
            throw CrossFault(
                section: "Reachability", key: "ConnectivityText",
                fault: ConfigurationFault(
                    "a response of status \(connectivity.status) has no text: set ConnectivityStatus=200"))
        }
        return configurationWithoutChecks()
    }

    /// Keys that are for exchanges alone, and what an exchange needs.
    private func checkDemand() throws(CrossFault) {
        for source in sources {
            let draft = demand[source.name, default: DemandDraft()]
            if source.kind != .openrtb, let key = draft.keys.first {
                throw CrossFault(
                    section: "Source \(source.name)", key: key,
                    fault: ConfigurationFault("this is for sources of kind openrtb"))
            }
            if source.kind == .openrtb, let (key, fault) = draft.fault(needsEndpoint: needsEndpoints) {
                throw CrossFault(section: "Source \(source.name)", key: key, fault: fault)
            }
        }
    }

    /// The slots, or the one that there is without any section.
    private var allSlots: [SlotDraft] {
        slots.isEmpty
            ? [SlotDraft(settings: SlotSettings(name: "banner"), sources: Self.defaultSources)] : slots
    }

    func configurationWithoutChecks() -> Configuration {
        var allSources = sources.isEmpty ? Self.defaultSources.map { SourceSettings(name: $0) } : sources
        for index in allSources.indices where allSources[index].kind == .openrtb {
            let draft = demand[allSources[index].name, default: DemandDraft()]
            allSources[index].demand = draft.finished(expires: allSources[index].test.expires)
            allSources[index].breaker = draft.breaker
        }
        let kinds = Dictionary(uniqueKeysWithValues: allSources.map { ($0.name, $0.kind) })
        let slots = allSlots.map { draft in
            var settings = draft.settings
            settings.sources = draft.sources.map { name in
                SourceReference(name: name, isNetwork: kinds[name]?.isNetwork ?? true)
            }
            return settings
        }
        var reachability = reachability
        reachability.linkRules = linkRules
        var coordinator = CoordinatorSettings(slots: slots)
        coordinator.pauseTimeout = pauseTimeout
        coordinator.actionTimeout = actionTimeout
        return Configuration(
            reachability: reachability, coordinator: coordinator, sources: allSources, hostGroup: hostGroup,
            pauseGroup: pauseGroup, ledger: ledger, creatives: creatives,
            schedule: schedule)
    }
}
