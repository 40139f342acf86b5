internal import LinuxSupport
internal import Varlink

/// An event of Manager.Monitor for people.
enum EventView {
    static func line(_ event: JSONObject, _ style: Style) -> String {
        let kind = event["kind"]?.string ?? "?"
        let time = event["time"]?.integer.map { SystemClock.localText($0, milliseconds: true) } ?? "-"
        let padding = String(repeating: " ", count: max(1, 13 - kind.count))
        return style.paint(time, .faint) + "  " + style.paint(kind, .bold) + padding
            + (event["text"]?.string ?? "").printable
    }
}

/// A reply of Attach for people.
enum CommandView {
    static func lines(_ reply: JSONObject, _ style: Style) -> [String] {
        if let lease = reply["lease"]?.string { return ["attached, lease \(lease)"] }
        guard let command = reply["command"] else { return [] }
        let kind = command["kind"]?.string ?? "?"
        var text = style.paint(kind, .bold) + String(repeating: " ", count: max(1, 8 - kind.count))
        text += "banner \(command["banner"]?.integer ?? 0) at \(frame(command["bannerFrame"]))"
        text += ", content at \(frame(command["contentFrame"]))"
        if let id = command["creative"]?["id"]?.string {
            text += ", creative \(id) from \(command["creative"]?["source"]?.string ?? "?")".printable
        }
        return [text + " (\(command["reason"]?.string ?? "?"))"]
    }

    private static func frame(_ value: JSONValue?) -> String {
        let parts = ["x", "y", "width", "height"].map { value?[$0]?.integer ?? 0 }
        return "\(parts[0]),\(parts[1]) \(parts[2])x\(parts[3])"
    }
}
