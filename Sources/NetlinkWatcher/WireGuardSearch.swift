internal import CNetlink
internal import Reachability

/// Finds, in a WireGuard device's description, the far end that it would send to an address's packets to.
///
/// WireGuard routes by the addresses that a peer is allowed, longest prefix first. A device with thousands of
/// peers is described by many messages: they are read as they come, and only the best so far is kept.
struct WireGuardSearch {
    /// Where the packets inside the tunnel go.
    let destination: IPAddress

    /// The mark that the device puts on its own packets, for policy rules; 0 for none.
    private(set) var mark: UInt32 = 0
    private var best: (length: Int, endpoint: IPAddress?)?
    private var latest: (key: [UInt8], endpoint: IPAddress?)?

    init(for destination: IPAddress) {
        self.destination = destination
    }

    /// The far end; nil when no peer is allowed the address, or the one that is has not been heard of yet.
    var farEnd: TunnelEnd? {
        guard let endpoint = best?.endpoint else { return nil }
        return TunnelEnd(address: endpoint, mark: mark)
    }

    /// Reads one message of the answer to WG_CMD_GET_DEVICE (linux/wireguard.h).
    mutating func read(_ message: RawMessage) {
        message.forEachGenericAttribute { attribute in
            switch attribute.type {
            case Int(WGDEVICE_A_FWMARK.rawValue): mark = attribute.word ?? mark
            case Int(WGDEVICE_A_PEERS.rawValue): attribute.forEachNested { read(peer: $0) }
            default: break
            }
        }
    }

    private mutating func read(peer: Attribute) {
        var key: [UInt8] = []
        var endpoint: IPAddress?
        var length: Int?
        peer.forEachNested { attribute in
            switch attribute.type {
            case Int(WGPEER_A_PUBLIC_KEY.rawValue): key = attribute.bytes
            case Int(WGPEER_A_ENDPOINT.rawValue): endpoint = attribute.socketAddress
            case Int(WGPEER_A_ALLOWEDIPS.rawValue):
                attribute.forEachNested { entry in
                    guard let prefix = Self.prefix(entry), prefix.contains(destination) else { return }
                    length = max(length ?? 0, prefix.length)
                }
            default: break
            }
        }
        // A peer with too many prefixes for one message goes on in the next, by its key alone.
        if endpoint == nil, let latest, latest.key == key { endpoint = latest.endpoint }
        latest = (key, endpoint)
        guard let length else { return }
        if let best, best.length >= length { return }
        best = (length, endpoint)
    }

    private static func prefix(_ entry: Attribute) -> AddressPrefix? {
        var address: IPAddress?
        var length: UInt8?
        entry.forEachNested { attribute in
            switch attribute.type {
            case Int(WGALLOWEDIP_A_IPADDR.rawValue): address = attribute.address
            case Int(WGALLOWEDIP_A_CIDR_MASK.rawValue): length = attribute.byte
            default: break
            }
        }
        guard let address, let length else { return nil }
        return AddressPrefix(address, length: Int(length))
    }
}
