/// How states look. Each of them differs from its neighbours by height, lightness or hatching, so that the
/// picture says the same in grey; the hue only helps.
struct Look: Hashable, Sendable {
    /// The class of the rectangle.
    let name: String
    /// The part of the lane's height, in per cent, from its base; 0 for nothing but the base.
    let height: Int64

    init(_ name: String, _ height: Int64) {
        (self.name, self.height) = (name, height)
    }
}

extension LaneState {
    var look: Look {
        switch self {
        case .unknown: Look("un", 100)
        case .ethernet: Look("et", 100)
        case .wifi: Look("wi", 78)
        case .cellular: Look("ce", 56)
        case .other: Look("ot", 38)
        case .barred: Look("ba", 38)
        case .none: Look("no", 100)
        case .detached, .absent: Look("", 0)
        case .waiting: Look("wa", 34)
        case .hidden: Look("hi", 34)
        case .loading: Look("lo", 56)
        case .shown: Look("sh", 100)
        case .acting: Look("ac", 100)
        case .running: Look("ru", 18)
        case .pausing: Look("pg", 56)
        case .paused: Look("pa", 100)
        }
    }

    /// How it looks where a hatching has no room.
    var narrowLook: Look {
        switch self {
        case .none, .barred, .waiting: Look("nn", look.height)
        case .unknown, .ethernet, .wifi, .other, .cellular, .detached, .hidden, .loading, .shown, .acting,
            .absent, .running, .pausing, .paused:
            look
        }
    }

    /// What the legend explains, in its order.
    static let ofNetwork: [LaneState] = [.ethernet, .wifi, .cellular, .other, .barred, .none]
    static let ofSlots: [LaneState] = [.shown, .acting, .loading, .hidden, .waiting]
    static let ofWork: [LaneState] = [.running, .pausing, .paused]
}
