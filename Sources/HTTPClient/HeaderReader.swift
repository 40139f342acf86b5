/// Reads the header lines of an exchange: those of the last response count, when redirects or interim
/// responses came before it.
struct HeaderReader {
    private(set) var fields: [HTTPHeader] = []
    private(set) var isTooLong = false
    private var bytesTaken = 0

    /// Takes a line.
    /// - Returns: false when there are more of them than are wanted.
    mutating func take(_ line: String, byteCount: Int) -> Bool {
        bytesTaken += byteCount
        guard bytesTaken <= Limits.headerBytesMax else {
            isTooLong = true
            return false
        }
        if line.hasPrefix("HTTP/") {
            fields = []
        } else if let colon = line.firstIndex(of: ":") {
            fields.append(
                HTTPHeader(
                    String(line[..<colon]), Self.trimmed(line[line.index(after: colon)...])))
        }
        return true
    }

    private static func trimmed(_ text: Substring) -> String {
        let start = text.drop(while: \.isWhitespace)
        guard let end = start.lastIndex(where: { !$0.isWhitespace }) else { return "" }
        return String(start[...end])
    }
}
