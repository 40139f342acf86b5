/// A question to an exchange: one impression, one size (OpenRTB 2.6, 3.2.1).
///
///     let request = BidRequest(
///         id: id, settings: settings, slot: "banner", format: Format(width: 320, height: 50),
///         connection: .wifi, timeLeft: .seconds(2), now: milliseconds)
///     post(request.encoded)
///     let auction = request.judge(answer)
public struct BidRequest: Hashable, Sendable {
    /// The auction's identifier: random, and the same for nothing else.
    public let id: String
    /// What is agreed with the exchange.
    public let settings: DemandSettings
    /// The placement's identifier.
    public let tagID: String
    /// The size that is wanted.
    public let format: Format
    /// What the request leaves by.
    public let connection: ConnectionType
    /// The time that the exchange has, in milliseconds, the way to it and back already taken off.
    public let timeMilliseconds: Int
    /// The present moment, in milliseconds since the Unix epoch.
    public let now: Int64
    /// What other slots show.
    public let neighbours: Neighbours

    /// The advertisements on other screens, next to which no competitor is wanted.
    public struct Neighbours: Hashable, Sendable {
        /// The advertisers' domains.
        public var domains: [String]
        /// Categories of the taxonomy that the exchange's blocked ones are of.
        public var categories: [String]

        /// Puts the two together.
        public init(domains: [String] = [], categories: [String] = []) {
            self.domains = domains
            self.categories = categories
        }
    }

    /// The identifier of the one impression.
    static let impressionID = "1"

    /// Creates a question.
    ///
    /// - Parameters:
    ///   - id: Random and unique, at most 64 letters and digits.
    ///   - settings: What is agreed with the exchange.
    ///   - slot: The slot's name, the placement's identifier where none is configured.
    ///   - format: The size that is wanted.
    ///   - connection: What the request leaves by.
    ///   - timeLeft: How long an answer is waited for, all in all.
    ///   - now: Milliseconds since the Unix epoch.
    ///   - neighbours: What other slots show.
    /// - Returns: `nil` when the overhead leaves the exchange no time at all.
    public init?(
        id: String, settings: DemandSettings, slot: String, format: Format, connection: ConnectionType,
        timeLeft: Duration, now: Int64, neighbours: Neighbours = Neighbours()
    ) {
        let (seconds, attoseconds) = (timeLeft - settings.overhead).components
        let milliseconds = seconds * 1_000 + attoseconds / 1_000_000_000_000_000
        guard milliseconds > 0 else { return nil }
        self.id = id
        self.settings = settings
        self.tagID = settings.tagID ?? slot
        self.format = format
        self.connection = connection
        timeMilliseconds = Int(clamping: milliseconds)
        self.now = now
        self.neighbours = neighbours
    }

    /// The header fields that go with it.
    public static let headers = [
        ("Content-Type", "application/json"), ("Accept", "application/json"), ("X-OpenRTB-Version", "2.6"),
    ]
}
