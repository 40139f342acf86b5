/// The bounds of this target.
public enum Limits {
    /// Bytes of a whole answer of an exchange, after decompression.
    public static let responseBytesMax = 512 << 10
    /// Bids of one answer; one request offers one impression, so even a few are many.
    public static let bidsMax = 64
    /// Bytes of markup, after substitution: it goes to hosts in one message.
    public static let markupBytesMax = 64 << 10
    /// Bytes of an identifier that an exchange makes up.
    public static let identifierBytesMax = 255
    /// Bytes of a URL, after substitution.
    public static let urlBytesMax = 4_096
    /// Entries of one list of a bid: domains, categories, attributes.
    public static let listEntriesMax = 64
    /// How long a bid may say that it holds, in seconds; longer is taken for this.
    public static let expirySecondsMax: Int64 = 86_400 * 7
    /// Characters of a foreign value that an explanation repeats.
    static let shownCharactersMax = 64
}
