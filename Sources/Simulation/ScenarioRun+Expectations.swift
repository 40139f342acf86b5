internal import AdSlots
internal import Configuration
internal import Reachability

extension ScenarioRun {
    /// Holds a claim against how things stand.
    func check(_ expectation: Expectation) throws(StepFailure) {
        switch expectation {
        case .reachability(let status, let reachable, let required, let reason):
            try checkReachability(status, reachable: reachable, connectionRequired: required, reason)
        case .notifications(let count): try compare("notifications", count, notifications)
        case .slot(let name, let state, let source, let reason):
            let slot = try slot(name)
            try compare("slot \(name)", state.rawValue, slot.state.rawValue)
            if let source { try compare("source of \(name)", source, slot.creative?.source ?? "none") }
            if let reason { try compare("reason of \(name)", reason.rawValue, slot.reason.rawValue) }
        case .shown(let name, let size):
            _ = try slot(name)
            try compare("shown \(name)", "\(size)", screen(of: name))
        case .blank(let name):
            _ = try slot(name)
            try compare("screen of \(name)", "nothing", screen(of: name))
        case .work(let name, let state): try compare("work \(name)", state.rawValue, work(name))
        case .requests(let name, let count): try compare("requests \(name)", count, slot(name).requests)
        case .impressions(let name, let count):
            try compare("impressions \(name)", count, slot(name).impressions)
        case .allowed(let label): try compare(label, "allowed", answer(label))
        case .refused(let label, let reason):
            let found = answer(label)
            if let reason {
                try compare(label, "refused (\(reason))", found)
            } else if !found.hasPrefix("refused") {
                throw StepFailure(expected: "\(label) refused", found: found)
            }
        }
    }

    private func compare<Value: Equatable>(
        _ what: String, _ expected: Value, _ found: Value
    ) throws(StepFailure) {
        guard expected != found else { return }
        throw StepFailure(expected: "\(what) \(expected)", found: "\(found)")
    }

    private func checkReachability(
        _ status: Transport, reachable: Bool?, connectionRequired: Bool?, _ reason: Reachability.Reason?
    ) throws(StepFailure) {
        guard let state = model.current else {
            throw StepFailure(expected: "reachability \(status.rawValue)", found: "no state")
        }
        try compare("reachability", status.rawValue, state.status.rawValue)
        if let reachable { try compare("reachable", reachable.word, state.reachable.word) }
        if let connectionRequired {
            try compare("connectionRequired", connectionRequired.word, state.connectionRequired.word)
        }
        if let reason { try compare("reason", reason.rawValue, state.reason.rawValue) }
    }

    private func slot(_ name: String) throws(StepFailure) -> SlotSnapshot {
        guard let slot = coordinator.slot(named: name) else {
            throw StepFailure(expected: "slot \(name)", found: "no such slot")
        }
        return slot
    }

    private func screen(of slot: String) -> String {
        hostBySlot[slot].flatMap { hosts[$0]?.creative }.map { "\($0.size)" } ?? "nothing"
    }

    /// Work that is not registered is not told anything, so that it runs.
    private func work(_ name: String) -> String {
        coordinator.work.first { $0.name == name }?.state.rawValue ?? ExpectedWork.running.rawValue
    }

    private func answer(_ label: String) -> String {
        switch answers[label] {
        case nil, .awaited: "no answer yet"
        case .allowed: "allowed"
        case .refused(let reason): "refused (\(reason))"
        }
    }
}

/// A moment of a scenario as its lines write it.
struct ScenarioTime: CustomStringConvertible {
    private let moment: Instant

    init(_ moment: Instant) {
        self.moment = moment
    }

    var description: String { moment == .zero ? "0s" : DurationText.format(moment - .zero) }
}
