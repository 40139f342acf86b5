internal import Reachability

/// Reads a part of a record from front to back. Offsets are those of the whole file.
struct ByteCursor {
    let bytes: ArraySlice<UInt8>
    /// Where the next byte is.
    private(set) var offset: Int

    init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        offset = bytes.startIndex
    }

    var isAtEnd: Bool { offset == bytes.endIndex }

    /// The next `count` bytes.
    mutating func take(_ count: Int) throws(RecordError) -> ArraySlice<UInt8> {
        guard count <= bytes.endIndex - offset else { throw RecordError(.truncated, at: bytes.endIndex) }
        defer { offset += count }
        return bytes[offset..<(offset + count)]
    }

    /// A number.
    mutating func number<Number: FixedWidthInteger>(_ type: Number.Type) throws(RecordError) -> Number {
        let part = try take(Number.bitWidth / 8)
        var number = Number.Magnitude.zero
        for byte in part.reversed() { number = number << 8 | Number.Magnitude(byte) }
        return Number(truncatingIfNeeded: number)
    }

    /// A part that has a length of its own before it.
    mutating func part<Length: FixedWidthInteger>(_ type: Length.Type) throws(RecordError) -> ByteCursor {
        ByteCursor(try take(Int(try number(Length.self))))
    }

    /// A text that may be missing.
    mutating func optionalText() throws(RecordError) -> String? {
        let length = try number(UInt8.self)
        guard length != RecordFormat.noText else { return nil }
        return String(decoding: try take(Int(length)), as: UTF8.self)
    }

    /// A text.
    mutating func text() throws(RecordError) -> String {
        let start = offset
        guard let text = try optionalText() else { throw RecordError(.impossible("no text"), at: start) }
        return text
    }

    /// One of the words of an enumeration.
    mutating func word<Word: RawRepresentable<String>>(_ type: Word.Type) throws(RecordError) -> Word {
        let start = offset
        let text = try text()
        guard let word = Word(rawValue: text) else {
            throw RecordError(.impossible("unknown word '\(text)'"), at: start)
        }
        return word
    }

    /// An address that may be missing.
    mutating func optionalAddress() throws(RecordError) -> IPAddress? {
        let start = offset
        let length = Int(try number(UInt8.self))
        guard length > 0 else { return nil }
        guard let address = IPAddress(try take(length)) else {
            throw RecordError(.impossible("an address of \(length) bytes"), at: start)
        }
        return address
    }

    /// An address.
    mutating func address() throws(RecordError) -> IPAddress {
        let start = offset
        guard let address = try optionalAddress() else {
            throw RecordError(.impossible("no address"), at: start)
        }
        return address
    }

    /// The index of a link, nil for 0.
    mutating func optionalIndex() throws(RecordError) -> Int? {
        let index = Int(try number(UInt32.self))
        return index == 0 ? nil : index
    }

    /// A moment.
    mutating func instant() throws(RecordError) -> Instant {
        let start = offset
        let instant = Instant(microseconds: try number(Int64.self))
        guard RecordFormat.times.contains(instant.microseconds) else {
            throw RecordError(.impossible("its time"), at: start)
        }
        return instant
    }
}

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
        for _ in 0..<4 {
            let seconds = try number(Int64.self)
            durations.append(
                Duration(secondsComponent: seconds, attosecondsComponent: try number(Int64.self)))
        }
        var settings = ReachabilitySettings(
            lossHold: durations[0], gainHold: durations[1], dampHalfLife: durations[2],
            dampMax: durations[3], lookupAddresses: [])
        for _ in 0..<(try number(UInt16.self)) { settings.lookupAddresses.append(try address()) }
        for _ in 0..<(try number(UInt16.self)) {
            var part = try part(UInt16.self)
            settings.linkRules.append(try part.linkRule())
        }
        return settings
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
        return Judgement(
            status: status, connectionRequired: flags & 1 != 0, expensive: flags & 2 != 0,
            ipv4: flags & 4 != 0, ipv6: flags & 8 != 0, interface: interface,
            interfaceIndex: try optionalIndex(), tunnel: tunnel, reason: reason)
    }

    private mutating func memory() throws(RecordError) -> ReachabilityMemory {
        let flags = try number(UInt8.self)
        let start = offset
        let latest = try number(Int64.self)
        // Before anything has happened it is the smallest number there is.
        guard latest == .min || RecordFormat.times.contains(latest) else {
            throw RecordError(.impossible("its time"), at: start)
        }
        var memory = ReachabilityMemory(latest: Instant(microseconds: latest))
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
        return memory
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
