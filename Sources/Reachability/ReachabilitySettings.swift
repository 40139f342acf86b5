/// The `[Reachability]` and `[Link …]` sections of the configuration.
public struct ReachabilitySettings: Equatable, Sendable {
    /// `LossHold=`: how long a loss must last before it is posted. A Wi-Fi roam takes up to 1.3 s.
    public var lossHold: Duration
    /// `GainHold=`: how long a gain, or a change between two unreachable states, must last.
    public var gainHold: Duration
    /// `DampHalfLife=`: the time in which the penalty for losses halves (RFC 2439).
    public var dampHalfLife: Duration
    /// `DampMax=`: the longest that gains are suppressed after the last posted loss; zero turns damping off.
    public var dampMax: Duration
    /// `LookupAddresses=`: what stands for the internet of each family. Nothing is ever sent there.
    public var lookupAddresses: [IPAddress]
    /// `Target=`: the host that reachability is about; nil for the internet as such.
    public var targetHost: Host?
    /// `ConnectivityCheck=` and its kin: the check for a captive portal.
    public var connectivity: ConnectivitySettings
    /// `NetworkManagerMetered=`: whether what NetworkManager says of the cost counts.
    public var followsNetworkManager: Bool
    /// The `[Link …]` sections in their order.
    public var linkRules: [LinkRule]

    /// Creates settings; what is not given has its documented default.
    public init(
        lossHold: Duration = .milliseconds(1500), gainHold: Duration = .milliseconds(250),
        dampHalfLife: Duration = .seconds(15), dampMax: Duration = .seconds(60),
        lookupAddresses: [IPAddress] = Self.defaultLookupAddresses, targetHost: Host? = nil,
        connectivity: ConnectivitySettings = ConnectivitySettings(), followsNetworkManager: Bool = false,
        linkRules: [LinkRule] = []
    ) {
        self.lossHold = lossHold
        self.gainHold = gainHold
        self.dampHalfLife = dampHalfLife
        self.dampMax = dampMax
        self.lookupAddresses = lookupAddresses
        self.targetHost = targetHost
        self.connectivity = connectivity
        self.followsNetworkManager = followsNetworkManager
        self.linkRules = linkRules
    }

    /// 1.1.1.1 and 2606:4700:4700::1111.
    public static let defaultLookupAddresses = [
        IPAddress(family: .ipv4, value: 0x0101_0101),
        IPAddress(family: .ipv6, value: 0x2606_4700_4700_0000_0000_0000_0000_1111),
    ]

    /// Whether traffic over a link of this kind costs money: it is cellular, or configured as metered.
    public func isMetered(_ link: Link, kind: LinkKind) -> Bool {
        kind == .cellular || linkRules.isMetered(link.name)
    }

    /// Whether a link is configured as one that comes up when there is traffic.
    public func isOnDemand(_ link: Link) -> Bool { linkRules.isOnDemand(link.name) }
}
