internal import Campaigns
internal import Ledger
internal import Varlink

// org.adslotd.Campaigns: creatives, their files, and imports.
extension InventoryService {
    func getCreative(_ call: VarlinkCall) throws(ParameterError) {
        let id = try call.read { parameters throws(ParameterError) in
            CreativeID(Int64(try parameters.int("id")))
        }
        do throws(InventoryError) {
            reply(to: call, id, try ledger.campaign(of: id, at: clocks()))
        } catch {
            call.fail(error)
        }
    }

    func listCreatives(_ call: VarlinkCall) throws(ParameterError) {
        let (campaign, after) = try call.read { parameters throws(ParameterError) in
            (try parameters.optionalInt("campaign"), try parameters.optionalInt("after"))
        }
        let id = campaign.map { CampaignID(Int64($0)) }
        do throws(InventoryError) {
            if let id { _ = try ledger.campaign(id, at: clocks()) }
        } catch {
            return call.fail(error)
        }
        let lister = InventoryLister("creatives", call) { [unowned self] after, page throws(InventoryError) in
            let creatives = try ledger.creativesPage(of: id, after: CreativeID(after), at: clocks())
            for stored in creatives {
                page.add { $0.value(stored, fetch: fetch(stored)) }
                if page.isFull { return stored.creative.id.value }
            }
            return creatives.last?.creative.id.value
        }
        lister.send(after: Int64(after ?? 0))
    }

    func upload(_ call: VarlinkCall) throws(ParameterError) -> (() throws(InventoryError) -> Void) {
        let (number, bytes, isLast) = try call.read { parameters throws(ParameterError) in
            let number = try parameters.optionalInt("upload")
            guard let bytes = Base64.decode(try parameters.string("data")) else {
                throw parameters.invalid("data")
            }
            return (number, bytes, try parameters.optionalBool("last") ?? false)
        }
        return { [unowned self] () throws(InventoryError) in
            guard let number = number ?? uploads.begin(on: call.connection) else {
                return call.failCampaigns("TooMany", ["maximum": .integer(Int64(Limits.uploadsArrivingMax))])
            }
            guard let content = try uploads.append(bytes, to: number, on: call.connection) else {
                return call.failCampaigns("NoSuchUpload", ["upload": .integer(Int64(number))])
            }
            var file: HeldFile?
            do throws(InventoryError) {
                if isLast { file = try ledger.hold(content, at: clocks()) }
            } catch {
                uploads.forget(number)
                throw error
            }
            if let file { uploads.complete(number, as: file) }
            tellOfAltered()
            call.reply(
                EncodedReply { writer in
                    writer.member("upload", number)
                    writer.member("sizeBytes", content.count)
                    writer.member("mediaType", file?.format.mediaType)
                    if let pixels = file?.pixels { writer.member("size", pixels) }
                })
        }
    }

    func addCreative(
        _ call: VarlinkCall
    ) throws(ParameterError) -> (() throws(InventoryError) -> Void) {
        let (campaign, revision, fields) = try call.read { parameters throws(ParameterError) in
            let campaign = CampaignID(Int64(try parameters.int("campaign")))
            let revision = try parameters.optionalInt("revision").map { Int64($0) }
            let fields = try parameters.object("creative") { fields throws(ParameterError) in
                try CreativeFields(&fields)
            }
            return (campaign, revision, fields)
        }
        return { [unowned self] () throws(InventoryError) in
            let (creative, content) = try makeCreative(of: fields, on: call.connection)
            let (id, stored) = try ledger.add(
                creative, of: content, to: campaign, revision: revision, at: clocks())
            put(stored)
            reply(to: call, id, stored)
        }
    }

    func editCreative(
        _ call: VarlinkCall
    ) throws(ParameterError) -> (() throws(InventoryError) -> Void) {
        let (id, revision, fields, clearsURL) = try call.read { parameters throws(ParameterError) in
            let id = CreativeID(Int64(try parameters.int("id")))
            let revision = Int64(try parameters.int("revision"))
            let fields = try parameters.object("creative") { fields throws(ParameterError) in
                try CreativeFields(&fields)
            }
            let cleared = try parameters.optionalStrings("clear") ?? []
            guard cleared.allSatisfy({ $0 == "clickURL" }), cleared.isEmpty || fields.clickURL == nil else {
                throw parameters.invalid("clear")
            }
            return (id, revision, fields, !cleared.isEmpty)
        }
        return { [unowned self] () throws(InventoryError) in
            let content = try content(of: fields, on: call.connection)
            let stored = try ledger.edit(id, revision: revision, of: content, at: clocks()) { creative in
                fields.apply(to: &creative)
                if clearsURL { creative.clickURL = nil }
            }
            put(stored)
            reply(to: call, id, stored)
        }
    }

