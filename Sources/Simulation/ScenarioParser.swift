internal import AdSlots
internal import Configuration
internal import Reachability

extension Scenario {
    /// Reads a scenario.
    ///
    /// - Parameter text: One step a line; `#` starts a comment, blank lines are skipped.
    public init(parsing text: String) throws(ScenarioError) {
        var parser = ScenarioParser()
        // Some editors begin a file with a mark of its byte order, which says nothing in UTF-8.
        let text = text.hasPrefix("\u{FEFF}") ? text.dropFirst() : text[...]
        let lines = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
        for (index, line) in lines.enumerated() {
            do throws(WordError) {
                try parser.read(line, number: index + 1)
            } catch {
                throw ScenarioError(line: index + 1, message: error.message)
            }
        }
        self.init(steps: parser.steps)
    }
}

/// Reads line by line, and knows what the lines before have named.
struct ScenarioParser {
    private(set) var steps: [Scenario.Step] = []
    private var links: Set<String> = []
    private var labels: Set<String> = []
    private var works: Set<String> = []

    mutating func read(_ line: Substring, number: Int) throws(WordError) {
        let text = line.prefix { $0 != "#" }
        guard !text.allSatisfy(\.isBlank) else { return }
        guard steps.count < Limits.stepsMax else { throw WordError("more than \(Limits.stepsMax) steps") }
        var words = Words(text)
        let at = try time(words.next("time"))
        let verb = try words.next("what happens")
        let action: Action
        if verb == "set" {
            action = try setting(text)
        } else {
            action = try self.action(verb, &words)
            try words.end()
        }
        steps.append(Scenario.Step(at: at, line: number, action: action))
    }

    private func time(_ word: String) throws(WordError) -> Instant {
        let before = steps.last?.at ?? .zero
        if word.hasPrefix("+") { return before + (try Words.duration(String(word.dropFirst()), "the time")) }
        let at = Instant.zero + (try Words.duration(word, "the time"))
        guard at >= before else {
            let last = DurationText.format(before - .zero)
            throw WordError("the time \(word) comes before that of the step before, \(last)")
        }
        return at
    }

    /// `set Section.Key=value with spaces`; the section's name may hold dots.
    private func setting(_ line: Substring) throws(WordError) -> Action {
        let isFirst = steps.allSatisfy { step in
            if case .set = step.action { true } else { false }
        }
        guard isFirst else { throw WordError("set comes before the first other step") }
        var rest = line.drop(while: \.isBlank).drop { !$0.isBlank }
        rest = rest.drop(while: \.isBlank).drop { !$0.isBlank }.drop(while: \.isBlank)
        guard let equals = rest.firstIndex(of: "="), let dot = rest[..<equals].lastIndex(of: ".") else {
            throw WordError("set takes Section.Key=VALUE, as in Reachability.LossHold=1s")
        }
        var section = String(rest[..<dot])
        let key = String(rest[rest.index(after: dot)..<equals])
        var value = rest[rest.index(after: equals)...]
        while let last = value.last, last.isBlank { value.removeLast() }
        if let inner = section.firstIndex(of: ".") {
            section.replaceSubrange(inner...inner, with: CollectionOfOne(" "))
        }
        return .set(section: section, key: key, value: String(value))
    }

    private mutating func action(_ verb: String, _ words: inout Words) throws(WordError) -> Action {
        switch verb {
        case "link", "unlink", "address", "unaddress", "route", "unroute":
            return .network(try network(verb, &words))
        case "overrun": return .overrun
        case "attach": return try attach(&words)
        case "viewport": return .viewport(slot: try words.next("slot"), try words.size("viewport"))
        case "visible": return .visible(slot: try words.next("slot"), try words.yesOrNo("visible"))
        case "detach": return .detach(slot: try words.next("slot"))
        case "source": return try source(&words)
        case "begin":
            let slot = try words.next("slot")
            let label = try words.option("as") ?? slot
            labels.insert(label)
            return .begin(slot: slot, label: label, leaves: words.flag("leaves"))
        case "finish": return .finish(label: try label(&words))
        case "work": return try work(&words)
        case "unwork": return .unwork(name: try known(words.next("work"), in: works, "work"))
        case "disable":
            let slot = try words.next("slot")
            return .disable(slot: slot, try words.optionalDuration("for"))
        case "enable": return .enable(slot: try words.next("slot"))
        case "pressure": return .pressure
        case "crash": return .crash
        case "expect": return .expect(try expectation(&words))
        default: throw WordError("unknown step '\(verb)'")
        }
    }

