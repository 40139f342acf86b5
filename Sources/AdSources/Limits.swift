/// The bounds of this target.
enum Limits {
    /// Redirects that are followed.
    static let redirectsMax = 3
    /// Ads whose notices are kept until they have been taken and seen; the oldest are forgotten first.
    static let deliveriesMax = 4_096
    /// Bytes of a house ad's HTML that is handed on as markup, in one message, as long as an exchange's may
    /// be; what is longer is handed on as a file.
    static let houseMarkupBytesMax: Int64 = 64 << 10
    /// Campaigns that nothing was decided on whose memory is kept at one time.
    static let idleCampaignsKeptMax = 256
    /// Creatives whose file is not whole that are met in one question before it is given up.
    static let unwholeCreativesMetMax = 32
    /// How long a creative is left alone whose file is not whole.
    static let unwholeRestMilliseconds: Int64 = 30_000
    /// Such creatives that are looked at again at one time.
    static let unwholeCreativesLookedAtMax = 64
    /// How often it is looked whether the clock can be believed now, while campaigns wait for that: the
    /// kernel does not announce it.
    static let clockLookInterval = Duration.seconds(10)
    /// Kinds of obstacles that a no-fill names.
    static let obstaclesNamedMax = 3
    /// How long the file of a creative may take to come.
    static let fetchTimeout = Duration.seconds(300)
    /// How far ahead a look at what is to be fetched is planned at the most, in milliseconds.
    static let planMillisecondsMax: Int64 = 86_400_000
    /// How long a source is left alone that asks for it: at least, without a number, and at most.
    static let pause = (
        least: Duration.seconds(1), usual: Duration.seconds(60), most: Duration.seconds(3_600)
    )
}
