internal import LinuxSupport
internal import Varlink

/// Standard output: each line is written at once, so that a reader in a pipe has it.
enum Output {
    static func line(_ text: String) throws(Failure) {
        do throws(SystemError) {
            try StandardStream.output.writeLine(text)
        } catch {
            throw Failure(code: error.isDisconnection ? .outputClosed : .refused, message: error.description)
        }
    }

    /// Prints a reply as JSON.
    /// - Returns: false when people read along, so that the caller prints it for them.
    static func json(_ reply: JSONObject, _ manner: OutputManner) throws(Failure) -> Bool {
        switch manner {
        case .off: return false
        case .short: try line(JSONValue.object(reply).description)
        case .pretty: try line(JSONValue.object(reply).pretty)
        }
        return true
    }
}

/// Colours, where a person reads along and does not mind them (no-color.org).
struct Style {
    enum Colour: String {
        case green = "32"
        case yellow = "33"
        case red = "31"
        case faint = "2"
        case bold = "1"
    }

    let isOn: Bool

    init() {
        isOn =
            StandardStream.output.isTerminal && ProcessContext.environment("NO_COLOR") == nil
            && ProcessContext.environment("TERM") != "dumb"
    }

    func paint(_ text: String, _ colour: Colour?) -> String {
        guard isOn, let colour else { return text }
        return "\u{1B}[\(colour.rawValue)m\(text)\u{1B}[0m"
    }
}

/// Columns of text, aligned; the last one runs free.
struct Table {
    struct Cell: ExpressibleByStringLiteral {
        let text: String
        let colour: Style.Colour?

        init(_ text: String, _ colour: Style.Colour? = nil) {
            self.text = text.printable
            self.colour = colour
        }

        init(stringLiteral text: String) {
            self.init(text)
        }
    }

    private var rows: [[Cell]]

    init(_ header: [String]) {
        rows = [header.map { Cell($0, .bold) }]
    }

    mutating func add(_ row: [Cell]) {
        rows.append(row)
    }

    /// The lines, each column as wide as its widest cell.
    func lines(_ style: Style, indent: String = "") -> [String] {
        var widths: [Int] = []
        for row in rows {
            for (column, cell) in row.enumerated() {
                if column == widths.count { widths.append(0) }
                widths[column] = max(widths[column], cell.text.count)
            }
        }
        return rows.map { row in
            var line = indent
            for (column, cell) in row.enumerated() {
                line += style.paint(cell.text, cell.colour)
                if column < row.count - 1 {
                    line += String(repeating: " ", count: widths[column] - cell.text.count + 2)
                }
            }
            return line
        }
    }
}
