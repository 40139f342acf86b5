extension StringProtocol {
    /// The text as it can be shown in one line of a terminal or a log: what would move the cursor, begin a
    /// line or turn the direction of writing stands there as its number, so that a name cannot forge what is
    /// around it.
    public var printable: String {
        guard unicodeScalars.contains(where: \.isUnprintable) else { return String(self) }
        var text = ""
        for scalar in unicodeScalars {
            if scalar.isUnprintable {
                text += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
            } else {
                text.unicodeScalars.append(scalar)
            }
        }
        return text
    }
}

extension Unicode.Scalar {
    /// Controls, formats such as changes of direction, and separators of lines and paragraphs.
    fileprivate var isUnprintable: Bool {
        // Nearly all text is ASCII, of which the controls alone are meant: no need to look those up.
        guard !isASCII else { return value < 0x20 || value == 0x7F }
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: return true
        default: return false
        }
    }
}
