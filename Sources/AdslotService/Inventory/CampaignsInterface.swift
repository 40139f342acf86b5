internal import Campaigns
internal import Ledger
internal import Varlink

// org.adslotd.Campaigns: what is asked, and campaigns.
extension InventoryService {
    /// The interface as the server offers it.
    /// - Parameter access: who may do what, as it is then.
    func interface(access: @escaping () -> Access) -> VarlinkInterface {
        /// Only for those who may change it; what the inventory refuses is answered.
        func changing(
            _ body: @escaping (VarlinkCall) throws(ParameterError) -> (() throws(InventoryError) -> Void)
        ) -> VarlinkMethod {
            .reply { call throws(ParameterError) in
                let change = try body(call)
                guard access().mayOperate(call.peer) else {
                    return call.failNotPermitted("change house campaigns", "Campaigns")
                }
                do throws(InventoryError) { try change() } catch { call.fail(error) }
            }
        }
        return VarlinkInterface(
            name: "org.adslotd.Campaigns", description: InterfaceText.campaigns,
            methods: [
                "Get": .reply { [unowned self] call throws(ParameterError) in try get(call) },
                "List": .reply { [unowned self] call throws(ParameterError) in try list(call) },
                "GetCreative": .reply { [unowned self] call throws(ParameterError) in
                    try getCreative(call)
                },
                "ListCreatives": .reply { [unowned self] call throws(ParameterError) in
                    try listCreatives(call)
                },
                "Add": changing { [unowned self] call throws(ParameterError) in try add(call) },
                "Edit": changing { [unowned self] call throws(ParameterError) in try edit(call) },
                "Remove": changing { [unowned self] call throws(ParameterError) in try remove(call) },
                "Upload": changing { [unowned self] call throws(ParameterError) in try upload(call) },
                "AddCreative": changing { [unowned self] call throws(ParameterError) in
                    try addCreative(call)
                },
                "EditCreative": changing { [unowned self] call throws(ParameterError) in
                    try editCreative(call)
                },
                "RemoveCreative": changing { [unowned self] call throws(ParameterError) in
                    try removeCreative(call)
                },
                "Import": changing { [unowned self] call throws(ParameterError) in
                    try importCampaigns(call)
                },
                "Export": .stream { [unowned self] call throws(ParameterError) in
                    try call.expectNoParameters()
                    guard access().mayOperate(call.peer) else {
                        return call.failNotPermitted("export house campaigns", "Campaigns")
                    }
                    export(call)
                },
            ])
    }

    private func get(_ call: VarlinkCall) throws(ParameterError) {
        let id = try call.read { parameters throws(ParameterError) in try parameters.int("id") }
        do throws(InventoryError) {
            reply(to: call, try ledger.campaign(CampaignID(Int64(id)), at: clocks()))
        } catch {
            call.fail(error)
        }
    }

    private func list(_ call: VarlinkCall) throws(ParameterError) {
        let after = try call.read { parameters throws(ParameterError) in
            try parameters.optionalInt("after")
        }
        let lister = InventoryLister("campaigns", call) { [unowned self] after, page throws(InventoryError) in
            let (campaigns, next) = try ledger.inventoryPage(after: CampaignID(after), at: clocks())
            for stored in campaigns {
                page.add { $0.value(stored.campaign) }
                if page.isFull { return stored.campaign.id.value }
            }
            return next?.value
        }
        lister.send(after: Int64(after ?? 0))
    }

    private func add(
        _ call: VarlinkCall
    ) throws(ParameterError) -> (() throws(InventoryError) -> Void) {
        let fields = try call.read { parameters throws(ParameterError) in
            try parameters.object("campaign") { fields throws(ParameterError) in
                try CampaignFields(&fields)
            }
        }
        return { [unowned self] () throws(InventoryError) in
            let stored = try ledger.add(try Self.campaign(of: fields), at: clocks())
            put(stored)
            reply(to: call, stored)
        }
    }

    private static func campaign(of fields: CampaignFields) throws(InventoryError) -> Campaign {
        do throws(InvalidCampaign) {
            return try fields.makeCampaign()
        } catch {
            throw .invalid(error)
        }
    }

    private func edit(
        _ call: VarlinkCall
    ) throws(ParameterError) -> (() throws(InventoryError) -> Void) {
        let (id, revision, fields) = try call.read { parameters throws(ParameterError) in
            let id = CampaignID(Int64(try parameters.int("id")))
            let revision = Int64(try parameters.int("revision"))
            var fields = try parameters.object("campaign") { fields throws(ParameterError) in
                try CampaignFields(&fields)
            }
            if fields.clear(try parameters.optionalStrings("clear") ?? []) != nil {
                throw parameters.invalid("clear")
            }
            return (id, revision, fields)
        }
        return { [unowned self] () throws(InventoryError) in
            guard fields.faults.isEmpty else { throw .invalid(InvalidCampaign(faults: fields.faults)) }
            let stored = try ledger.edit(id, revision: revision, at: clocks()) { fields.apply(to: &$0) }
            put(stored)
            reply(to: call, stored)
        }
    }

    private func remove(
        _ call: VarlinkCall
    ) throws(ParameterError) -> (() throws(InventoryError) -> Void) {
        let (id, revision) = try call.read { parameters throws(ParameterError) in
            (CampaignID(Int64(try parameters.int("id"))), try parameters.optionalInt("revision"))
        }
        return { [unowned self] () throws(InventoryError) in
            try ledger.remove(id, revision: revision.map { Int64($0) }, at: clocks())
            removed(id)
            call.reply()
        }
    }

    private func reply(to call: VarlinkCall, _ stored: StoredCampaign) {
        call.reply(
            EncodedReply { writer in
                writer.key("campaign")
                writer.value(stored.campaign)
            })
    }

    private func export(_ call: VarlinkCall) {
        guard exports < Limits.exportsMax else {
            return call.failCampaigns("TooMany", ["maximum": .integer(Int64(Limits.exportsMax))])
        }
        exports += 1
        InventoryExporter(self, call) { [weak self] in self?.exports -= 1 }.send()
    }
}
