internal import Reachability

// The payloads of records, as RecordFormat describes them.
extension RecordBuffer {
    func put(_ address: IPAddress?) {
        guard let address else { return put(UInt8(0)) }
        let (high, low) = address.halves
        switch address.family {
        case .ipv4:
            put(UInt8(4))
            put(UInt32(truncatingIfNeeded: low).byteSwapped)
        case .ipv6:
            put(UInt8(16))
            put(high.byteSwapped)
            put(low.byteSwapped)
        }
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
            put(duration)
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
        put(settings.targetHost?.description)
        put(Self.flags(settings.followsNetworkManager, settings.connectivity.url != nil, false, false))
        guard let url = settings.connectivity.url else { return }
        // Of the URL only what tells it from another: a record goes to others, and it may hold a password.
        var check = CRC32()
        check.add(Array(url.utf8)[...])
        put(check.value)
        put(UInt16(clamping: settings.connectivity.status))
        put(long: settings.connectivity.text)
        put(settings.connectivity.interval)
        put(settings.connectivity.timeout)
    }

    func put(_ duration: Duration) {
        put(duration.components.seconds)
        put(duration.components.attoseconds)
    }

    func put(_ target: Target?) {
        switch target {
        case nil: put(UInt8(0))
        case .internet: put(UInt8(1))
        case .resolved(let addresses):
            put(UInt8(2))
            put(UInt16(clamping: addresses.count))
            for address in addresses.prefix(Int(UInt16.max)) { put(address) }
        case .unresolved: put(UInt8(3))
        }
    }

    func put(_ question: Int, _ answer: ConnectivityAnswer) {
        put(Int64(question))
        switch answer {
        case .failed: put(UInt16(0))
        case .response(let status, let body):
            put(UInt16(clamping: max(1, status)))
            putWithLength(UInt16.self) { for byte in body.prefix(Int(UInt16.max)) { put(byte) } }
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
        put(Self.truth(judgement.captivePortal))
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
        put(memory.target)
        put(Self.flags(memory.isMetered, memory.kernel != nil, false, false))
        if let kernel = memory.kernel { put(kernel) }
        put(memory.portal)
    }

    private func put(_ portal: ReachabilityMemory.Portal) {
        put(Int64(portal.questions))
        put(portal.latest.microseconds)
        put(portal.lastAsked?.microseconds ?? .min)
        guard let path = portal.path else { return put(UInt8(0)) }
        switch path.phase {
        case .asking(let deadline):
            put(UInt8(1))
            put(deadline.microseconds)
        case .resting(let since):
            put(UInt8(2))
            put(since.microseconds)
        case .waiting(let until):
            put(UInt8(3))
            put(until.microseconds)
        }
        put(Self.index(path.interfaceIndex))
        put(path.tunnel)
        put(Self.truth(path.isCaptive))
        put(UInt16(clamping: path.failures))
        put(UInt8(path.pause == nil ? 0 : 1))
        if let pause = path.pause { put(pause) }
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
