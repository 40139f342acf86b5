public import AdSlots
internal import Reachability

/// Turns what the coordinator says into rows: pure but for the random bits of their identifiers.
///
/// It remembers which requests are under way, which advertisements are on screen and which actions run, so
/// that each row names the request that it comes from, and an impression is completed when its
/// advertisement leaves the screen.
public struct Bookkeeper: Sendable {
    private struct Asked: Sendable {
        let request: RequestID
        let source: String
        let row: EntryReference
    }

    /// An advertisement that has come and may still be on screen.
    private struct Advertisement: Sendable {
        let request: RequestID?
        let row: EntryReference?
        let path: String
        var isShown = false
        var impression: EntryReference?
    }

    private var rows: Int64 = 0
    private var asked: [String: Asked] = [:]
    /// By slot, the newest last.
    private var advertisements: [String: [Advertisement]] = [:]
    private var actions: [ActionID: EntryReference] = [:]

    /// Creates one that knows of nothing under way.
    public init() {}

    /// The rows and completions that effects bring, in their order.
    ///
    /// - Parameters:
    ///   - effects: All effects of one event.
    ///   - clocks: The present moment.
    ///   - path: The path to the internet, as it is posted.
    ///   - hostName: The name of a slot's host.
    ///   - generator: For the identifiers.
    public mutating func changes(
        for effects: [Effect], at clocks: Clocks, path: String, hostName: (String) -> String?,
        using generator: inout some RandomNumberGenerator
    ) -> [Change] {
        var changes: [Change] = []
        for (position, effect) in effects.enumerated() {
            // A timeout cancels and fails: the failure is what came of it.
            if case .cancel(let request) = effect,
                case .sourceFailed(let slot, _, _) = effects.dropFirst(position + 1).first,
                asked[slot]?.request == request
            {
                continue
            }
            if let completion = completion(by: effect, at: clocks) { changes.append(completion) }
            guard let kind = kind(of: effect) else { continue }
            var entry = entry(kind, at: clocks, using: &generator)
            entry.path = path
            fill(&entry, from: effect, at: clocks)
            if entry.kind != .impression { entry.host = entry.slot.flatMap(hostName) }
            changes.append(.append(entry))
        }
        return changes
    }

    /// A row with nothing but its moment.
    mutating func entry(
        _ kind: Entry.Kind, at clocks: Clocks, using generator: inout some RandomNumberGenerator
    ) -> Entry {
        defer { rows += 1 }
        return Entry(
            kind, EntryReference(number: rows, id: EntryID(at: clocks.wall, using: &generator)), at: clocks)
    }

    /// The kind of row that an effect brings, `nil` where it brings none.
    private func kind(of effect: Effect) -> Entry.Kind? {
        switch effect {
        case .request: return .request
        case .cancel(let request): return asked.values.contains { $0.request == request } ? .cancelled : nil
        case .sourceFailed: return .noFill
        case .filled: return .fill
        case .command(_, let command):
            guard command.kind == .show, let creative = command.creative, let place = place(of: creative)
            else { return nil }
            return advertisements[place.slot]?[place.index].isShown == false ? .shown : nil
        case .impression: return .impression
        case .actionStarted: return .action
        case .attached, .attachRefused, .updateRefused, .hostDropped, .dropped, .leftScreen, .beginAnswered,
            .actionEnded, .finishRefused, .registered, .registerRefused, .instruct, .pauseUnanswered,
            .tokenRefused, .enablementRefused, .slotChanged, .workChanged:
            return nil
        }
    }

    /// Writes into a row what its effect says, and remembers what later effects will refer to.
    private mutating func fill(_ entry: inout Entry, from effect: Effect, at clocks: Clocks) {
        switch effect {
        case .request(let request):
            (entry.slot, entry.source) = (request.slot, request.source.name)
            asked[request.slot] = Asked(
                request: request.id, source: request.source.name, row: entry.reference)
        case .cancel(let request):
            guard let (slot, asked) = asked.first(where: { $0.value.request == request }) else { return }
            (entry.slot, entry.source, entry.request) = (slot, asked.source, asked.row)
            self.asked[slot] = nil
        case .sourceFailed(let slot, let source, let error):
            (entry.slot, entry.source, entry.reason) = (slot, source, error.rawValue)
            entry.request = asked.removeValue(forKey: slot)?.row
        case .filled(let slot, let creative):
            entry.describe(creative, in: slot)
            entry.request = asked.removeValue(forKey: slot)?.row
            remember(
                Advertisement(request: creative.request, row: entry.request, path: entry.path ?? ""), in: slot
            )
        case .command(_, let command):
            guard let creative = command.creative, let place = place(of: creative) else { return }
            advertisements[place.slot]?[place.index].isShown = true
            describe(creative, in: place.slot, &entry)
        case .impression(let impression):
            describe(impression.creative, in: impression.slot, &entry)
            entry.host = impression.hostName
            entry.started = clocks.wall - (clocks.now - impression.start).microseconds
            entry.visible = impression.visible.microseconds
            guard let place = place(of: impression.creative) else { return }
            advertisements[place.slot]?[place.index].impression = entry.reference
        case .actionStarted(let action, let slot, let creative, _):
            describe(creative, in: slot, &entry)
            actions[action] = entry.reference
        default: preconditionFailure("this effect brings no row")
        }
    }

    /// The completion of an earlier row that an effect brings.
    private mutating func completion(by effect: Effect, at clocks: Clocks) -> Change? {
        switch effect {
        case .leftScreen(let time):
            guard let place = place(of: time.creative),
                let impression = advertisements[place.slot]?[place.index].impression
            else { return nil }
            return .endImpression(impression, ended: clocks.wall, visible: time.visible.microseconds)
        case .actionEnded(let action, _, let end):
            guard let row = actions.removeValue(forKey: action) else { return nil }
            return .endAction(row, ended: clocks.wall, reason: end.rawValue)
        default: return nil
        }
    }

    private mutating func remember(_ advertisement: Advertisement, in slot: String) {
        advertisements[slot, default: []].append(advertisement)
        if advertisements[slot, default: []].count > Limits.advertisementsPerSlotMax {
            advertisements[slot]?.removeFirst()
        }
    }

    /// Where an advertisement is remembered.
    private func place(of creative: Creative) -> (slot: String, index: Int)? {
        guard let request = creative.request else { return nil }
        for (slot, known) in advertisements {
            if let index = known.firstIndex(where: { $0.request == request }) { return (slot, index) }
        }
        return nil
    }

    /// Describes a row about an advertisement; its path is the one that the advertisement came over.
    private func describe(_ creative: Creative, in slot: String, _ entry: inout Entry) {
        entry.describe(creative, in: slot)
        guard let place = place(of: creative), let known = advertisements[place.slot]?[place.index]
        else { return }
        (entry.request, entry.path) = (known.row, known.path)
    }
}

extension Entry {
    fileprivate mutating func describe(_ creative: Creative, in slot: String) {
        self.slot = slot
        source = creative.source
        self.creative = creative.id.cut
        campaign = creative.campaign?.cut
        price = creative.price
    }
}

extension String {
    /// At most as many bytes as a text of a row may have, without a broken character at the end.
    var cut: String {
        guard utf8.count > Limits.entryTextBytesMax else { return self }
        var bytes = 0
        return String(
            prefix { character in
                bytes += character.utf8.count
                return bytes <= Limits.entryTextBytesMax
            })
    }
}
