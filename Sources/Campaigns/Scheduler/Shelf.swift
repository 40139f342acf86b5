/// One campaign in a lane.
struct LaneEntry: Comparable, Sendable {
    /// What the lane is ordered by: virtual time, or the wall time at which an impression is due.
    var key: Int64
    var campaign: CampaignID
    /// Where its state is.
    var place: Int
    /// The number of its separation, and whether it has frequency caps: most searches need no more of it.
    var separation: Int
    var isCapped: Bool

    static func < (left: LaneEntry, right: LaneEntry) -> Bool {
        (left.key, left.campaign) < (right.key, right.campaign)
    }
}

/// The campaigns of one tier that have something of one size and may be shown now, as far as the request does
/// not matter.
struct Lane: Sendable {
    let tier: Int
    /// By the time at which the next impression is due: the one most behind comes first.
    var guaranteed = OrderedChunks<LaneEntry>()
    /// By virtual time.
    var shares = OrderedChunks<LaneEntry>()
    /// Virtual time: where the turn that came last began. Newcomers start here.
    var level: Int64 = 0
}

/// All lanes of one size, the first tier first.
struct Shelf: Sendable {
    var lanes: [Lane] = []
    /// How many campaigns in the lanes have which separation.
    var separations: [Int: Int] = [:]

    /// The place of a tier's lane, which is made when there is none.
    mutating func lane(tier: Int) -> Int {
        let place = lanes.partitioningIndex { $0.tier >= tier }
        if place == lanes.count || lanes[place].tier != tier { lanes.insert(Lane(tier: tier), at: place) }
        return place
    }

    mutating func add(separation: Int) {
        separations[separation, default: 0] += 1
    }

    mutating func remove(separation: Int) {
        guard let count = separations[separation] else { return }
        separations[separation] = count == 1 ? nil : count - 1
    }

    /// Takes all campaigns out.
    mutating func clear() {
        for place in lanes.indices {
            lanes[place].guaranteed = OrderedChunks()
            lanes[place].shares = OrderedChunks()
        }
        separations = [:]
    }
}
