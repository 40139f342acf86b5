/// The bounds of this target.
enum Limits {
    /// Length of a slot's, source's or group's name.
    static let nameBytesMax = 32
    /// Sources that can be configured.
    static let sourcesMax = 256
    /// `[Link …]` sections that can be configured.
    static let linkRulesMax = 256
    /// Lookup addresses of both families together: each costs a lookup whenever a route changes.
    static let lookupAddressesMax = 8
    /// Length of a URL.
    static let urlBytesMax = 2_048
    /// Length of a text that an exchange is told; a consent string can be long.
    static let demandTextBytesMax = 2_048
    /// Length of the text that a connectivity check expects: its answer is read no further.
    static let expectedTextBytesMax = 1_024
    /// Length of the name of a time zone.
    static let timeZoneBytesMax = 64
    /// How long rows of the ledger can be kept.
    static let ledgerRetainDays = 1...3_650
    /// How large the ledger's file can be allowed to get.
    static let ledgerSizeBytes: ClosedRange<Int64> = 16 << 20...1 << 40
    /// How many bytes fetched creatives can be allowed.
    static let creativesSizeBytes: ClosedRange<Int64> = 1 << 20...1 << 40
    /// How many bytes a day can be allowed over paths that cost money; 0 for none.
    static let meteredBudgetBytes: ClosedRange<Int64> = 0...1 << 40
}
