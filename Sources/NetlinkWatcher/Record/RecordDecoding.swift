internal import Reachability

// The payloads of records, as RecordFormat describes them.
extension ByteCursor {
    mutating func link() throws(RecordError) -> Link {
        let start = offset
        let index = Int(try number(UInt32.self))
        let hardwareType = try number(UInt16.self)
        let flags = try number(UInt8.self)
        guard let state = OperationalState(rawValue: try number(UInt8.self)) else {
            throw RecordError(.impossible("an operational state"), at: start)
        }
        let lower = try optionalIndex()
        let controller = try optionalIndex()
        let name = try text()
        let infoKind = try optionalText()
        let deviceType = try optionalText()
        return Link(
            index: index, name: name, hardwareType: hardwareType, administrativelyUp: flags & 1 != 0,
            carrier: flags & 2 != 0, operationalState: state, hasLinkLayerAddress: flags & 4 != 0,
            infoKind: infoKind, lowerIndex: lower, controllerIndex: controller,
            remoteEndpoint: try optionalAddress(), deviceType: deviceType, isWireless: flags & 8 != 0)
    }

    mutating func linkAddress() throws(RecordError) -> LinkAddress {
        let index = Int(try number(UInt32.self))
        let address = try address()
        let length = Int(try number(UInt8.self))
        let flags = try number(UInt8.self)
        return LinkAddress(
            linkIndex: index, address: address, prefixLength: length, isTentative: flags & 1 != 0,
            isOptimistic: flags & 2 != 0, isDuplicate: flags & 4 != 0, isDeprecated: flags & 8 != 0)
    }

    mutating func lookup() throws(RecordError) -> (RouteQuery, RouteAnswer) {
        let destination = try address()
        let link = try optionalIndex()
        let query = RouteQuery(
            destination: destination, outputLink: link, mark: try number(UInt32.self))
        let start = offset
        switch try number(UInt8.self) {
        case 0:
            let link = Int(try number(UInt32.self))
            return (query, .unicast(link: link, metric: try number(UInt32.self)))
        case 1: return (query, .rejected)
        case 2: return (query, .loopback)
        case 3: return (query, .unroutable)
        case let answer: throw RecordError(.impossible("answer \(answer) to a lookup"), at: start)
        }
    }

    mutating func farEnd() throws(RecordError) -> (TunnelQuery, TunnelEnd?) {
        let tunnel = Int(try number(UInt32.self))
        let query = TunnelQuery(tunnel: tunnel, destination: try address())
        let end = try optionalAddress()
        let mark = try number(UInt32.self)
        return (query, end.map { TunnelEnd(address: $0, mark: mark) })
    }

    mutating func settings() throws(RecordError) -> ReachabilitySettings {
        var durations: [Duration] = []
        for _ in 0..<4 { durations.append(try duration()) }
        var settings = ReachabilitySettings(
            lossHold: durations[0], gainHold: durations[1], dampHalfLife: durations[2],
            dampMax: durations[3], lookupAddresses: [])
        for _ in 0..<(try number(UInt16.self)) { settings.lookupAddresses.append(try address()) }
        for _ in 0..<(try number(UInt16.self)) {
            var part = try part(UInt16.self)
            settings.linkRules.append(try part.linkRule())
        }
        settings.targetHost = try host()
        let flags = try number(UInt8.self)
        settings.followsNetworkManager = flags & 1 != 0
        if flags & 2 != 0 { settings.connectivity = try connectivity() }
        return settings
    }

    private mutating func host() throws(RecordError) -> Host? {
        let start = offset
        guard let text = try optionalText() else { return nil }
        do throws(HostFault) {
            return try Host(text)
        } catch {
            throw RecordError(.impossible("the host '\(text)'"), at: start)
        }
    }

    private mutating func connectivity() throws(RecordError) -> ConnectivitySettings {
        let url = "check \(String(try number(UInt32.self), radix: 16))"
        let status = Int(try number(UInt16.self))
        let text = String(decoding: try part(UInt16.self).bytes, as: UTF8.self)
        let interval = try duration()
        return ConnectivitySettings(
            url: url, status: status, text: text, interval: interval, timeout: try duration())
    }

    private mutating func duration() throws(RecordError) -> Duration {
        let start = offset
        let seconds = try number(Int64.self)
        let attoseconds = try number(Int64.self)
        guard RecordFormat.seconds.contains(seconds), attoseconds.magnitude < 1_000_000_000_000_000_000 else {
            throw RecordError(.impossible("a duration of \(seconds) s"), at: start)
        }
        return Duration(secondsComponent: seconds, attosecondsComponent: attoseconds)
    }

    private mutating func linkRule() throws(RecordError) -> LinkRule {
        let pattern = try text()
        let start = offset
        var kind: LinkKind?
        if let word = try optionalText() {
            kind = LinkKind(rawValue: word)
            if kind == nil { throw RecordError(.impossible("unknown word '\(word)'"), at: start) }
        }
        let metered = try truth()
        return LinkRule(pattern: pattern, kind: kind, metered: metered, onDemand: try truth())
    }

