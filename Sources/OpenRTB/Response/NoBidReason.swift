/// What an exchange means by `nbr` (OpenRTB 3.0, List: No-Bid Reason Codes).
enum NoBidReason {
    private static let known: [Int64: String] = [
        0: "unknown error", 1: "technical error", 2: "invalid request", 3: "known web crawler",
        4: "suspected non-human traffic", 5: "cloud, data centre or proxy address", 6: "unsupported device",
        7: "blocked publisher or site", 8: "unmatched user", 9: "daily user cap met",
        10: "daily domain cap met", 11: "ads.txt authorization unavailable",
        12: "ads.txt authorization violation", 13: "ads.cert authentication unavailable",
        14: "ads.cert authentication violation", 15: "insufficient auction time",
        16: "incomplete supply chain", 17: "blocked supply chain node",
    ]

    /// The code in words.
    static func text(_ code: Int64) -> String {
        let meaning = known[code] ?? (code >= 500 ? "the exchange's own reason" : "a reserved code")
        return "nbr \(code): \(meaning)"
    }
}
