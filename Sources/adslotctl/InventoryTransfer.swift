internal import LinuxSupport
internal import Varlink

/// The form of an exported inventory:
///
///     {"format": "adslotd campaigns", "version": 1, "entries": [
///       {"file": "1", "mediaType": "image/png", "data": "iVBORw0KGgo…"},
///       {"campaign": {"name": "Autumn sale", …}, "creatives": [{"file": "1", "size": …}, {"address": …}]}
///     ]}
///
/// A campaign comes after the files that its creatives name; the fields are those of org.adslotd.Campaigns.
private enum ExportForm {
    static let format = "adslotd campaigns"
    static let version: Int64 = 1
    /// What the daemon tells of a campaign that is no field of it.
    static let notFields: Set<String> = ["id", "revision", "creatives"]
    static let creativeFields = ["address", "size", "kind", "clickURL", "enabled"]
}

/// `campaign export`: prints the inventory as it comes.
struct CampaignExport {
    private let session: InventorySession

    init(_ session: InventorySession) {
        self.session = session
    }

    func run() throws(Failure) {
        var writer = EntryWriter()
        try session.pages("Export", [:]) { page throws(Failure) in
            // A page is in no order of its own: pieces before the creatives that name their file, campaigns
            // before their creatives.
            for piece in page["pieces"]?.array ?? [] { try writer.take(piece: piece) }
            for campaign in page["campaigns"]?.array ?? [] { try writer.take(campaign: campaign) }
            for creative in page["creatives"]?.array ?? [] { try writer.take(creative: creative) }
        }
        try writer.finish()
        for id in writer.lost {
            try? StandardStream.error.writeLine(
                "adslotctl: creative \(id) is left out, since its file is broken")
        }
    }
}

/// Puts entries together from what comes in pages.
private struct EntryWriter {
    /// Creatives without a file or an address.
    private(set) var lost: [Int64] = []
    /// Campaigns whose creatives have not all come.
    private var campaigns: [JSONObject] = []
    private var creatives: [Int64: [JSONValue]] = [:]
    private var missing: [Int64: Int64] = [:]
    /// The names of files in the export, by their paths on the device.
    private var names: [String: String] = [:]
    private var bytes: [UInt8] = []
    private var isFirst = true

    mutating func take(piece: JSONValue) throws(Failure) {
        guard let path = piece["file"]?.string, let size = piece["sizeBytes"]?.integer,
            let data = piece["data"]?.string.flatMap(Base64.decode)
        else { throw Failure(.malformedReply) }
        bytes += data
        guard bytes.count >= Int(size) else { return }
        let name = String(names.count + 1)
        names[path] = name
        try write(["file": .string(name), "data": .string(Base64.encode(bytes[...]))])
        bytes = []
    }

    mutating func take(campaign: JSONValue) throws(Failure) {
        guard let object = campaign.object, let id = object["id"]?.integer else {
            throw Failure(.malformedReply)
        }
        campaigns.append(object)
        missing[id] = object["creatives"]?.integer ?? 0
        try writeComplete()
    }

    mutating func take(creative: JSONValue) throws(Failure) {
        guard let campaign = creative["campaign"]?.integer else { throw Failure(.malformedReply) }
        var fields: JSONObject = [:]
        for name in ExportForm.creativeFields {
            if let value = creative[name], !value.isNull { fields[name] = value }
        }
        if let path = creative["file"]?.string {
            guard let name = names[path] else { throw Failure(.malformedReply) }
            fields["file"] = .string(name)
            fields["kind"] = nil
        }
        if fields["file"] == nil, fields["address"] == nil {
            lost.append(creative["id"]?.integer ?? 0)
        } else {
            creatives[campaign, default: []].append(.object(fields))
        }
        missing[campaign, default: 1] -= 1
        try writeComplete()
    }

    /// Whatever is still missing was taken out meanwhile.
    mutating func finish() throws(Failure) {
        missing = [:]
        try writeComplete()
        try begin()
        try Output.line("]}")
    }

    private mutating func writeComplete() throws(Failure) {
        while let campaign = campaigns.first, let id = campaign["id"]?.integer, missing[id] ?? 0 <= 0 {
            campaigns.removeFirst()
            missing[id] = nil
            var fields: JSONObject = [:]
            for member in campaign.members
            where !ExportForm.notFields.contains(member.key) && !member.value.isNull {
                fields[member.key] = member.value
            }
            try write([
                "campaign": .object(fields), "creatives": .array(creatives.removeValue(forKey: id) ?? []),
            ])
        }
    }

    private mutating func write(_ entry: JSONObject) throws(Failure) {
        let isFirst = isFirst
        try begin()
        try Output.line((isFirst ? "" : ",") + JSONValue.object(entry).description)
    }

    /// Nothing is printed before something has come: an export that is refused leaves an empty file.
    private mutating func begin() throws(Failure) {
        guard isFirst else { return }
        isFirst = false
        try Output.line(
            "{\"format\":\"\(ExportForm.format)\",\"version\":\(ExportForm.version),\"entries\":[")
    }
}

