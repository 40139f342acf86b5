internal import JSON

extension BidRequest {
    /// The request as JSON.
    public var encoded: [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("id", id)
            writer.key("imp")
            writer.array { $0.object { writeImpression(to: &$0) } }
            writeInventory(to: &writer)
            writeDevice(to: &writer)
            if let consent = settings.privacy.consent {
                writer.key("user")
                writer.object { $0.member("consent", consent) }
            }
            if settings.isTest { writer.member("test", 1) }
            // First price: what is bid is what is paid.
            writer.member("at", 1)
            writer.member("tmax", timeMilliseconds)
            writer.member("cur", [settings.currency])
            writeBlocks(to: &writer)
            writeRegulations(to: &writer)
        }
        return writer.bytes
    }

    private func writeImpression(to writer: inout JSONWriter) {
        writer.member("id", Self.impressionID)
        writer.key("banner")
        writer.object { writeBanner(to: &$0) }
        writer.member("instl", 0)
        writer.member("tagid", tagID)
        if settings.floor > .zero { writer.member("bidfloor", settings.floor) }
        writer.member("bidfloorcur", settings.currency)
        writer.member("secure", settings.isSecure ? 1 : 0)
        if let seconds = settings.expirySeconds { writer.member("exp", seconds) }
        if let quantity = settings.quantity {
            writer.key("qty")
            writer.object { writer in
                writer.member("multiplier", quantity.multiplier)
                writer.optionalMember("sourcetype", quantity.sourceType)
                writer.optionalMember("vendor", quantity.vendor)
            }
        }
        if settings.inventory?.kind == .dooh { writer.member("dt", now) }
    }

    private func writeBanner(to writer: inout JSONWriter) {
        writer.key("format")
        writer.array { $0.object { writeFormat(format, to: &$0) } }
        writeFormat(format, to: &writer)
        writer.optionalMember("pos", settings.position)
        writer.member("mimes", ["text/html"])
        writer.optionalMember("btype", settings.blocks.types)
        writer.optionalMember("battr", settings.blocks.attributes)
        writer.member("topframe", settings.isInTopFrame ? 1 : 0)
    }

    private func writeFormat(_ format: Format, to writer: inout JSONWriter) {
        writer.member("w", format.width)
        writer.member("h", format.height)
    }

    private func writeInventory(to writer: inout JSONWriter) {
        guard let inventory = settings.inventory else { return }
        writer.key(inventory.kind.rawValue)
        writer.object { writer in
            writer.optionalMember("id", inventory.id)
            writer.optionalMember("name", inventory.name)
            writer.optionalMember("domain", inventory.domain)
            writer.optionalMember("page", inventory.page)
            writer.optionalMember("bundle", inventory.bundle)
            writer.optionalMember("storeurl", inventory.storeURL)
            if !inventory.venueTypes.isEmpty { writer.member("venuetype", inventory.venueTypes) }
            let publisher = settings.publisher
            guard publisher != DemandSettings.Publisher() else { return }
            writer.key("publisher")
            writer.object { writer in
                writer.optionalMember("id", publisher.id)
                writer.optionalMember("name", publisher.name)
                writer.optionalMember("domain", publisher.domain)
            }
        }
    }

    private func writeDevice(to writer: inout JSONWriter) {
        let device = settings.device
        writer.key("device")
        writer.object { writer in
            writer.optionalMember("ua", device.userAgent)
            if device.location != nil || device.country != nil {
                writer.key("geo")
                writer.object { writer in
                    if let location = device.location {
                        writer.key("lat")
                        writer.value(encoded: Array(location.latitude.utf8))
                        writer.key("lon")
                        writer.value(encoded: Array(location.longitude.utf8))
                        writer.member("type", 3)
                    }
                    writer.optionalMember("country", device.country)
                }
            }
            writer.optionalMember("dnt", settings.privacy.doesNotTrack)
            writer.optionalMember("lmt", settings.privacy.limitsTracking)
            writer.optionalMember("devicetype", device.type)
            if let screen = device.screen { writeFormat(screen, to: &writer) }
            writer.optionalMember("language", device.language)
            writer.member("connectiontype", connection.rawValue)
            writer.optionalMember("ifa", device.identifier)
        }
    }

    private func writeBlocks(to writer: inout JSONWriter) {
        let blocks = settings.blocks
        let categories = blocks.categories + neighbours.categories.filter { !blocks.categories.contains($0) }
        if !categories.isEmpty {
            writer.member("bcat", categories)
            writer.member("cattax", blocks.taxonomy)
        }
        let domains = blocks.domains + neighbours.domains.filter { !blocks.domains.contains($0) }
        if !domains.isEmpty { writer.member("badv", domains) }
        if !blocks.apps.isEmpty { writer.member("bapp", blocks.apps) }
    }

    private func writeRegulations(to writer: inout JSONWriter) {
        let privacy = settings.privacy
        let isSilent =
            privacy.coppa == nil && privacy.gdpr == nil && privacy.usPrivacy == nil && privacy.gpp == nil
            && privacy.gppSections.isEmpty
        guard !isSilent else { return }
        writer.key("regs")
        writer.object { writer in
            writer.optionalMember("coppa", privacy.coppa)
            writer.optionalMember("gdpr", privacy.gdpr)
            writer.optionalMember("us_privacy", privacy.usPrivacy)
            writer.optionalMember("gpp", privacy.gpp)
            writer.optionalMember("gpp_sid", privacy.gppSections)
        }
    }
}

/// Members that are left out where they are unknown, as the specification wants it, and exact numbers.
extension JSONWriter {
    fileprivate mutating func optionalMember(_ key: String, _ value: String?) {
        if let value { member(key, value) }
    }

    fileprivate mutating func optionalMember(_ key: String, _ value: Int?) {
        if let value { member(key, value) }
    }

    /// A flag is 0 or 1 in OpenRTB.
    fileprivate mutating func optionalMember(_ key: String, _ value: Bool?) {
        if let value { member(key, value ? 1 : 0) }
    }

    fileprivate mutating func optionalMember(_ key: String, _ values: [Int]) {
        guard !values.isEmpty else { return }
        self.key(key)
        array { for value in values { $0.value(value) } }
    }

    fileprivate mutating func member(_ key: String, _ price: Price) {
        self.key(key)
        value(encoded: Array(price.description.utf8))
    }
}
