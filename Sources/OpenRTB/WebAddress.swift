/// The URLs that are ever called or handed on: `http` and `https`, with a host, without credentials, in
/// visible characters of ASCII. Everything else (`javascript:`, `data:`, `intent:`, `file:`) is refused, by
/// what is allowed and not by what is known to be bad.
public enum WebAddress {
    /// Whether a URL is one of those.
    public static func isAcceptable(_ text: String) -> Bool {
        let bytes = text.utf8
        // A backslash is a slash to browsers: behind it another host could hide.
        let isPlain = bytes.allSatisfy { (0x21...0x7E).contains($0) && !"\\\"<>".utf8.contains($0) }
        guard bytes.count <= Limits.urlBytesMax, isPlain else { return false }
        let scheme = text.prefix { $0 != ":" }.lowercased()
        guard scheme == "http" || scheme == "https", text.dropFirst(scheme.count).hasPrefix("://") else {
            return false
        }
        let authority = text.dropFirst(scheme.count + 3).prefix { !"/?#".contains($0) }
        return authority.utf8.first.map { isOfHost($0) && $0 != UInt8(ascii: ":") } ?? false
            && authority.utf8.allSatisfy(isOfHost)
    }

    /// Whether the traffic of a URL is encrypted.
    public static func isSecure(_ text: String) -> Bool {
        text.prefix { $0 != ":" }.lowercased() == "https"
    }

    private static func isOfHost(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "-._:[]".utf8.contains(byte)
        }
    }
}
