internal import AdSlots

extension SlotSnapshot {
    /// The slot in a person's words, for the log and for Monitor.
    var text: String {
        var text = state.rawValue
        if let creative { text += " \(creative.id) \(creative.size) from \(creative.source)" }
        if reason.rawValue != state.rawValue { text += ", \(reason.rawValue)" }
        if let host { text += ", host \(host)" }
        return text
    }
}

extension WorkSnapshot {
    /// The work in a person's words.
    var text: String {
        var text = "\(state.rawValue), kind \(kind.rawValue)"
        if !actions.isEmpty {
            text += ", for action " + actions.map { String($0.value) }.joined(separator: ", ")
        }
        return text
    }
}
