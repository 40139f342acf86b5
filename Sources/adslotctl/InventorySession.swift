internal import LinuxSupport
internal import Varlink

/// What the verbs `campaign` and `creative` do with a connection to the daemon.
struct InventorySession {
    private static let interface = "org.adslotd.Campaigns"
    /// How long the next page of an answer may take.
    static let timeout = Duration.seconds(30)
    /// Bytes of a file in one call; in base64 they are a third more.
    private static let pieceBytes = 384 << 10

    /// The longest file that is read; the daemon takes less.
    private static let fileBytesMax = 64 << 20

    let session: Session

    init(_ session: Session) {
        self.session = session
    }

    func run(_ verb: CampaignVerb) throws(Failure) {
        switch verb {
        case .add(let fields):
            let reply = try call("Add", ["campaign": .object(fields)])
            try print(reply, "campaign \(reply["campaign"]?["id"]?.integer ?? 0) is added")
        case .edit(let id, let edit):
            let revision = if let revision = edit.revision { revision } else { try revision(of: id) }
            let reply = try call(
                "Edit", parameters(["id": .integer(id)], edit, revision, fields: "campaign"))
            let now = reply["campaign"]?["revision"]?.integer ?? 0
            try print(reply, "campaign \(id) is edited, revision \(now)")
        case .list: try list("List", [:]) { CampaignsView.lines($0, session.style) }
        case .show(let id): try show(id)
        case .remove(let id, let revision):
            try print(
                try call("Remove", Self.parameters(id, revision)),
                "campaign \(id) is removed, with its creatives")
        case .importFile(let path): try CampaignImport(self).run(path)
        case .export: try CampaignExport(self).run()
        }
    }

    func run(_ verb: CreativeVerb) throws(Failure) {
        switch verb {
        case .add(let campaign, let file, var fields):
            var parameters: JSONObject = ["campaign": .integer(campaign)]
            parameters["revision"] = fields["revision"]
            fields["revision"] = nil
            if let file { fields["upload"] = .integer(try upload(file)) }
            parameters["creative"] = .object(fields)
            let reply = try call("AddCreative", parameters)
            let id = reply["creative"]?["id"]?.integer ?? 0
            try print(reply, "creative \(id), \(CreativesView.size(reply["creative"])), is added")
        case .edit(let id, let file, var edit):
            let revision = if let revision = edit.revision { revision } else { try revision(ofCreative: id) }
            if let file { edit.fields["upload"] = .integer(try upload(file)) }
            let reply = try call(
                "EditCreative", parameters(["id": .integer(id)], edit, revision, fields: "creative"))
            try print(reply, "creative \(id) is edited, revision \(reply["revision"]?.integer ?? 0)")
        case .list(let campaign):
            let parameters: JSONObject = campaign.map { ["campaign": .integer($0)] } ?? [:]
            try list("ListCreatives", parameters) { CreativesView.lines($0, session.style) }
        case .remove(let id, let revision):
            try print(try call("RemoveCreative", Self.parameters(id, revision)), "creative \(id) is removed")
        }
    }

    /// Sends a file.
    /// - Returns: the number of the upload, which goes with the connection.
    func upload(_ path: String) throws(Failure) -> Int64 {
        let bytes: [UInt8]
        do throws(SystemError) {
            bytes = try TextFile.read(path, maximum: Self.fileBytesMax)
        } catch {
            throw Failure(code: .usage, message: error.description)
        }
        return try upload(bytes: bytes)
    }

    /// Sends the content of a file.
    func upload(bytes: [UInt8]) throws(Failure) -> Int64 {
        var number: Int64?
        var sent = 0
        repeat {
            let end = min(sent + Self.pieceBytes, bytes.count)
            var parameters: JSONObject = [
                "data": .string(Base64.encode(bytes[sent..<end])), "last": .bool(end == bytes.count),
            ]
            if let number { parameters["upload"] = .integer(number) }
            number = try call("Upload", parameters)["upload"]?.integer
            sent = end
        } while sent < bytes.count
        guard let number else { throw Failure(.malformedReply) }
        return number
    }

