internal import Campaigns
internal import Varlink

/// What a call says of a campaign: each field that it names is one change.
struct CampaignFields {
    private(set) var faults: [CampaignFault] = []
    private var changes: [(inout Campaign) -> Void] = []
    private var names: Set<String> = []

    /// The fields that can hold nothing.
    private static let clearable: [String: @Sendable (inout Campaign) -> Void] = [
        "domain": { $0.domain = nil }, "start": { $0.flight.start = nil }, "end": { $0.flight.end = nil },
    ]

    /// Reads the members of `Fields`.
    init(_ parameters: inout Parameters) throws(ParameterError) {
        if let name = try parameters.optionalString("name") { add("name") { $0.name = name } }
        if let advertiser = try parameters.optionalString("advertiser") {
            add("advertiser") { $0.advertiser = advertiser }
        }
        if let domain = try parameters.optionalString("domain") { add("domain") { $0.domain = domain } }
        if let categories = try parameters.optionalStrings("categories") {
            add("categories") { $0.categories = categories }
        }
        readPrice(try parameters.optionalString("price"), try parameters.optionalString("currency"))
        if let start = try parameters.optionalInt("start") {
            add("start") { $0.flight.start = WallTime(microseconds: start) }
        }
        if let end = try parameters.optionalInt("end") {
            add("end") { $0.flight.end = WallTime(microseconds: end) }
        }
        readDayparts(try parameters.optionalStrings("dayparts"))
        if let tier = try parameters.optionalInt("tier") { add("tier") { $0.tier = tier } }
        if let weight = try parameters.optionalInt("weight") {
            add("weight") { $0.delivery = .share(weight: weight) }
        }
        if let impressions = try parameters.optionalInt("impressions") {
            add("impressions") { $0.delivery = .guaranteed(impressions: impressions) }
        }
        if names.isSuperset(of: ["weight", "impressions"]) {
            fail("impressions", "cannot be guaranteed to a campaign that has a weight")
        }
        let caps = try parameters.optionalObjects("caps") { cap throws(ParameterError) in
            FrequencyCap(
                count: try cap.int("count"), windowSeconds: Int64(try cap.int("windowSeconds")),
                scope: try cap.choice("scope", of: CapScope.self))
        }
        if let caps { add("caps") { $0.caps = caps } }
        if let isEnabled = try parameters.optionalBool("enabled") {
            add("enabled") { $0.isEnabled = isEnabled }
        }
    }

    /// Takes fields that shall hold nothing.
    /// - Returns: the first name that is of no such field, or of one that is changed too.
    mutating func clear(_ fields: [String]) -> String? {
        for field in fields {
            guard let change = Self.clearable[field], !names.contains(field) else { return field }
            add(field, change)
        }
        return nil
    }

    /// Changes a campaign.
    func apply(to campaign: inout Campaign) {
        for change in changes { change(&campaign) }
    }

    /// A new campaign of these fields. What must be said and is not is a fault, as is all else that is wrong;
    /// `place` is put before the fields.
    func makeCampaign(
        _ creatives: [Creative] = [], place: String = ""
    ) throws(InvalidCampaign) -> Campaign {
        var campaign = Campaign(
            id: CampaignID(0), name: "", advertiser: "", price: Money(micros: 0, currency: .euro),
            creatives: [])
        apply(to: &campaign)
        campaign.creatives = creatives
        var faults = faults
        for field in ["price", "currency"] where !names.contains(field) {
            faults.append(CampaignFault(field: field, message: "is missing"))
        }
        do throws(InvalidCampaign) {
            try campaign.check()
        } catch {
            faults += error.faults
        }
        guard !faults.isEmpty else { return campaign }
        throw InvalidCampaign(
            faults: faults.map { CampaignFault(field: place + $0.wireField, message: $0.message) })
    }

    private mutating func add(_ field: String, _ change: @escaping (inout Campaign) -> Void) {
        names.insert(field)
        changes.append(change)
    }

    private mutating func fail(_ field: String, _ message: String) {
        names.insert(field)
        faults.append(CampaignFault(field: field, message: message))
    }

    private mutating func readPrice(_ price: String?, _ currency: String?) {
        if let price {
            do throws(DecimalError) {
                // The currency is a change of its own.
                let micros = try Money(price, currency: .euro).micros
                add("price") { $0.price.micros = micros }
            } catch {
                fail("price", error.description)
            }
        }
        guard let currency else { return }
        guard let known = Currency(code: currency) else {
            return fail("currency", "is no code of three capital letters such as EUR")
        }
        add("currency") { $0.price.currency = known }
    }

    private mutating func readDayparts(_ texts: [String]?) {
        guard let texts else { return }
        var dayparts: [Daypart] = []
        for (index, text) in texts.enumerated() {
            do throws(DaypartError) {
                dayparts.append(try Daypart(text))
            } catch {
                fail("dayparts[\(index)]", error.description)
            }
        }
        add("dayparts") { $0.dayparts = dayparts }
    }
}

extension CampaignFault {
    /// The field as the interface names it.
    var wireField: String {
        switch field {
        case "flight.start": "start"
        case "flight.end": "end"
        case "delivery.weight": "weight"
        case "delivery.impressions": "impressions"
        default: field
        }
    }
}

extension WallTime {
    /// Whole milliseconds, rounded down; the interface counts microseconds.
    init(microseconds: Int) {
        let (quotient, rest) = microseconds.quotientAndRemainder(dividingBy: 1_000)
        self.init(milliseconds: Int64(rest < 0 ? quotient - 1 : quotient))
    }
}

/// What a call says of a creative.
struct CreativeFields {
    var upload: Int?
    var address: String?
    var size: CreativeSize?
    var kind: CreativeKind?
    var clickURL: String?
    var isEnabled: Bool?

    /// Reads the members of `CreativeFields`.
    init(_ parameters: inout Parameters) throws(ParameterError) {
        upload = try parameters.optionalInt("upload")
        address = try parameters.optionalString("address")
        if upload != nil, address != nil { throw parameters.invalid("address") }
        size = try parameters.optionalObject("size") { size throws(ParameterError) in
            CreativeSize(width: try size.int("width"), height: try size.int("height"))
        }
        kind = try parameters.optionalChoice("kind", of: CreativeKind.self)
        clickURL = try parameters.optionalString("clickURL")
        isEnabled = try parameters.optionalBool("enabled")
    }

    /// Changes a creative.
    func apply(to creative: inout Creative) {
        if let size { creative.size = size }
        if let kind { creative.kind = kind }
        if let clickURL { creative.clickURL = clickURL }
        if let isEnabled { creative.isEnabled = isEnabled }
    }
}
