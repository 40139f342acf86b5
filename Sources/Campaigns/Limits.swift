/// Every bound of this module, by name. A value beyond its bound is refused or brought into it, never stored.
public enum Limits {
    /// Campaigns that one scheduler holds.
    public static let campaignsMax = 1_000_000
    /// Creatives of one campaign.
    public static let creativesMax = 256
    /// Dayparts of one campaign.
    public static let daypartsMax = 64
    /// Frequency caps of one campaign.
    public static let capsMax = 16
    /// Categories of one campaign.
    public static let categoriesMax = 64
    /// Bytes of a name, in UTF-8.
    public static let nameBytesMax = 255
    /// Bytes of a category.
    public static let categoryBytesMax = 64
    /// Bytes of a click URL.
    public static let urlBytesMax = 4_096
    /// Bytes of an identifier that the caller gives to a decision.
    public static let decisionBytesMax = 128
    /// Length of a side of a creative, in density-independent pixels.
    public static let sidePixels = 1...32_768
    /// Bytes of markup.
    public static let markupBytesMax = 524_288
    /// Length of a side of a picture, in its own pixels: as far as WebP goes (RFC 9649, 14 bits).
    public static let imageSidePixelsMax = 16_384
    /// Pixels of a picture: 128 MiB of memory in whoever draws it.
    public static let imagePixelsMax = 33_554_432
    /// How many pixels on a side a picture may have for each density-independent one.
    public static let imageDensities = 1...3
    /// Priority tiers; the lowest number comes first.
    public static let tiers = 1...16
    /// Weights of campaigns that share what guaranteed ones leave.
    public static let weights = 1...10_000
    /// Impressions that a campaign may be guaranteed.
    public static let guaranteed = 1...1_000_000_000
    /// Impressions that a frequency cap lets through in its window.
    public static let capCounts = 1...10_000
    /// The window of a frequency cap, in seconds: up to a leap year.
    public static let capWindowSeconds: ClosedRange<Int64> = 1...31_622_400
    /// A price for a thousand impressions, in micro-units: up to ten million units.
    public static let priceMicros: ClosedRange<Int64> = 0...10_000_000_000_000
    /// Wall times, in milliseconds: the years 1 to 9999.
    public static let wallMilliseconds: ClosedRange<Int64> = -62_135_596_800_000...253_402_300_799_999
    /// The steady clock, in milliseconds: a hundred thousand years.
    static let steadyMilliseconds: ClosedRange<Int64> = 0...3_155_760_000_000_000
    /// What is believed of numbers that were remembered: counts, and virtual time.
    static let rememberedCounts = 0...1_000_000_000_000
    static let rememberedTurns: ClosedRange<Int64> = -1_000_000_000...1_000_000_000
    static let rememberedVirtualTime: ClosedRange<Int64> = -(1 << 61)...(1 << 61)
    /// Bytes of a time zone file.
    public static let zoneBytesMax = 1_048_576
    /// Transitions of a time zone, and its local time types.
    public static let zoneTransitionsMax = 65_536
    /// Offsets from UTC, in seconds (RFC 8536, section 3.2).
    public static let zoneOffsetSeconds = -89_999...93_599

    /// Bytes of a file that a creative is made of.
    public static let creativeBytesMax: Int64 = 8 << 20
    /// Files of creatives that are fetched at the same time; over a path that costs money it is one.
    public static let fetchesMax = 2
    /// How long an address is left alone that could not be reached or failed: at first, doubling to.
    static let fetchRetryMilliseconds: ClosedRange<Int64> = 30_000...3_600_000
    /// And one that gave what is of no use.
    static let uselessRetryMilliseconds: ClosedRange<Int64> = 3_600_000...86_400_000

    /// Slots that one scheduler knows.
    public static let slotsMax = 16_384
    /// Decisions that can still be confirmed or withdrawn; the oldest is forgotten first and stays counted.
    public static let decisionsMax = 4_096
    /// Verdicts that a decision carries on campaigns that were passed over.
    public static let verdictsMax = 32
    /// Domains, and categories, that are told of the slots beside one.
    public static let neighboursMax = 64
    /// Kinds of competitors that are looked through ahead of a search.
    static let separationsLookedThroughMax = 64
    /// Slots that are looked through for whether a campaign is capped in all of them.
    static let slotsLookedThroughMax = 8
    /// Domains above one that it competes with.
    static let domainParentsMax = 8
    /// Impressions that a campaign can be owed which could not be shown for a while.
    static let owedMax: Int64 = 8
    /// How many times its planned pace a guaranteed campaign may take to catch up, while that suffices.
    static let catchUpFactor: Int128 = 2
}

extension Comparable {
    /// The nearest value inside `range`.
    func clamped(to range: ClosedRange<Self>) -> Self {
        min(max(self, range.lowerBound), range.upperBound)
    }
}