    func removeCreative(
        _ call: VarlinkCall
    ) throws(ParameterError) -> (() throws(InventoryError) -> Void) {
        let (id, revision) = try call.read { parameters throws(ParameterError) in
            (CreativeID(Int64(try parameters.int("id"))), try parameters.optionalInt("revision"))
        }
        return { [unowned self] () throws(InventoryError) in
            let stored = try ledger.remove(id, revision: revision.map { Int64($0) }, at: clocks())
            put(stored)
            call.reply(["revision": .integer(stored.campaign.revision)])
        }
    }

    func importCampaigns(
        _ call: VarlinkCall
    ) throws(ParameterError) -> (() throws(InventoryError) -> Void) {
        let (number, campaigns, isLast) = try call.read { parameters throws(ParameterError) in
            let number = try parameters.optionalInt("import")
            let campaigns = try parameters.optionalObjects("campaigns") { new throws(ParameterError) in
                let fields = try new.object("campaign") { fields throws(ParameterError) in
                    try CampaignFields(&fields)
                }
                let creatives = try new.optionalObjects("creatives") { creative throws(ParameterError) in
                    try CreativeFields(&creative)
                }
                return (fields, creatives ?? [])
            }
            guard let campaigns else { throw parameters.invalid("campaigns") }
            return (number, campaigns, try parameters.optionalBool("last") ?? false)
        }
        return { [unowned self] () throws(InventoryError) in
            guard number != nil || hasRoomForImport else {
                return call.failCampaigns("TooMany", ["maximum": .integer(Int64(Limits.importsMax))])
            }
            let id = try takeImport(number, on: call.connection)
            do throws(InventoryError) {
                var imported: [ImportedCampaign] = []
                for (index, (fields, creatives)) in campaigns.enumerated() {
                    imported.append(
                        try makeImported(fields, creatives, "campaigns[\(index)].", on: call.connection))
                }
                var count = try ledger.add(imported, to: id, at: clocks())
                if isLast { count = try finish(id) }
                call.reply(["import": .integer(id.value), "campaigns": .integer(Int64(count))])
            } catch {
                giveUp(id)
                throw error
            }
        }
    }

    private func makeImported(
        _ fields: CampaignFields, _ creatives: [CreativeFields], _ place: String,
        on connection: ConnectionID
    ) throws(InventoryError) -> ImportedCampaign {
        var made: [Creative] = []
        var contents: [CreativeContent] = []
        for (index, creative) in creatives.enumerated() {
            let (creative, content) = try makeCreative(
                of: creative, on: connection, place: "\(place)creatives[\(index)].")
            made.append(creative)
            // They get numbers of their own later; until then each must have another one.
            made[index].id = CreativeID(Int64(index))
            contents.append(content)
        }
        do throws(InvalidCampaign) {
            return ImportedCampaign(
                campaign: try fields.makeCampaign(made, place: place), contents: contents)
        } catch {
            throw .invalid(error)
        }
    }

    /// A new creative; what must be said and is not is a fault, with `place` put before the field.
    private func makeCreative(
        of fields: CreativeFields, on connection: ConnectionID, place: String = ""
    ) throws(InventoryError) -> (Creative, CreativeContent) {
        guard let content = try content(of: fields, on: connection, place: place) else {
            throw Self.missing("\(place)upload", "is missing, and so is an address")
        }
        var pixels: CreativeSize?
        if case .file(let file) = content { pixels = file.pixels }
        guard let size = fields.size ?? pixels else { throw Self.missing("\(place)size", "is missing") }
        var creative = Creative(id: CreativeID(0), size: size)
        fields.apply(to: &creative)
        return (creative, content)
    }

    private func content(
        of fields: CreativeFields, on connection: ConnectionID, place: String = ""
    ) throws(InventoryError) -> CreativeContent? {
        if let address = fields.address { return .address(address) }
        guard let upload = fields.upload else { return nil }
        guard let file = uploads.file(upload, on: connection) else {
            throw Self.missing("\(place)upload", "\(upload) is none that is whole on this connection")
        }
        return .file(file)
    }

    private static func missing(_ field: String, _ message: String) -> InventoryError {
        .invalid(InvalidCampaign(faults: [CampaignFault(field: field, message: message)]))
    }

    private func reply(to call: VarlinkCall, _ id: CreativeID, _ stored: StoredCampaign) {
        guard let creative = stored.stored(id) else {
            return call.failCampaigns("NoSuchCreative", ["id": .integer(id.value)])
        }
        call.reply(
            EncodedReply { writer in
                writer.key("creative")
                writer.value(creative, fetch: fetch(creative))
                writer.member("revision", stored.campaign.revision)
            })
    }
}