    private mutating func truth() throws(RecordError) -> Bool? {
        switch try number(UInt8.self) {
        case 0: false
        case 1: true
        default: nil
        }
    }

    private mutating func judgement() throws(RecordError) -> Judgement {
        let flags = try number(UInt8.self)
        let status = try word(Transport.self)
        let reason = try word(Reason.self)
        let interface = try optionalText()
        let tunnel = try optionalText()
        let index = try optionalIndex()
        return Judgement(
            status: status, connectionRequired: flags & 1 != 0, expensive: flags & 2 != 0,
            ipv4: flags & 4 != 0, ipv6: flags & 8 != 0, interface: interface, interfaceIndex: index,
            tunnel: tunnel, captivePortal: try truth(), reason: reason)
    }

    private mutating func memory() throws(RecordError) -> ReachabilityMemory {
        let flags = try number(UInt8.self)
        var memory = ReachabilityMemory(latest: try latest())
        if flags & 1 != 0 { memory.posted = try state() }
        if flags & 2 != 0 {
            let raw = try judgement()
            memory.pending = ReachabilityMemory.Pending(raw: raw, since: try instant())
        }
        if flags & 4 != 0 {
            let value = Double(bitPattern: try number(UInt64.self))
            memory.penalty = ReachabilityMemory.Penalty(
                value: value, lastLoss: try instant(), suppresses: flags & 8 != 0)
        }
        memory.target = try target()
        let more = try number(UInt8.self)
        memory.isMetered = more & 1 != 0
        if more & 2 != 0 { memory.kernel = try judgement() }
        memory.portal = try portal()
        return memory
    }

    /// The latest moment told; before anything has happened it is the smallest number there is.
    private mutating func latest() throws(RecordError) -> Instant {
        let start = offset
        let latest = try number(Int64.self)
        guard latest == .min || RecordFormat.times.contains(latest) else {
            throw RecordError(.impossible("its time"), at: start)
        }
        return Instant(microseconds: latest)
    }

    private mutating func portal() throws(RecordError) -> ReachabilityMemory.Portal {
        let questions = try questionNumber()
        var portal = ReachabilityMemory.Portal(questions: questions, latest: try latest())
        let asked = try latest()
        portal.lastAsked = asked.microseconds == .min ? nil : asked
        let start = offset
        let phase: ReachabilityMemory.Portal.Phase
        switch try number(UInt8.self) {
        case 0: return portal
        case 1: phase = .asking(deadline: try instant())
        case 2: phase = .resting(since: try instant())
        case 3: phase = .waiting(until: try instant())
        case let phase: throw RecordError(.impossible("phase \(phase) of a check"), at: start)
        }
        let index = try optionalIndex()
        let tunnel = try optionalText()
        let isCaptive = try truth()
        let failures = Int(try number(UInt16.self))
        let pause = try number(UInt8.self) == 0 ? nil : try duration()
        portal.path = ReachabilityMemory.Portal.Path(
            interfaceIndex: index, tunnel: tunnel, isCaptive: isCaptive, failures: failures, pause: pause,
            phase: phase)
        return portal
    }

    private mutating func questionNumber() throws(RecordError) -> Int {
        let start = offset
        let number = try number(Int64.self)
        guard (0...RecordFormat.sequences.upperBound).contains(number) else {
            throw RecordError(.impossible("question \(number)"), at: start)
        }
        return Int(number)
    }

    mutating func target() throws(RecordError) -> Target? {
        let start = offset
        switch try number(UInt8.self) {
        case 0: return nil
        case 1: return .internet
        case 2:
            var addresses: [IPAddress] = []
            for _ in 0..<(try number(UInt16.self)) { addresses.append(try address()) }
            return .resolved(addresses)
        case 3: return .unresolved
        case let target: throw RecordError(.impossible("target \(target)"), at: start)
        }
    }

    mutating func answer() throws(RecordError) -> (question: Int, ConnectivityAnswer) {
        let question = try questionNumber()
        let status = Int(try number(UInt16.self))
        guard status > 0 else { return (question, .failed) }
        return (question, .response(status: status, body: Array(try part(UInt16.self).bytes)))
    }

    private mutating func state() throws(RecordError) -> ReachabilityState {
        let judgement = try judgement()
        let held = try number(UInt8.self) & 1 != 0
        let start = offset
        let sequence = try number(Int64.self)
        guard RecordFormat.sequences.contains(sequence) else {
            throw RecordError(.impossible("notification \(sequence)"), at: start)
        }
        return ReachabilityState(
            judgement: judgement, held: held, sequence: Int(sequence), since: try instant())
    }

    mutating func model() throws(RecordError) -> ReachabilityModel {
        var part = try part(UInt32.self)
        let settings = try part.settings()
        part = try self.part(UInt32.self)
        let memory = try part.memory()
        var network = Network()
        for _ in 0..<(try number(UInt32.self)) {
            var part = try self.part(UInt16.self)
            _ = network.apply(.link(try part.link()))
        }
        for _ in 0..<(try number(UInt32.self)) {
            var part = try self.part(UInt16.self)
            _ = network.apply(.address(try part.linkAddress()))
        }
        return ReachabilityModel(network: network, settings: settings, memory: memory)
    }
}
