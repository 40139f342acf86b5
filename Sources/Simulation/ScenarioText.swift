internal import AdSlots
internal import Configuration
internal import Reachability

extension Scenario {
    /// The scenario as a file: reading it gives the same steps.
    public var text: String {
        steps.map { "\($0)\n" }.joined()
    }
}

extension Scenario.Step: CustomStringConvertible {
    /// The step as a line, with its absolute time.
    public var description: String {
        let time = at == .zero ? "0s" : DurationText.format(at - .zero)
        return "\(time) \(action.words.joined(separator: " "))"
    }
}

extension Action {
    fileprivate var words: [String] {
        switch self {
        case .set(let section, let key, let value):
            let parts = section.split(separator: " ", maxSplits: 1)
            return ["set", "\(parts.joined(separator: ".")).\(key)=\(value)"]
        case .network(let step): return step.words
        case .overrun: return ["overrun"]
        case .attach(let slot, let viewport, let visible, let host, let label):
            return ["attach", slot, "\(viewport)"] + (visible ? [] : ["hidden"])
                + option("host", host) + ["as=\(label)"]
        case .viewport(let slot, let size): return ["viewport", slot, "\(size)"]
        case .visible(let slot, let visible): return ["visible", slot, visible.word]
        case .detach(let slot): return ["detach", slot]
        case .source(let name, let change):
            return ["source", name, change.behaviour.word]
                + option("delay", change.delay.map(span)) + option("expires", change.expires.map(span))
                + option("size", change.size)
        case .begin(let slot, let label, let leaves):
            return ["begin", slot, "as=\(label)"] + (leaves ? ["leaves"] : [])
        case .finish(let label): return ["finish", label]
        case .work(let name, let kind, let manner):
            return ["work", name, "kind=\(kind.rawValue)", "ack=\(manner.word)"]
        case .unwork(let name): return ["unwork", name]
        case .disable(let slot, let time): return ["disable", slot] + option("for", time.map(span))
        case .enable(let slot): return ["enable", slot]
        case .pressure: return ["pressure"]
        case .crash: return ["crash"]
        case .expect(let expectation): return ["expect"] + expectation.words
        }
    }
}

extension NetworkStep {
    fileprivate var words: [String] {
        switch self {
        case .link(let name, let change):
            return ["link", name] + option("index", change.index) + option("kind", change.kind?.rawValue)
                + (change.isUp.map { [$0 ? "up" : "down"] } ?? [])
                + (change.carrier.map { [$0 ? "carrier" : "nocarrier"] } ?? [])
                + option("oper", change.operationalState?.name) + (change.isOnDemand ? ["ondemand"] : [])
                + option("under", change.under)
        case .unlink(let name): return ["unlink", name]
        case .address(let link, let address, let length, let state):
            return ["address", link, "\(address)/\(length)"] + (state.map { [$0.rawValue] } ?? [])
        case .unaddress(let link, let address, let length):
            return ["unaddress", link, "\(address)/\(length)"]
        case .route(let route):
            return ["route", "\(route.prefix)"] + option("dev", route.link) + option("via", route.gateway)
                + ["metric=\(route.metric)", "type=\(route.kind.rawValue)"]
        case .unroute(let prefix, let link, let metric):
            return ["unroute", "\(prefix)"] + option("dev", link) + option("metric", metric)
        }
    }
}

extension Expectation {
    fileprivate var words: [String] {
        switch self {
        case .reachability(let status, let reachable, let connectionRequired, let reason):
            return ["reachability", status.rawValue] + option("reachable", reachable?.word)
                + option("connectionRequired", connectionRequired?.word) + option("reason", reason?.rawValue)
        case .notifications(let count): return ["notifications", "\(count)"]
        case .slot(let name, let state, let source, let reason):
            return ["slot", name, state.rawValue] + option("source", source)
                + option("reason", reason?.rawValue)
        case .shown(let slot, let size): return ["shown", slot, "\(size)"]
        case .blank(let slot): return ["blank", slot]
        case .work(let name, let state): return ["work", name, state.rawValue]
        case .requests(let slot, let count): return ["requests", slot, "\(count)"]
        case .impressions(let slot, let count): return ["impressions", slot, "\(count)"]
        case .allowed(let label): return ["allowed", label]
        case .refused(let label, let reason): return ["refused", label] + option("reason", reason)
        }
    }
}

extension WorkManner {
    fileprivate var word: String {
        switch self {
        case .acknowledges(let delay): span(delay)
        case .keepsSilent: "never"
        case .vetoes: "veto"
        }
    }
}

extension Bool {
    var word: String { self ? "yes" : "no" }
}

private func option(_ key: String, _ value: (some CustomStringConvertible)?) -> [String] {
    value.map { ["\(key)=\($0)"] } ?? []
}

/// A span of time; zero needs its unit to be one.
private func span(_ duration: Duration) -> String {
    duration == .zero ? "0ms" : DurationText.format(duration)
}
