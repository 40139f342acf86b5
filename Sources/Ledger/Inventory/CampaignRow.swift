internal import Campaigns

/// How a campaign and its creatives lie in rows.
enum CampaignRow {
    /// The columns that ``campaign(_:)`` reads and ``values(of:)`` writes, but for the id.
    static let columns = """
        revision, name, advertiser, domain, categories, cpm_micros, currency, starts, ends, dayparts, tier,
            weight, impressions, caps, enabled
        """

    /// Reads `id` and ``columns``, without the creatives.
    /// - Returns: `nil` for a row that no version of this program has written.
    static func campaign(_ row: Statement) -> Campaign? {
        guard let id = row.integer(0), let revision = row.integer(1), let name = row.text(2),
            let advertiser = row.text(3), let categories = row.text(5), let micros = row.integer(6),
            let currency = row.text(7).flatMap({ Currency(code: $0) }), let dayparts = row.text(10),
            let tier = row.integer(11), let caps = row.text(14), let isEnabled = row.integer(15)
        else { return nil }
        var campaign = Campaign(
            id: CampaignID(id), name: name, advertiser: advertiser,
            price: Money(micros: micros, currency: currency), creatives: [])
        campaign.revision = revision
        campaign.domain = row.text(4)
        campaign.categories = lines(categories)
        campaign.flight = Flight(
            start: row.integer(8).map { WallTime(milliseconds: $0) },
            end: row.integer(9).map { WallTime(milliseconds: $0) })
        campaign.dayparts = lines(dayparts).compactMap { try? Daypart($0) }
        campaign.tier = Int(tier)
        switch (row.integer(12), row.integer(13)) {
        case (let weight?, nil): campaign.delivery = .share(weight: Int(weight))
        case (nil, let impressions?): campaign.delivery = .guaranteed(impressions: Int(impressions))
        default: return nil
        }
        campaign.caps = lines(caps).compactMap { cap($0) }
        campaign.isEnabled = isEnabled != 0
        guard campaign.dayparts.count == lines(dayparts).count, campaign.caps.count == lines(caps).count
        else { return nil }
        return campaign
    }

    /// The values of ``columns``.
    static func values(of campaign: Campaign) -> [Statement.Value] {
        let weight: Int64?
        let impressions: Int64?
        switch campaign.delivery {
        case .share(let share): (weight, impressions) = (Int64(share), nil)
        case .guaranteed(let count): (weight, impressions) = (nil, Int64(count))
        }
        return [
            .integer(campaign.revision), .text(campaign.name), .text(campaign.advertiser),
            .text(campaign.domain), .text(campaign.categories.joined(separator: "\n")),
            .integer(campaign.price.micros), .text(campaign.price.currency.code),
            .integer(campaign.flight.start?.milliseconds), .integer(campaign.flight.end?.milliseconds),
            .text(campaign.dayparts.map(\.description).joined(separator: "\n")),
            .integer(Int64(campaign.tier)), .integer(weight), .integer(impressions),
            .text(campaign.caps.map { text($0) }.joined(separator: "\n")),
            .integer(campaign.isEnabled ? 1 : 0),
        ]
    }

    private static func lines(_ text: String) -> [String] {
        text.isEmpty ? [] : text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    private static func text(_ cap: FrequencyCap) -> String {
        "\(cap.count) \(cap.windowSeconds) \(cap.scope.rawValue)"
    }

    private static func cap(_ text: String) -> FrequencyCap? {
        let words = text.split(separator: " ")
        guard words.count == 3, let count = Int(words[0]), let seconds = Int64(words[1]),
            let scope = CapScope(rawValue: String(words[2]))
        else { return nil }
        return FrequencyCap(count: count, windowSeconds: seconds, scope: scope)
    }
}

/// A creative's row.
struct CreativeRow {
    var creative: Creative
    let campaign: CampaignID
    /// The file that it is made of, where it has one.
    var file: FileRow?
    /// Where that is to be fetched from, where it has none.
    var address: String?

    /// One that is made of nothing yet.
    init(_ creative: Creative, campaign: CampaignID) {
        self.creative = creative
        self.campaign = campaign
    }

    /// What ``init(_:)`` reads, of `creatives` joined with `files`.
    static let columns = "c.id, \(ownColumns), \(FileRow.columns)"
    /// What it reads of `creatives` alone, but for the number; it goes without the file then.
    static let ownColumns = "c.campaign, c.width, c.height, c.kind, c.click_url, c.enabled, c.address"
    static let tables = "creatives c LEFT JOIN files f ON f.number = c.file"

    /// - Returns: `nil` for a row that no version of this program has written.
    init?(_ row: Statement) {
        guard let id = row.integer(0), let campaign = row.integer(1), let width = row.integer(2),
            let height = row.integer(3), let kind = row.text(4).flatMap(CreativeKind.init(rawValue:))
        else { return nil }
        creative = Creative(
            id: CreativeID(id), size: CreativeSize(width: Int(width), height: Int(height)), kind: kind,
            clickURL: row.text(5), isEnabled: row.integer(6) != 0)
        self.campaign = CampaignID(campaign)
        address = row.text(7)
        file = FileRow(row, from: 8)
    }
}

/// A file's row.
struct FileRow: Hashable {
    let number: Int64
    let format: CreativeFormat
    let sizeBytes: Int64
    /// CRC-32 of the content.
    let checksum: UInt32
    /// Of a picture, in its own pixels.
    let pixels: CreativeSize?

    static let columns = "f.number, \(ownColumns)"
    /// ``columns`` but for the number.
    static let ownColumns = "f.format, f.size_bytes, f.checksum, f.width, f.height"

    init(
        number: Int64, format: CreativeFormat, sizeBytes: Int64, checksum: UInt32, pixels: CreativeSize?
    ) {
        self.number = number
        self.format = format
        self.sizeBytes = sizeBytes
        self.checksum = checksum
        self.pixels = pixels
    }

    /// Reads ``columns``, of which the first is number `first`.
    init?(_ row: Statement, from first: Int32 = 0) {
        guard let number = row.integer(first),
            let format = row.text(first + 1).flatMap(CreativeFormat.init(rawValue:)),
            let sizeBytes = row.integer(first + 2),
            let checksum = row.integer(first + 3).flatMap({ UInt32(exactly: $0) })
        else { return nil }
        var pixels: CreativeSize?
        if let width = row.integer(first + 4), let height = row.integer(first + 5) {
            pixels = CreativeSize(width: Int(width), height: Int(height))
        }
        self.init(
            number: number, format: format, sizeBytes: sizeBytes, checksum: checksum, pixels: pixels)
    }

    func numbered(_ number: Int64) -> FileRow {
        FileRow(number: number, format: format, sizeBytes: sizeBytes, checksum: checksum, pixels: pixels)
    }

    /// The name in the directory of creatives.
    var name: String { "\(number).\(format.fileExtension)" }
}
