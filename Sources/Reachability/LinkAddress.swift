/// One address of one link, as the kernel says it. Lifetimes are left out: they change nothing here.
public struct LinkAddress: Hashable, Sendable {
    /// The index of the link that owns the address.
    public var linkIndex: Int
    /// The address itself.
    public var address: IPAddress
    /// The length of the on-link prefix, in bits.
    public var prefixLength: Int
    /// `IFA_F_TENTATIVE`: duplicate address detection still runs (RFC 4862).
    public var isTentative: Bool
    /// `IFA_F_OPTIMISTIC`: may be used while detection still runs (RFC 4429).
    public var isOptimistic: Bool
    /// `IFA_F_DADFAILED`: somebody else has the address.
    public var isDuplicate: Bool
    /// `IFA_F_DEPRECATED`: not for new connections when there is another (RFC 4862); still usable.
    public var isDeprecated: Bool

    /// Creates an address of a link; without flags it is ready for use.
    public init(
        linkIndex: Int, address: IPAddress, prefixLength: Int, isTentative: Bool = false,
        isOptimistic: Bool = false, isDuplicate: Bool = false, isDeprecated: Bool = false
    ) {
        self.linkIndex = linkIndex
        self.address = address
        self.prefixLength = prefixLength
        self.isTentative = isTentative
        self.isOptimistic = isOptimistic
        self.isDuplicate = isDuplicate
        self.isDeprecated = isDeprecated
    }
}

extension LinkAddress {
    /// Whether traffic to the internet can have this source address now.
    public var isUsable: Bool { fitness == .usable }

    /// What the address is good for as a source of traffic to the internet.
    enum Fitness {
        /// It never will be: wrong scope, or somebody else has it.
        case unfit
        /// It will be once duplicate address detection has ended.
        case awaitsDetection
        /// It is.
        case usable
    }

    /// What the address is good for now.
    var fitness: Fitness {
        if isDuplicate || address.isLinkLocal || address.isLoopback || address.isMulticast
            || address.isUnspecified
        {
            return .unfit
        }
        return isTentative && !isOptimistic ? .awaitsDetection : .usable
    }
}