/// `campaign import`: all of a file or nothing of it.
struct CampaignImport {
    /// The longest file that is read.
    private static let fileBytesMax = 1 << 30
    /// Bytes of campaigns in one call; of a single one there may be more.
    private static let pageBytes = 256 << 10

    private let session: InventorySession

    init(_ session: InventorySession) {
        self.session = session
    }

    func run(_ path: String) throws(Failure) {
        let entries = try read(path)
        var number: Int64?
        var uploads: [String: Int64] = [:]
        var page: [JSONValue] = []
        var pageBytes = 0
        var count: Int64 = 0
        /// Sends the campaigns that have been put together.
        func send(isLast: Bool) throws(Failure) {
            var parameters: JSONObject = ["campaigns": .array(page), "last": .bool(isLast)]
            if let number { parameters["import"] = .integer(number) }
            let reply: JSONObject
            do throws(Failure) {
                reply = try session.call("Import", parameters)
            } catch {
                throw Failure(code: error.code, message: Self.naming(page, in: error.message))
            }
            number = reply["import"]?.integer
            count = reply["campaigns"]?.integer ?? 0
            (page, pageBytes) = ([], 0)
        }
        for (index, entry) in entries.enumerated() {
            let place = "\(path): entries[\(index)]"
            if let name = entry["file"]?.string {
                guard let bytes = entry["data"]?.string.flatMap(Base64.decode), uploads[name] == nil else {
                    throw Failure(code: .usage, message: "\(place): no base64, or a file that comes twice")
                }
                do throws(Failure) {
                    uploads[name] = try session.upload(bytes: bytes)
                } catch {
                    throw Failure(code: error.code, message: "\(place): \(error.message)")
                }
            } else {
                let new = try campaign(entry, uploads, place)
                let size = new.encoded.count
                if pageBytes > 0, pageBytes + size > Self.pageBytes { try send(isLast: false) }
                page.append(new)
                pageBytes += size
            }
        }
        try send(isLast: true)
        let reply: JSONObject = ["campaigns": .integer(count)]
        if try !Output.json(reply, session.session.options.manner) {
            try Output.line(count == 1 ? "1 campaign is imported" : "\(count) campaigns are imported")
        }
    }

    private func read(_ path: String) throws(Failure) -> [JSONValue] {
        let name = path == "-" ? "standard input" : path
        let bytes: [UInt8]
        do throws(SystemError) {
            bytes =
                path == "-"
                ? try TextFile.readStandardInput(maximum: Self.fileBytesMax)
                : try TextFile.read(path, maximum: Self.fileBytesMax)
        } catch {
            throw Failure(code: .usage, message: error.description)
        }
        let document: JSONValue
        do throws(JSONError) {
            document = try JSONValue(reading: bytes[...])
        } catch {
            throw Failure(code: .usage, message: "\(name): \(error)")
        }
        guard document["format"]?.string == ExportForm.format, let entries = document["entries"]?.array else {
            throw Failure(code: .usage, message: "\(name): no export of campaigns")
        }
        guard document["version"]?.integer == ExportForm.version else {
            throw Failure(code: .usage, message: "\(name): exported by another version of this program")
        }
        return entries
    }

    /// An entry as Import takes it: files are named by their uploads.
    private func campaign(
        _ entry: JSONValue, _ uploads: [String: Int64], _ place: String
    ) throws(Failure) -> JSONValue {
        guard let campaign = entry["campaign"], campaign.object != nil else {
            throw Failure(code: .usage, message: "\(place): neither a file nor a campaign")
        }
        var creatives: [JSONValue] = []
        for (index, creative) in (entry["creatives"]?.array ?? []).enumerated() {
            guard var fields = creative.object else {
                throw Failure(code: .usage, message: "\(place).creatives[\(index)]: no object")
            }
            if let name = fields["file"]?.string {
                guard let upload = uploads[name] else {
                    throw Failure(
                        code: .usage,
                        message: "\(place).creatives[\(index)]: file '\(name)' does not come before it")
                }
                fields["file"] = nil
                fields["upload"] = .integer(upload)
            }
            creatives.append(.object(fields))
        }
        return ["campaign": campaign, "creatives": .array(creatives)]
    }

    /// Puts the names of campaigns in the place of their places in a page.
    private static func naming(_ page: [JSONValue], in message: String) -> String {
        message.split(separator: "\n").map { line in
            guard line.hasPrefix("campaigns["), let end = line.firstIndex(of: "]"),
                let index = Int(line.dropFirst("campaigns[".count).prefix(upTo: end)),
                page.indices.contains(index)
            else { return String(line) }
            let name = page[index]["campaign"]?["name"]?.string ?? ""
            return "campaign '\(name)': \(line[line.index(after: end)...].drop { $0 == "." })"
        }.joined(separator: "\n") + "\nnothing was imported"
    }
}
