/// The operational state of a link (RFC 2863 `ifOperStatus`); the raw values are the kernel's `IF_OPER_*`.
public enum OperationalState: UInt8, Sendable, Hashable, CaseIterable {
    /// The driver does not say; many working links never leave this state.
    case unknown = 0
    /// A part of the hardware is missing.
    case notPresent = 1
    /// The link cannot pass packets.
    case down = 2
    /// A link below this one is down.
    case lowerLayerDown = 3
    /// Some test is running.
    case testing = 4
    /// The link waits for an event outside: a connection to be made, an 802.1X login.
    case dormant = 5
    /// The link can pass packets.
    case up = 6

    /// The state in the words of `ip link`: `UP`, `LOWERLAYERDOWN`.
    public var name: String {
        switch self {
        case .unknown: return "UNKNOWN"
        case .notPresent: return "NOTPRESENT"
        case .down: return "DOWN"
        case .lowerLayerDown: return "LOWERLAYERDOWN"
        case .testing: return "TESTING"
        case .dormant: return "DORMANT"
        case .up: return "UP"
        }
    }

    /// The state of that name, as `name` spells it.
    public init?(name: some StringProtocol) {
        guard let state = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = state
    }

    /// Whether a link in this state can have carrier. A dormant one has: it waits for something above.
    var allowsCarrier: Bool {
        switch self {
        case .unknown, .dormant, .up: return true
        case .notPresent, .down, .lowerLayerDown, .testing: return false
        }
    }
}

/// The hardware types that the rule for kinds knows (`ARPHRD_*` in linux/if_arp.h).
public enum HardwareType {
    /// `ARPHRD_ETHER`: Ethernet and all that looks like it.
    public static let ethernet: UInt16 = 1
    /// `ARPHRD_PPP`: a point-to-point connection by pppd.
    public static let pointToPoint: UInt16 = 512
    /// `ARPHRD_RAWIP`: a modem that passes bare IP packets.
    public static let rawIP: UInt16 = 519
    /// `ARPHRD_LOOPBACK`.
    public static let loopback: UInt16 = 772
    /// `ARPHRD_NONE`: no link layer at all, as of a tun device or WireGuard.
    public static let none: UInt16 = 65534
}

/// What the kernel says of one link, complete: partial messages have been merged before.
public struct Link: Hashable, Sendable {
    /// The interface index, unique among the links of a network namespace.
    public var index: Int
    /// The interface name.
    public var name: String
    /// The type of hardware, `ARPHRD_*`; see `HardwareType`.
    public var hardwareType: UInt16
    /// `IFF_UP`: somebody wants the link to work.
    public var administrativelyUp: Bool
    /// `IFLA_CARRIER`.
    public var carrier: Bool
    /// `IFLA_OPERSTATE`.
    public var operationalState: OperationalState
    /// `IFLA_ADDRESS` is there and not empty; a tun device has none.
    public var hasLinkLayerAddress: Bool
    /// `IFLA_INFO_KIND`, the kind of a virtual link.
    public var infoKind: String?
    /// `IFLA_LINK`, the index of the link below, when that is in the same network namespace.
    public var lowerIndex: Int?
    /// `IFLA_MASTER`, the index of the bridge, bond, team or VRF that the link is a port of.
    public var controllerIndex: Int?
    /// The far end of a tunnel, where the kernel tells.
    public var remoteEndpoint: IPAddress?
    /// `DEVTYPE` in the uevent of the link.
    public var deviceType: String?
    /// nl80211 knows the link.
    public var isWireless: Bool

    /// Creates a link; what is not given is what most links do not have.
    public init(
        index: Int, name: String, hardwareType: UInt16 = HardwareType.ethernet,
        administrativelyUp: Bool = false,
        carrier: Bool = false, operationalState: OperationalState = .unknown,
        hasLinkLayerAddress: Bool = true,
        infoKind: String? = nil, lowerIndex: Int? = nil, controllerIndex: Int? = nil,
        remoteEndpoint: IPAddress? = nil, deviceType: String? = nil, isWireless: Bool = false
    ) {
        self.index = index
        self.name = name
        self.hardwareType = hardwareType
        self.administrativelyUp = administrativelyUp
        self.carrier = carrier
        self.operationalState = operationalState
        self.hasLinkLayerAddress = hasLinkLayerAddress
        self.infoKind = infoKind
        self.lowerIndex = lowerIndex
        self.controllerIndex = controllerIndex
        self.remoteEndpoint = remoteEndpoint
        self.deviceType = deviceType
        self.isWireless = isWireless
    }
}

extension Link {
    /// Whether packets can leave, or could once the link is no longer dormant.
    ///
    /// `IFLA_CARRIER` alone is stale while a driver restarts, and `IFF_RUNNING` is set on links without any:
    /// both the carrier and the operational state have to agree.
    public var hasCarrier: Bool { carrier && operationalState.allowsCarrier }

    /// Whether the link has carrier through its ports alone.
    var isUpByPorts: Bool { infoKind == "bridge" || infoKind == "bond" || infoKind == "team" }

    /// Whether the link waits for a connection or a login (RFC 2863 dormant).
    public var isDormant: Bool { operationalState == .dormant }
}
