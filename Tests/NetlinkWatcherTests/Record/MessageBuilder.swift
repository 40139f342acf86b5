import Reachability

/// Builds messages as the kernel sends them.
enum MessageBuilder {
    static func link(_ link: Link, type: UInt16 = 16, padding: Int = 0) -> [UInt8] {
        var body = bytes(UInt8(0), UInt8(0)) + bytes(link.hardwareType) + bytes(UInt32(link.index))
        body += bytes(UInt32(link.administrativelyUp ? 1 : 0)) + bytes(UInt32(0))
        body += attribute(3, Array(link.name.utf8) + [0])
        body += attribute(16, [link.operationalState.rawValue])
        body += attribute(33, [link.carrier ? 1 : 0])
        // Statistics, which a recorder leaves out.
        body += attribute(23, [UInt8](repeating: 0x5A, count: 200))
        if link.hasLinkLayerAddress { body += attribute(1, [2, 0, 0, 0, 0, UInt8(link.index & 255)]) }
        if let lower = link.lowerIndex { body += attribute(5, bytes(UInt32(lower))) }
        if let controller = link.controllerIndex { body += attribute(10, bytes(UInt32(controller))) }
        if let kind = link.infoKind { body += attribute(18, attribute(1, Array(kind.utf8) + [0])) }
        if padding > 0 { body += attribute(20, [UInt8](repeating: 0x41, count: padding)) }
        return message(type, body)
    }

    static func linkGone(_ index: Int) -> [UInt8] {
        message(17, [0, 0, 1, 0] + bytes(UInt32(index)) + bytes(UInt32(0)) + bytes(UInt32(0)))
    }

    static func address(_ address: LinkAddress, type: UInt16 = 20) -> [UInt8] {
        let family: UInt8 = address.address.family == .ipv4 ? 2 : 10
        var body = [family, UInt8(address.prefixLength), 0, 0] + bytes(UInt32(address.linkIndex))
        body += attribute(1, address.address.bytes)
        body += attribute(8, bytes(UInt32(address.isTentative ? 0x40 : 0)))
        return message(type, body)
    }

    static let route = RouteFixtures.route

    private static func message(_ type: UInt16, _ body: [UInt8]) -> [UInt8] {
        bytes(UInt32(16 + body.count)) + bytes(type) + bytes(UInt16(0)) + bytes(UInt32(0))
            + bytes(UInt32(0)) + body
    }

    private static func attribute(_ type: UInt16, _ payload: [UInt8]) -> [UInt8] {
        bytes(UInt16(4 + payload.count)) + bytes(type) + payload
            + [UInt8](repeating: 0, count: (4 - payload.count % 4) % 4)
    }

    /// Numbers in the machine's order.
    private static func bytes(_ numbers: any FixedWidthInteger & BitwiseCopyable...) -> [UInt8] {
        numbers.flatMap { number in unsafe withUnsafeBytes(of: number) { unsafe Array($0) } }
    }
}