    func call(_ method: String, _ parameters: JSONObject = [:]) throws(Failure) -> JSONObject {
        try session.call("\(Self.interface).\(method)", parameters, timeout: Self.timeout)
    }

    /// Calls a method that answers in pages, and hands each on.
    func pages(
        _ method: String, _ parameters: JSONObject, _ body: (JSONObject) throws(Failure) -> Void
    ) throws(Failure) {
        let replies: VarlinkReplies
        do throws(VarlinkClientError) {
            replies = try session.client.callMore(
                "\(Self.interface).\(method)", parameters, timeout: Self.timeout)
        } catch {
            throw Failure(error)
        }
        while let page = try session.next(replies, timeout: Self.timeout) { try body(page) }
    }

    private func show(_ id: Int64) throws(Failure) {
        var reply = try call("Get", ["id": .integer(id)])
        var creatives: [JSONValue] = []
        try pages("ListCreatives", ["campaign": .integer(id)]) { creatives += $0["creatives"]?.array ?? [] }
        reply["creatives"] = .array(creatives)
        guard try !Output.json(reply, session.options.manner) else { return }
        for line in CampaignView.lines(reply, session.style) { try Output.line(line) }
    }

    /// People get one table of all pages, programs each page as it is.
    private func list(
        _ method: String, _ parameters: JSONObject, _ view: ([JSONObject]) -> [String]
    ) throws(Failure) {
        var all: [JSONObject] = []
        try pages(method, parameters) { page throws(Failure) in
            if try !Output.json(page, session.options.manner) { all.append(page) }
        }
        guard session.options.manner == .off else { return }
        for line in view(all) { try Output.line(line) }
    }

    private func print(_ reply: JSONObject, _ text: String) throws(Failure) {
        if try !Output.json(reply, session.options.manner) { try Output.line(text) }
    }

    private func revision(of id: Int64) throws(Failure) -> Int64 {
        try call("Get", ["id": .integer(id)])["campaign"]?["revision"]?.integer ?? 0
    }

    private func revision(ofCreative id: Int64) throws(Failure) -> Int64 {
        try call("GetCreative", ["id": .integer(id)])["revision"]?.integer ?? 0
    }

    private static func parameters(_ id: Int64, _ revision: Int64?) -> JSONObject {
        var parameters: JSONObject = ["id": .integer(id)]
        if let revision { parameters["revision"] = .integer(revision) }
        return parameters
    }

    private func parameters(
        _ base: JSONObject, _ edit: InventoryEdit, _ revision: Int64, fields: String
    ) -> JSONObject {
        var parameters = base
        parameters["revision"] = .integer(revision)
        parameters[fields] = .object(edit.fields)
        if !edit.cleared.isEmpty { parameters["clear"] = .array(edit.cleared.map { .string($0) }) }
        return parameters
    }

    /// What the daemon said, in a sentence.
    static func sentence(_ name: String, _ parameters: JSONObject) -> String {
        let message = parameters["message"]?.string ?? ""
        func number(_ key: String) -> Int64 { parameters[key]?.integer ?? 0 }
        switch name.split(separator: ".").last {
        case "NoSuchCampaign": return "there is no campaign \(number("id"))"
        case "NoSuchCreative": return "there is no creative \(number("id"))"
        case "Conflict":
            return "somebody else has edited it: it is at revision \(number("revision")); nothing was changed"
        case "InvalidCampaign":
            return (parameters["faults"]?.array ?? []).map { fault in
                "\(fault["field"]?.string ?? "") \(fault["message"]?.string ?? "")"
            }.joined(separator: "\n")
        case "Unavailable": return "the inventory cannot be written or read for now: \(message)"
        case "NotPermitted": return "not permitted: \(message)"
        case "TooMany": return "\(number("maximum")) of these are under way already"
        case "InvalidFile", "Full": return message
        default: return VarlinkClientError.remote(name: name, parameters: parameters).description
        }
    }
}
