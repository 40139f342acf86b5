internal import Reachability

// The payloads of records, as RecordFormat describes them.
extension RecordBuffer {
    func put(_ address: IPAddress?) {
        guard let address else { return put(UInt8(0)) }
        let bytes = address.bytes
        put(UInt8(bytes.count))
        for byte in bytes { put(byte) }
    }

    func put(_ link: Link) {
        put(Self.index(link.index))
        put(link.hardwareType)
        put(
            Self.flags(
                link.administrativelyUp, link.carrier, link.hasLinkLayerAddress, link.isWireless))
        put(link.operationalState.rawValue)
        put(Self.index(link.lowerIndex))
        put(Self.index(link.controllerIndex))
        put(link.name)
        put(link.infoKind)
        put(link.deviceType)
        put(link.remoteEndpoint)
    }

    func put(_ address: LinkAddress) {
        put(Self.index(address.linkIndex))
        put(address.address)
        put(UInt8(clamping: address.prefixLength))
        put(
            Self.flags(
                address.isTentative, address.isOptimistic, address.isDuplicate, address.isDeprecated))
    }

    func put(_ query: RouteQuery, _ answer: RouteAnswer) {
        put(query.destination)
        put(Self.index(query.outputLink))
        put(query.mark)
        switch answer {
        case .unicast(let link, let metric):
            put(UInt8(0))
            put(Self.index(link))
            put(metric)
        case .rejected: put(UInt8(1))
        case .loopback: put(UInt8(2))
        case .unroutable: put(UInt8(3))
        }
    }

    func put(_ end: TunnelEnd?, of tunnel: Link, for destination: IPAddress) {
        put(Self.index(tunnel.index))
        put(destination)
        put(end?.address)
        put(end?.mark ?? 0)
    }

    func put(_ settings: ReachabilitySettings) {
        for duration in [settings.lossHold, settings.gainHold, settings.dampHalfLife, settings.dampMax] {
            put(duration.components.seconds)
            put(duration.components.attoseconds)
        }
        put(UInt16(clamping: settings.lookupAddresses.count))
        for address in settings.lookupAddresses.prefix(Int(UInt16.max)) { put(address) }
        put(UInt16(clamping: settings.linkRules.count))
        for rule in settings.linkRules.prefix(Int(UInt16.max)) {
            putWithLength(UInt16.self) {
                put(rule.pattern)
                put(rule.kind?.rawValue)
                put(Self.truth(rule.metered))
                put(Self.truth(rule.onDemand))
            }
        }
    }

    func put(_ judgement: Judgement) {
        put(
            Self.flags(
                judgement.connectionRequired, judgement.expensive, judgement.ipv4, judgement.ipv6))
        put(judgement.status.rawValue)
        put(judgement.reason.rawValue)
        put(judgement.interface)
        put(judgement.tunnel)
        put(Self.index(judgement.interfaceIndex))
    }

    func put(_ memory: ReachabilityMemory) {
        put(
            Self.flags(
                memory.posted != nil, memory.pending != nil, memory.penalty != nil,
                memory.penalty?.suppresses == true))
        put(memory.latest.microseconds)
        if let posted = memory.posted {
            put(posted.judgement)
            put(UInt8(posted.held ? 1 : 0))
            put(Int64(posted.sequence))
            put(posted.since.microseconds)
        }
        if let pending = memory.pending {
            put(pending.raw)
            put(pending.since.microseconds)
        }
        if let penalty = memory.penalty {
            put(penalty.value.bitPattern)
            put(penalty.lastLoss.microseconds)
        }
    }

    /// A whole model.
    func put(_ model: ReachabilityModel) {
        putWithLength(UInt32.self) { put(model.settings) }
        putWithLength(UInt32.self) { put(model.memory) }
        putWithCount {
            var count: UInt32 = 0
            model.network.forEachLink { link in
                putWithLength(UInt16.self) { put(link) }
                count += 1
            }
            return count
        }
        putWithCount {
            var count: UInt32 = 0
            model.network.forEachAddress { address in
                putWithLength(UInt16.self) { put(address) }
                count += 1
            }
            return count
        }
    }

    private static func index(_ index: Int?) -> UInt32 { UInt32(clamping: index ?? 0) }

    private static func truth(_ value: Bool?) -> UInt8 { value.map { $0 ? 1 : 0 } ?? 255 }

    private static func flags(_ first: Bool, _ second: Bool, _ third: Bool, _ fourth: Bool) -> UInt8 {
        (first ? 1 : 0) | (second ? 2 : 0) | (third ? 4 : 0) | (fourth ? 8 : 0)
    }
}
