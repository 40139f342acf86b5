/// Who an advertisement competes with: its advertiser's domain, and its categories.
///
/// Domains and categories are compared without case, domains without a leading `www.` and a dot at the end.
/// One competes also with the one that it belongs to: `shop.example.com` with `example.com`, but not with
/// `blog.example.com`; `IAB2-3` with `IAB2`, but not with `IAB2-4`.
public struct Separation: Hashable, Sendable {
    /// The domains, as they are compared.
    public let domains: [String]
    /// The categories.
    public let categories: [String]
    /// What one of these marks its screen with.
    let presented: [SeparationMark]
    /// The marks that keep one of these away.
    let avoided: [SeparationMark]

    /// Somebody who competes with nobody.
    public static let none = Separation(domains: [], categories: [])

    /// Takes an advertiser's domains and the categories of an advertisement.
    public init(domains: [String], categories: [String]) {
        self.domains = Set(domains.map(Separation.compared)).sorted()
        self.categories = Set(categories.map { $0.uppercased() }).sorted()
        var (presented, avoided): ([SeparationMark], [SeparationMark]) = ([], [])
        for domain in self.domains {
            let parents = Separation.parents(ofDomain: domain)
            presented.append(.domain(domain))
            presented += parents.map { .below($0) }
            avoided += [.domain(domain), .below(domain)]
            avoided += parents.map { .domain($0) }
        }
        for category in self.categories {
            let parent = Separation.parent(of: category)
            presented.append(.category(category))
            if let parent { presented.append(.partOf(parent)) }
            avoided.append(.category(category))
            avoided.append(parent.map { .category($0) } ?? .partOf(category))
        }
        self.presented = presented
        self.avoided = avoided
    }

    /// Who a campaign's advertisements compete with.
    public init(_ campaign: Campaign) {
        self.init(domains: campaign.domain.map { [$0] } ?? [], categories: campaign.categories)
    }

    /// A domain as it is compared; of what is written as an address, the host's.
    private static func compared(_ domain: String) -> String {
        var name = domain.lowercased()[...]
        if let scheme = name.firstRange(of: "://") {
            name = name[scheme.upperBound...].prefix { !"/?#:".contains($0) }
        }
        if name.hasPrefix("www.") { name = name.dropFirst(4) }
        while name.hasSuffix(".") { name = name.dropLast() }
        return String(name)
    }

    /// `b.example` and not `example` of `a.b.example`; of very long names the nearest.
    private static func parents(ofDomain domain: String) -> [String] {
        let labels = domain.split(separator: ".", omittingEmptySubsequences: false)
        guard labels.count > 2 else { return [] }
        return (1...(labels.count - 2)).prefix(Limits.domainParentsMax)
            .map { labels[$0...].joined(separator: ".") }
    }

    /// `IAB2` of `IAB2-3`.
    private static func parent(of category: String) -> String? {
        guard category.hasPrefix("IAB"), let hyphen = category.firstIndex(of: "-") else { return nil }
        return String(category[..<hyphen])
    }

    /// How near one of these comes to another that was in the same place just before.
    func nearness(to other: Separation) -> Nearness {
        let shared = avoided.filter(other.presented.contains)
        if shared.contains(where: \.isAdvertiser) { return .sameAdvertiser }
        return shared.isEmpty ? .apart : .sameCategory
    }
}

/// What keeps competitors away from a screen.
enum SeparationMark: Hashable, Sendable {
    case domain(String)
    /// A domain that belongs to this one.
    case below(String)
    case category(String)
    /// A category that belongs to this one.
    case partOf(String)

    /// Whether it is about an advertiser and not about a category.
    var isAdvertiser: Bool {
        switch self {
        case .domain, .below: true
        case .category, .partOf: false
        }
    }
}

/// How near an advertisement comes to the one before it, the farthest first.
enum Nearness: Int, Comparable {
    case apart, sameCategory, sameAdvertiser

    static func < (left: Nearness, right: Nearness) -> Bool {
        left.rawValue < right.rawValue
    }
}

/// The different separations among campaigns, each with a number, so that a search judges each once.
struct SeparationTable: Sendable {
    private var numbers: [Separation: Int] = [:]
    private var users: [Int] = []
    private var separations: [Separation] = []
    private var free: [Int] = []

    subscript(number: Int) -> Separation { separations[number] }

    /// The number of a separation, for one more user.
    mutating func take(_ separation: Separation) -> Int {
        if let number = numbers[separation] {
            users[number] += 1
            return number
        }
        let number: Int
        if let reused = free.popLast() {
            number = reused
            (separations[number], users[number]) = (separation, 1)
        } else {
            number = separations.count
            separations.append(separation)
            users.append(1)
        }
        numbers[separation] = number
        return number
    }

    /// One user less.
    mutating func giveBack(_ number: Int) {
        users[number] -= 1
        guard users[number] == 0 else { return }
        numbers[separations[number]] = nil
        free.append(number)
    }
}
