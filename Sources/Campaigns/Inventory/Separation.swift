/// Who an advertisement competes with: its advertiser's domain, and its categories.
///
/// Domains are compared without case and without a leading `www.`. A category of the IAB also competes with
/// the one that it belongs to: `IAB2-3` with `IAB2`, but not with `IAB2-4`.
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
        let compared = domains.map { domain in
            let lowercased = domain.lowercased()
            return lowercased.hasPrefix("www.") ? String(lowercased.dropFirst(4)) : lowercased
        }
        self.domains = Set(compared).sorted()
        self.categories = Set(categories).sorted()
        var presented = self.domains.map { SeparationMark.domain($0) }
        var avoided = presented
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

    /// `IAB2` of `IAB2-3`.
    private static func parent(of category: String) -> String? {
        guard category.hasPrefix("IAB"), let hyphen = category.firstIndex(of: "-") else { return nil }
        return String(category[..<hyphen])
    }

    /// How near one of these comes to another that was in the same place just before.
    func nearness(to other: Separation) -> Nearness {
        if domains.contains(where: other.domains.contains) { return .sameAdvertiser }
        return avoided.contains(where: other.presented.contains) ? .sameCategory : .apart
    }
}

/// What keeps competitors away from a screen.
enum SeparationMark: Hashable, Sendable {
    case domain(String)
    case category(String)
    /// A category that belongs to this one.
    case partOf(String)
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