    private mutating func attach(_ words: inout Words) throws(WordError) -> Action {
        let slot = try words.next("slot")
        let viewport = try words.size("viewport")
        let label = try words.option("as") ?? slot
        labels.insert(label)
        return .attach(
            slot: slot, viewport: viewport, visible: !words.flag("hidden"), host: try words.option("host"),
            label: label)
    }

    private func source(_ words: inout Words) throws(WordError) -> Action {
        let name = try words.next("source")
        var change = SourceChange(try behaviour(words.next("answer")))
        change.delay = try words.optionalDuration("delay")
        change.expires = try words.optionalDuration("expires")
        if let size = try words.option("size") { change.size = try Words.size(size, "size=") }
        return .source(name: name, change)
    }

    private func behaviour(_ word: String) throws(WordError) -> TestSource.Behaviour {
        let all = TestSource.Behaviour.allCases
        if let behaviour = all.first(where: { $0.word == word }) { return behaviour }
        let known = all.map(\.word).joined(separator: ", ")
        throw WordError("a source's answer is one of \(known), not '\(word)'")
    }

    private mutating func work(_ words: inout Words) throws(WordError) -> Action {
        let name = try words.next("work")
        guard let kind = try words.optionalChoice("kind", of: WorkKind.self) else {
            throw WordError("kind= is missing")
        }
        works.insert(name)
        switch try words.option("ack") {
        case nil: return .work(name: name, kind: kind, .acknowledges(after: .zero))
        case "never": return .work(name: name, kind: kind, .keepsSilent)
        case "veto": return .work(name: name, kind: kind, .vetoes)
        case .some(let word):
            let delay = try Words.duration(word, "ack=")
            return .work(name: name, kind: kind, .acknowledges(after: delay))
        }
    }

    private func label(_ words: inout Words) throws(WordError) -> String {
        try known(words.next("label"), in: labels, "label")
    }

    private func known(_ name: String, in names: Set<String>, _ what: String) throws(WordError) -> String {
        guard names.contains(name) else { throw WordError("no line before names the \(what) '\(name)'") }
        return name
    }
}

extension TestSource.Behaviour {
    /// The answer as scenarios write it.
    var word: String {
        switch self {
        case .ok: "ok"
        case .noFill: "nofill"
        case .serverFailure: "serverFailure"
        case .timeout: "timeout"
        }
    }
}

// Links, addresses and routes.
extension ScenarioParser {
    private mutating func network(_ verb: String, _ words: inout Words) throws(WordError) -> NetworkStep {
        switch verb {
        case "link": return try link(&words)
        case "unlink": return .unlink(name: try link(named: words.next("link")))
        case "address":
            let name = try link(named: words.next("link"))
            let (address, length) = try interfaceAddress(&words)
            return .address(link: name, address, prefixLength: length, words.flag(of: AddressState.self))
        case "unaddress":
            let name = try link(named: words.next("link"))
            let (address, length) = try interfaceAddress(&words)
            return .unaddress(link: name, address, prefixLength: length)
        case "route": return try route(&words)
        default:
            let word = try words.next("prefix")
            let link = try words.option("dev")
            let metric = try metric(&words)
            return .unroute(
                try prefix(word, gateway: nil),
                link: try link.map { word throws(WordError) in
                    try self.link(named: word)
                }, metric: metric)
        }
    }

    private mutating func link(_ words: inout Words) throws(WordError) -> NetworkStep {
        let name = try words.next("link")
        var change = LinkChange()
        if let word = try words.option("index") {
            guard let index = Int(word), index > 0 else {
                throw WordError("index= takes a number above 0, not '\(word)'")
            }
            change.index = index
        }
        guard change.index != nil || links.contains(name) else {
            throw WordError("index= is missing for the new link '\(name)'")
        }
        change.kind = try words.optionalChoice("kind", of: LinkKind.self, except: [.other])
        if let word = try words.option("oper") {
            guard let state = OperationalState(name: word) else {
                let known = OperationalState.allCases.map(\.name).joined(separator: ", ")
                throw WordError("oper= takes one of \(known), not '\(word)'")
            }
            change.operationalState = state
        }
        if let under = try words.option("under") { change.under = try link(named: under) }
        change.isUp = try either("up", "down", &words)
        change.carrier = try either("carrier", "nocarrier", &words)
        change.isOnDemand = words.flag("ondemand")
        links.insert(name)
        return .link(name: name, change)
    }

