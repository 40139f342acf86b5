internal import CNetlink
internal import Reachability

/// Decodes RTM_NEWLINK and RTM_DELLINK (rtnetlink(7), linux/if_link.h).
enum LinkDecoder {
    /// What a message says of a link.
    ///
    /// Messages of another family than AF_UNSPEC are about a protocol's view of the link (a bridge port
    /// leaving sends an RTM_DELLINK of AF_BRIDGE), not about the link. Wireless extensions send
    /// RTM_NEWLINK without IFLA_OPERSTATE, whose flags run ahead of or behind the truth: no news either.
    static func decode(_ message: RawMessage) -> Fact? {
        guard let header = message.fixedPart(as: ifinfomsg.self), header.ifi_family == UInt8(AF_UNSPEC),
            header.ifi_index > 0
        else { return nil }
        let index = Int(header.ifi_index)
        guard Int(message.type) == RTM_NEWLINK else { return .linkGone(index: index) }

        var name: String?
        var operationalState: OperationalState?
        var lowerIsElsewhere = false
        var link = Link(
            index: index, name: "", hardwareType: header.ifi_type,
            administrativelyUp: header.ifi_flags & UInt32(IFF_UP.rawValue) != 0, hasLinkLayerAddress: false)
        message.forEachAttribute(after: ifinfomsg.self) { attribute in
            switch attribute.type {
            case IFLA_IFNAME: name = attribute.text
            case IFLA_OPERSTATE: operationalState = attribute.byte.flatMap { OperationalState(rawValue: $0) }
            case IFLA_CARRIER: link.carrier = attribute.byte == 1
            case IFLA_ADDRESS: link.hasLinkLayerAddress = attribute.isSet
            case IFLA_LINK: link.lowerIndex = attribute.linkIndex
            case IFLA_LINK_NETNSID: lowerIsElsewhere = true
            case IFLA_MASTER: link.controllerIndex = attribute.linkIndex
            case IFLA_LINKINFO: readInfo(attribute, into: &link)
            default: break
            }
        }
        guard let name, let operationalState else { return nil }
        link.name = name
        link.operationalState = operationalState
        if lowerIsElsewhere || link.lowerIndex == index { link.lowerIndex = nil }
        return .link(link)
    }

    /// IFLA_LINKINFO: the kind, and a tunnel's far end, whose number depends on the kind.
    private static func readInfo(_ info: Attribute, into link: inout Link) {
        var kind: String?
        info.forEachNested { if $0.type == IFLA_INFO_KIND { kind = $0.text } }
        link.infoKind = kind
        guard let wanted = kind.flatMap(remoteAttribute) else { return }
        var remote: IPAddress?
        info.forEachNested { data in
            guard data.type == IFLA_INFO_DATA else { return }
            data.forEachNested { if $0.type == wanted { remote = $0.address } }
        }
        if remote?.isUnspecified == false { link.remoteEndpoint = remote }
    }

    /// Where linux/if_tunnel.h keeps the far end of each kind of tunnel.
    private static func remoteAttribute(of kind: String) -> Int? {
        switch kind {
        case "gre", "gretap", "erspan", "ip6gre", "ip6gretap", "ip6erspan": Int(IFLA_GRE_REMOTE)
        case "ipip", "sit", "ip6tnl": Int(IFLA_IPTUN_REMOTE)
        case "vti", "vti6": Int(IFLA_VTI_REMOTE)
        default: nil
        }
    }
}
