extension StringProtocol {
    /// The text as it may stand in an element or an attribute of XML 1.0. What XML cannot hold, and what
    /// would move what is around it (changes of direction), stands there as U+FFFD: names are foreign.
    var xml: String {
        var text = ""
        for scalar in unicodeScalars {
            switch scalar {
            case "&": text += "&amp;"
            case "<": text += "&lt;"
            case ">": text += "&gt;"
            case "\"": text += "&quot;"
            case "'": text += "&#39;"
            case _ where scalar.isForbidden: text += "\u{FFFD}"
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text
    }

    /// The text, cut where it is longer, with a sign that it is.
    func cut(to charactersMax: Int) -> String {
        count <= charactersMax ? String(self) : prefix(charactersMax - 1) + "…"
    }

    /// The text, cut to what a label of so many pixels holds.
    func cut(toPixels width: Int, fontSize: Int) -> String {
        func tenths(_ character: Character) -> Int {
            character.isASCII ? (character.isUppercase || character == "m" || character == "w" ? 8 : 6) : 11
        }
        let room = width * 10 / fontSize
        guard reduce(0, { $0 + tenths($1) }) > room else { return String(self) }
        var used = 10
        return prefix { character in
            used += tenths(character)
            return used <= room
        } + "…"
    }
}

extension Unicode.Scalar {
    /// Controls, formats such as changes of direction, and what is no character of XML.
    fileprivate var isForbidden: Bool {
        guard !isASCII else { return value < 0x20 || value == 0x7F }
        if value & 0xFFFE == 0xFFFE { return true }
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: return true
        default: return false
        }
    }
}
