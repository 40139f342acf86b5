/// What is agreed with an exchange, and what it is told about this device. Nothing that identifies a person
/// or a device is in it unless it was put there.
public struct DemandSettings: Hashable, Sendable {
    /// Where the ads are seen: exactly one of `site`, `app` and `dooh` of a request.
    public struct Inventory: Hashable, Sendable {
        /// The object that describes it.
        public enum Kind: String, CaseIterable, Sendable {
            /// A website (OpenRTB 2.6, 3.2.13).
            case site
            /// A program (3.2.14).
            case app
            /// A screen in public (3.2.32).
            case dooh
        }

        /// The object that describes it.
        public var kind: Kind
        /// The exchange's identifier of the inventory.
        public var id: String?
        /// Its name.
        public var name: String?
        /// The owner's domain.
        public var domain: String?
        /// The page (`site` only).
        public var page: String?
        /// The bundle or package (`app` only).
        public var bundle: String?
        /// Where the app is to be had (`app` only).
        public var storeURL: String?
        /// The kinds of venue, in the OpenOOH taxonomy (`dooh` only).
        public var venueTypes: [String] = []

        /// Creates inventory that says nothing of itself yet.
        public init(kind: Kind) { self.kind = kind }
    }

    /// The publisher of the inventory (3.2.15).
    public struct Publisher: Hashable, Sendable {
        /// The exchange's identifier of the publisher.
        public var id: String?
        /// The publisher's name.
        public var name: String?
        /// The publisher's domain.
        public var domain: String?

        /// Creates a publisher that says nothing of itself.
        public init() {}
    }

    /// How many impressions one showing makes on a screen in public (3.2.31).
    public struct Quantity: Hashable, Sendable {
        /// The multiplier, as a decimal number.
        public var multiplier: Price
        /// Who measured it (AdCOM 1.0, List: DOOH Multiplier Measurement Source Types).
        public var sourceType: Int?
        /// The domain of the vendor that measured it.
        public var vendor: String?

        /// Creates a quantity.
        public init(multiplier: Price) { self.multiplier = multiplier }
    }

    /// Privacy signals (3.2.3, 3.2.20, 3.2.18). What is `nil` is not sent: unknown.
    public struct Privacy: Hashable, Sendable {
        /// Whether COPPA applies.
        public var coppa: Bool?
        /// Whether the GDPR applies.
        public var gdpr: Bool?
        /// The consent string of the TCF.
        public var consent: String?
        /// The US Privacy string.
        public var usPrivacy: String?
        /// The string of the Global Privacy Platform.
        public var gpp: String?
        /// The sections of it that apply.
        public var gppSections: [Int] = []
        /// Whether tracking is to be limited.
        public var limitsTracking: Bool?
        /// Whether not to track.
        public var doesNotTrack: Bool?

        /// Creates signals of which none is sent.
        public init() {}
    }

    /// What the request says of the device (3.2.18).
    public struct Device: Hashable, Sendable {
        /// AdCOM 1.0, List: Device Types.
        public var type: Int?
        /// The user agent of what draws the ads.
        public var userAgent: String?
        /// ISO 639-1, two letters.
        public var language: String?
        /// The screen in physical pixels.
        public var screen: Format?
        /// Latitude and longitude as decimal text, set by hand (type 3 of AdCOM's List: Location Types).
        public var location: Location?
        /// ISO 3166-1, three letters.
        public var country: String?
        /// An identifier for advertising; sent only where it was configured.
        public var identifier: String?

        /// Creates a device that says nothing of itself.
        public init() {}
    }

    /// A place on earth, in degrees as decimal text.
    public struct Location: Hashable, Sendable {
        /// From -90 to 90.
        public var latitude: String
        /// From -180 to 180.
        public var longitude: String

        /// Creates a place; the caller has checked the numbers.
        public init(latitude: String, longitude: String) {
            self.latitude = latitude
            self.longitude = longitude
        }
    }

    /// What is not to be shown.
    public struct Blocks: Hashable, Sendable {
        /// Categories in the taxonomy; one blocks those below it too (`IAB7` blocks `IAB7-39`).
        public var categories: [String] = []
        /// The taxonomy that they are of (AdCOM 1.0, List: Category Taxonomies).
        public var taxonomy = 1
        /// Advertisers' domains; one blocks those below it too.
        public var domains: [String] = []
        /// Apps, by their store's identifier.
        public var apps: [String] = []
        /// Attributes of creatives (AdCOM 1.0, List: Creative Attributes).
        public var attributes: [Int] = []
        /// Types of banner: 1 XHTML text, 2 XHTML banner, 3 JavaScript, 4 iframe.
        public var types: [Int] = []

        /// Blocks nothing.
        public init() {}
    }

    /// The URL that requests are posted to.
    public var endpoint = ""
    /// Header fields besides those of the specification, in order.
    public var headers: [Header] = []
    /// A header field.
    public struct Header: Hashable, Sendable {
        /// The name.
        public var name: String
        /// The value.
        public var value: String

        /// Creates a field.
        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    /// How long an answer may take, `nil` for as long as the slot waits.
    public var timeout: Duration?
    /// What is taken off the time that the exchange is told: the way there and back, and our own work.
    public var overhead: Duration = .milliseconds(100)
    /// The least price, per thousand impressions.
    public var floor = Price.zero
    /// The currency of prices, ISO 4217.
    public var currency = "USD"
    /// How long after its arrival an ad may be shown, in whole seconds, `nil` where only the bid says.
    public var expirySeconds: Int64?
    /// The placement's identifier with the exchange, `nil` for the slot's name.
    public var tagID: String?
    /// Where on the screen the banner is (AdCOM 1.0, List: Placement Positions).
    public var position: Int?
    /// Whether the banner is in the top frame and not in a sandbox.
    public var isInTopFrame = false
    /// Whether all that the markup loads must be encrypted.
    public var isSecure = true
    /// Whether nothing is billed.
    public var isTest = false
    /// Where the ads are seen.
    public var inventory: Inventory?
    /// Who publishes it.
    public var publisher = Publisher()
    /// How many impressions one showing makes.
    public var quantity: Quantity?
    /// Privacy signals.
    public var privacy = Privacy()
    /// The device.
    public var device = Device()
    /// What is not to be shown.
    public var blocks = Blocks()

    /// Creates settings that lack an endpoint and say nothing of the device.
    public init() {}
}
