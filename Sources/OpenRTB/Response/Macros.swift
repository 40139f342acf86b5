/// The values of the substitution macros (OpenRTB 2.6, 4.4).
///
/// In URLs every `${…}` is replaced, those that nobody knows by nothing, and values are percent-encoded: a
/// seat called `a&b` adds no parameter. In markup only `${AUCTION_…}` is, as it stands: other dollars and
/// braces are JavaScript's own. A macro with an algorithm (`${AUCTION_PRICE:B64}`) becomes nothing, since
/// none has been agreed on.
struct Macros: Hashable, Sendable {
    var auctionID: String
    var bidID: String?
    var impressionID: String
    var seatID: String?
    var adID: String?
    var currency: String
    var price: String?
    var marketBidRatio: String?
    var loss: String?
    var minimumToWin: String?
    var multiplier: String?
    /// When the impression took place, in milliseconds since the Unix epoch.
    var impressionTime: String?

    /// What stands in a place.
    enum Place {
        case url, markup
    }

    /// The text with every macro replaced once; what a value brings in is not looked at.
    func substituted(in text: String, of place: Place) -> String {
        var result: [UInt8] = []
        let bytes = Array(text.utf8)
        result.reserveCapacity(bytes.count)
        var position = 0
        while position < bytes.count {
            guard let name = Self.name(in: bytes, at: position),
                place == .url || name.starts(with: Self.prefix)
            else {
                result.append(bytes[position])
                position += 1
                continue
            }
            let value = value(of: String(decoding: name, as: UTF8.self)) ?? ""
            result += place == .url ? Array(value.percentEncoded.utf8) : Array(value.utf8)
            position += name.count + 3
        }
        return String(decoding: result, as: UTF8.self)
    }

    private static let prefix = Array("AUCTION_".utf8)

    /// The longest name, with its algorithm, that is looked for: an open brace costs no more.
    private static let nameBytesMax = 128

    /// The name between `${` and `}`, where a macro begins at the position.
    private static func name(in bytes: [UInt8], at position: Int) -> ArraySlice<UInt8>? {
        guard bytes[position] == UInt8(ascii: "$"), position + 1 < bytes.count,
            bytes[position + 1] == UInt8(ascii: "{")
        else { return nil }
        let rest = bytes[(position + 2)...].prefix(nameBytesMax)
        return rest.firstIndex(of: UInt8(ascii: "}")).map { rest[..<$0] }
    }

    private func value(of name: String) -> String? {
        switch name {
        case "AUCTION_ID": auctionID
        case "AUCTION_BID_ID": bidID
        case "AUCTION_IMP_ID": impressionID
        case "AUCTION_SEAT_ID": seatID
        case "AUCTION_AD_ID": adID
        case "AUCTION_PRICE": price
        case "AUCTION_CURRENCY": currency
        case "AUCTION_MBR": marketBidRatio
        case "AUCTION_LOSS": loss
        case "AUCTION_MIN_TO_WIN": minimumToWin
        case "AUCTION_MULTIPLIER": multiplier
        case "AUCTION_IMP_TS": impressionTime
        default: nil
        }
    }
}

extension String {
    /// The text without its macros, to see what else it is made of.
    var withoutMacros: String {
        Macros(auctionID: "", impressionID: "", currency: "").substituted(in: self, of: .url)
    }

    /// Every byte that is not unreserved (RFC 3986, 2.3) written as `%XX`.
    fileprivate var percentEncoded: String {
        var result = ""
        for byte in utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
                UInt8(ascii: "_"), UInt8(ascii: "~"):
                result.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                let digits = String(byte, radix: 16, uppercase: true)
                result += byte < 0x10 ? "%0\(digits)" : "%\(digits)"
            }
        }
        return result
    }
}
