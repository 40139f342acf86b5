internal import AdSlots
internal import OpenRTB

/// What a `[Source NAME]` section says about a source of kind `openrtb`, as far as it has been read.
struct DemandDraft: Sendable {
    var settings = DemandSettings()
    var breaker = CircuitBreaker.Settings()
    var site = DemandSettings.Inventory(kind: .site)
    var app = DemandSettings.Inventory(kind: .app)
    var dooh = DemandSettings.Inventory(kind: .dooh)
    var multiplier: Price?
    var sourceType: Int?
    var vendor: String?
    /// The keys that have a value, in the order in which they came.
    var keys: [String] = []

    private var inventories: [DemandSettings.Inventory] {
        [site, app, dooh].filter { $0 != DemandSettings.Inventory(kind: $0.kind) }
    }

    /// What is wrong with the keys together, with the one that is to blame.
    func fault(needsEndpoint: Bool) -> (key: String?, fault: ConfigurationFault)? {
        if needsEndpoint, settings.endpoint.isEmpty {
            return ("Kind", ConfigurationFault("a source of kind openrtb needs Endpoint="))
        }
        let present = inventories.map { $0.kind.rawValue }
        if let last = present.last, present.count > 1 {
            return (
                keys.last { $0.lowercased().hasPrefix(last) },
                ConfigurationFault(
                    "a source is of one kind of place, not \(present.joined(separator: " and "))")
            )
        }
        if multiplier == nil, sourceType != nil || vendor != nil {
            return (
                sourceType != nil ? "QtySourceType" : "QtyVendor",
                ConfigurationFault("without QtyMultiplier= there is no quantity")
            )
        }
        if sourceType == 1, vendor == nil {
            return (
                "QtySourceType", ConfigurationFault("a quantity that a vendor measured needs QtyVendor=")
            )
        }
        if breaker.rest > breaker.restMax {
            return ("BreakerRest", ConfigurationFault("BreakerRest= is longer than BreakerMax="))
        }
        return nil
    }

    /// The settings, once all is read.
    /// - Parameter expires: what `Expires=` says.
    func finished(expires: Duration?) -> DemandSettings {
        var settings = settings
        settings.inventory = inventories.first
        if let multiplier {
            settings.quantity = DemandSettings.Quantity(multiplier: multiplier)
            settings.quantity?.sourceType = sourceType
            settings.quantity?.vendor = vendor
        }
        settings.expirySeconds = expires.map { max(1, $0.components.seconds) }
        return settings
    }
}
