/// One thing that the kernel said about links, addresses or routes.
public enum Fact: Hashable, Sendable {
    /// A link is there, and this is all about it.
    case link(Link)
    /// A link is no longer there.
    case linkGone(index: Int)
    /// A link has an address.
    case address(LinkAddress)
    /// A link no longer has an address.
    case addressGone(linkIndex: Int, address: IPAddress, prefixLength: Int)
    /// A route, a rule or a nexthop has changed: what was looked up before may be wrong now.
    case routesMayHaveChanged
}

/// The links and addresses of one network namespace: all facts so far, folded.
///
/// Routes are not kept. Policy rules, VRFs and nexthop objects would make a copy wrong: the judge asks for
/// the few lookups it needs (`RouteLookup`).
public struct Network: Equatable, Sendable {
    /// What tells two addresses of one link apart: the kernel allows one address with several lengths.
    private struct AddressKey: Hashable {
        var address: IPAddress
        var prefixLength: Int
    }

    private var linkByIndex: [Int: Link] = [:]
    private var addressesByLink: [Int: [AddressKey: LinkAddress]] = [:]
    private var portsByController: [Int: Set<Int>] = [:]
    private var addressCount = 0

    /// Whether links or addresses beyond the bounds were left out.
    public private(set) var isCut = false

    /// A network in which nothing is known yet.
    public init() {}

    /// Folds one fact in.
    ///
    /// Returns true when something differs now that can change a judgement. A fact that says again what is
    /// known (a lifetime refreshed, say) changes nothing.
    public mutating func apply(_ fact: Fact) -> Bool {
        switch fact {
        case .link(let link): return insert(link)
        case .linkGone(let index): return removeLink(index)
        case .address(let address): return insert(address)
        case .addressGone(let linkIndex, let address, let prefixLength):
            return removeAddress(AddressKey(address: address, prefixLength: prefixLength), of: linkIndex)
        case .routesMayHaveChanged: return true
        }
    }

    private mutating func insert(_ link: Link) -> Bool {
        guard linkByIndex.count < Limits.linksMax || linkByIndex[link.index] != nil else {
            isCut = true
            return false
        }
        guard let old = linkByIndex.updateValue(link, forKey: link.index) else {
            addPort(link)
            return true
        }
        guard old != link else { return false }
        if old.controllerIndex != link.controllerIndex {
            removePort(old)
            addPort(link)
        }
        return true
    }

    private mutating func removeLink(_ index: Int) -> Bool {
        let link = linkByIndex.removeValue(forKey: index)
        if let link { removePort(link) }
        let addresses = addressesByLink.removeValue(forKey: index)
        addressCount -= addresses?.count ?? 0
        return link != nil || addresses != nil
    }

    private mutating func insert(_ address: LinkAddress) -> Bool {
        let key = AddressKey(address: address.address, prefixLength: address.prefixLength)
        guard addressCount < Limits.addressesMax || addressesByLink[address.linkIndex]?[key] != nil else {
            isCut = true
            return false
        }
        let old = addressesByLink[address.linkIndex, default: [:]].updateValue(address, forKey: key)
        if old == nil { addressCount += 1 }
        return old?.fitness != address.fitness
    }

    private mutating func removeAddress(_ key: AddressKey, of linkIndex: Int) -> Bool {
        guard addressesByLink[linkIndex]?.removeValue(forKey: key) != nil else { return false }
        addressCount -= 1
        if addressesByLink[linkIndex]?.isEmpty == true { addressesByLink[linkIndex] = nil }
        return true
    }

    private mutating func addPort(_ link: Link) {
        guard let controller = link.controllerIndex else { return }
        portsByController[controller, default: []].insert(link.index)
    }

    private mutating func removePort(_ link: Link) {
        guard let controller = link.controllerIndex else { return }
        portsByController[controller]?.remove(link.index)
        if portsByController[controller]?.isEmpty == true { portsByController[controller] = nil }
    }
}

extension Network {
    /// How many links are known.
    public var linkCount: Int { linkByIndex.count }

    /// All links in the order of their indices.
    public var links: [Link] { linkByIndex.values.sorted { $0.index < $1.index } }

    /// Calls `visit` with every link, in no order.
    public func forEachLink(_ visit: (Link) -> Void) {
        for link in linkByIndex.values { visit(link) }
    }

    /// Calls `visit` with every address of every link, in no order.
    public func forEachAddress(_ visit: (LinkAddress) -> Void) {
        for addresses in addressesByLink.values {
            for address in addresses.values { visit(address) }
        }
    }

    /// The link of that index, when it is known.
    public func link(_ index: Int) -> Link? { linkByIndex[index] }

    /// The ports of a bridge, bond, team or VRF in the order of their indices.
    public func ports(of controllerIndex: Int) -> [Link] {
        guard let ports = portsByController[controllerIndex] else { return [] }
        return ports.sorted().compactMap { linkByIndex[$0] }
    }

    /// The addresses of a link, sorted: IPv4 first, then by address, then by prefix length.
    public func addresses(of linkIndex: Int) -> [LinkAddress] {
        guard let addresses = addressesByLink[linkIndex] else { return [] }
        return addresses.values.sorted { ($0.address, $0.prefixLength) < ($1.address, $1.prefixLength) }
    }

    /// Whether any link satisfies a condition; cheaper than `links`, which sorts.
    func containsLink(where condition: (Link) -> Bool) -> Bool {
        linkByIndex.values.contains(where: condition)
    }

    /// The fittest address that a link owns in one of the families.
    func bestFitness(of linkIndex: Int, families: [AddressFamily]) -> LinkAddress.Fitness {
        var best = LinkAddress.Fitness.unfit
        guard let addresses = addressesByLink[linkIndex] else { return best }
        for address in addresses.values where families.contains(address.address.family) {
            switch address.fitness {
            case .usable: return .usable
            case .awaitsDetection: best = .awaitsDetection
            case .unfit: continue
            }
        }
        return best
    }
}
