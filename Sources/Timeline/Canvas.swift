/// A picture that is being written.
struct Canvas {
    private(set) var text = ""

    /// Writes markup of our own.
    mutating func raw(_ markup: String) { text += markup }

    /// A rectangle, in tenths of a pixel, with what is said when it is pointed at.
    mutating func rectangle(
        _ look: String, x: Int64, y: Int64, width: Int64, height: Int64, title: String? = nil
    ) {
        text += "<rect class=\"\(look)\" x=\"\(Self.pixels(x))\" y=\"\(Self.pixels(y))\""
        text += " width=\"\(Self.pixels(width))\" height=\"\(Self.pixels(height))\""
        text += title.map { "><title>\($0.xml)</title></rect>\n" } ?? "/>\n"
    }

    /// A sign with its middle at a place, in tenths of a pixel.
    mutating func sign(_ sign: (look: String, path: String), x: Int64, y: Int64, title: String? = nil) {
        text += "<path class=\"\(sign.look)\" d=\"\(sign.path)\""
        text += " transform=\"translate(\(Self.pixels(x)) \(Self.pixels(y)))\""
        text += title.map { "><title>\($0.xml)</title></path>\n" } ?? "/>\n"
    }

    mutating func line(_ look: String, _ x1: Int64, _ y1: Int64, _ x2: Int64, _ y2: Int64) {
        text += "<path class=\"\(look)\" d=\"M\(Self.pixels(x1)) \(Self.pixels(y1))"
        text += "L\(Self.pixels(x2)) \(Self.pixels(y2))\"/>\n"
    }

    /// A line of text; `look` may be more than one class.
    mutating func label(_ label: String, x: Int64, y: Int64, _ look: String = "") {
        text += "<text" + (look.isEmpty ? "" : " class=\"\(look)\"")
        text += " x=\"\(Self.pixels(x))\" y=\"\(Self.pixels(y))\">\(label.xml)</text>\n"
    }

    /// Tenths of a pixel as a decimal number.
    static func pixels(_ tenths: Int64) -> String {
        let (whole, part) = tenths.magnitude.quotientAndRemainder(dividingBy: 10)
        return (tenths < 0 ? "-" : "") + "\(whole)" + (part == 0 ? "" : ".\(part)")
    }
}
