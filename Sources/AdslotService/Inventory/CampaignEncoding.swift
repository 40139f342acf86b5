internal import Campaigns
internal import Ledger
internal import Varlink

extension JSONWriter {
    /// Writes a campaign as `org.adslotd.Campaigns.Campaign` has it.
    mutating func value(_ campaign: Campaign) {
        object { writer in
            writer.member("id", campaign.id.value)
            writer.member("revision", campaign.revision)
            writer.member("name", campaign.name)
            writer.member("advertiser", campaign.advertiser)
            writer.member("domain", campaign.domain)
            writer.member("categories", campaign.categories)
            writer.member("price", campaign.price.decimal)
            writer.member("currency", campaign.price.currency.code)
            writer.member("start", campaign.flight.start?.microseconds)
            writer.member("end", campaign.flight.end?.microseconds)
            writer.member("dayparts", campaign.dayparts.map(\.description))
            writer.member("tier", campaign.tier)
            writer.member("weight", campaign.delivery.weight)
            writer.member("impressions", campaign.delivery.impressions)
            writer.key("caps")
            writer.array { writer in
                for cap in campaign.caps {
                    writer.object { writer in
                        writer.member("count", cap.count)
                        writer.member("windowSeconds", cap.windowSeconds)
                        writer.member("scope", cap.scope.rawValue)
                    }
                }
            }
            writer.member("enabled", campaign.isEnabled)
            writer.member("creatives", campaign.creatives.count)
        }
    }

    /// Writes a creative as `org.adslotd.Campaigns.Creative` has it.
    /// - Parameter fetch: how it stands with the file of its address, in words.
    mutating func value(_ stored: StoredCreative, fetch: String?) {
        object { writer in
            writer.member("id", stored.creative.id.value)
            writer.member("campaign", stored.campaign.value)
            writer.member("size", stored.creative.size)
            writer.member("kind", stored.creative.kind.rawValue)
            writer.member("clickURL", stored.creative.clickURL)
            writer.member("enabled", stored.creative.isEnabled)
            writer.member("address", stored.address)
            writer.member("fetch", fetch)
            writer.member("file", stored.file?.path)
            writer.member("mediaType", stored.file?.mediaType)
            writer.member("sizeBytes", stored.file?.sizeBytes)
        }
    }

    /// Writes a member of an object.
    mutating func member(_ key: String, _ size: CreativeSize) {
        self.key(key)
        object { writer in
            writer.member("width", size.width)
            writer.member("height", size.height)
        }
    }

    /// Writes a member of an object, an array of what is JSON already.
    mutating func member(_ key: String, encoded elements: [[UInt8]]) {
        self.key(key)
        array { for element in elements { $0.value(encoded: element) } }
    }
}

extension WallTime {
    fileprivate var microseconds: Int64 { milliseconds * 1_000 }
}

extension Delivery {
    fileprivate var weight: Int? { if case .share(let weight) = self { weight } else { nil } }

    fileprivate var impressions: Int? {
        if case .guaranteed(let impressions) = self { impressions } else { nil }
    }
}

extension VarlinkCall {
    /// Answers why the inventory was not changed.
    func fail(_ error: InventoryError) {
        switch error {
        case .noSuchCampaign(let id): failCampaigns("NoSuchCampaign", ["id": .integer(id.value)])
        case .noSuchCreative(let id): failCampaigns("NoSuchCreative", ["id": .integer(id.value)])
        case .noSuchImport: failCampaigns("NoSuchImport", ["import": parameters["import"] ?? .null])
        case .conflict(let revision): failCampaigns("Conflict", ["revision": .integer(revision)])
        case .invalid(let campaign): fail(campaign)
        case .invalidFile(let fault): failCampaigns("InvalidFile", ["message": .string(fault.description)])
        case .full(let message): failCampaigns("Full", ["message": .string(message)])
        case .unavailable(let message): failCampaigns("Unavailable", ["message": .string(message)])
        }
    }

    /// Answers which fields hold what they cannot hold.
    func fail(_ campaign: InvalidCampaign) {
        let faults = campaign.faults.map { fault in
            JSONValue.object(["field": .string(fault.wireField), "message": .string(fault.message)])
        }
        failCampaigns("InvalidCampaign", ["faults": .array(faults)])
    }

    /// Answers with an error of org.adslotd.Campaigns.
    func failCampaigns(_ name: String, _ parameters: JSONObject) {
        fail("org.adslotd.Campaigns.\(name)", parameters)
    }
}