    private func either(_ yes: String, _ no: String, _ words: inout Words) throws(WordError) -> Bool? {
        switch (words.flag(yes), words.flag(no)) {
        case (true, true): throw WordError("\(yes) and \(no) exclude each other")
        case (true, false): return true
        case (false, true): return false
        case (false, false): return nil
        }
    }

    private func link(named name: String) throws(WordError) -> String {
        try known(name, in: links, "link")
    }

    private func interfaceAddress(_ words: inout Words) throws(WordError) -> (IPAddress, Int) {
        let word = try words.next("address")
        let parts = word.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let address = IPAddress(parts[0]), let length = Int(parts[1]),
            (0...address.family.bits).contains(length)
        else { throw WordError("an address such as 192.0.2.7/24 is needed, not '\(word)'") }
        return (address, length)
    }

    private func route(_ words: inout Words) throws(WordError) -> NetworkStep {
        let word = try words.next("prefix")
        let kind = try words.optionalChoice("type", of: VirtualRoute.Kind.self) ?? .unicast
        var gateway: IPAddress?
        if let via = try words.option("via") {
            guard let address = IPAddress(via) else { throw WordError("via= takes an address, not '\(via)'") }
            gateway = address
        }
        let link = try words.option("dev")
        if kind == .unicast, link == nil { throw WordError("dev= is missing for a unicast route") }
        if kind != .unicast, link != nil || gateway != nil {
            throw WordError("a route of type \(kind.rawValue) goes out of no link")
        }
        let prefix = try prefix(word, gateway: gateway)
        // As the kernel: what is not said is 0 for IPv4, 1024 for IPv6.
        let metric = try metric(&words) ?? (prefix.address.family == .ipv4 ? 0 : 1_024)
        return .route(
            VirtualRoute(
                prefix: prefix, link: try link.map { word throws(WordError) in try self.link(named: word) },
                gateway: gateway, metric: metric, kind: kind))
    }

    private func metric(_ words: inout Words) throws(WordError) -> UInt32? {
        guard let word = try words.option("metric") else { return nil }
        guard let metric = UInt32(word) else { throw WordError("metric= takes a number, not '\(word)'") }
        return metric
    }

    /// A prefix, or `default`: of the gateway's family, and of IPv4 without one.
    private func prefix(_ word: String, gateway: IPAddress?) throws(WordError) -> AddressPrefix {
        let text = word == "default" ? (gateway?.family == .ipv6 ? "::/0" : "0.0.0.0/0") : word
        guard let prefix = AddressPrefix(text) else {
            throw WordError("a prefix such as 0.0.0.0/0 is needed, not '\(word)'")
        }
        return prefix
    }
}

// Claims.
extension ScenarioParser {
    private func expectation(_ words: inout Words) throws(WordError) -> Expectation {
        switch try words.next("what is expected") {
        case "reachability":
            let status = try words.choice("reachability", of: Transport.self)
            return .reachability(
                status, reachable: try words.optionalYesOrNo("reachable"),
                connectionRequired: try words.optionalYesOrNo("connectionRequired"),
                reason: try words.optionalChoice("reason", of: Reachability.Reason.self))
        case "notifications": return .notifications(try words.count("notifications"))
        case "slot":
            let name = try words.next("slot")
            let state = try words.choice("state", of: SlotState.self)
            return .slot(
                name: name, state, source: try words.option("source"),
                reason: try words.optionalChoice("reason", of: AdSlots.Reason.self))
        case "shown": return .shown(slot: try words.next("slot"), try words.size("shown"))
        case "blank": return .blank(slot: try words.next("slot"))
        case "work":
            let name = try known(words.next("work"), in: works, "work")
            return .work(name: name, try words.choice("state", of: ExpectedWork.self))
        case "requests": return .requests(slot: try words.next("slot"), try words.count("requests"))
        case "impressions": return .impressions(slot: try words.next("slot"), try words.count("impressions"))
        case "allowed": return .allowed(label: try label(&words))
        case "refused": return .refused(label: try label(&words), reason: try words.option("reason"))
        case let word: throw WordError("'\(word)' is nothing that can be expected")
        }
    }
}
