/// A host's hold on a slot: one attachment, allotted by the shell.
public struct HostID: Hashable, Comparable, Sendable {
    /// The number behind the identifier.
    public let value: Int

    /// Wraps a number.
    public init(_ value: Int) {
        self.value = value
    }

    /// The one that was allotted first comes first.
    public static func < (left: HostID, right: HostID) -> Bool {
        left.value < right.value
    }
}

/// One registration of work, allotted by the shell.
public struct WorkID: Hashable, Comparable, Sendable {
    /// The number behind the identifier.
    public let value: Int

    /// Wraps a number.
    public init(_ value: Int) {
        self.value = value
    }

    /// The one that was allotted first comes first.
    public static func < (left: WorkID, right: WorkID) -> Bool {
        left.value < right.value
    }
}

/// One call of BeginAction that awaits its answer, allotted by the shell.
public struct BeginID: Hashable, Comparable, Sendable {
    /// The number behind the identifier.
    public let value: Int

    /// Wraps a number.
    public init(_ value: Int) {
        self.value = value
    }

    /// The one that was allotted first comes first.
    public static func < (left: BeginID, right: BeginID) -> Bool {
        left.value < right.value
    }
}

/// One question to one source, allotted by the coordinator, never reused.
public struct RequestID: Hashable, Comparable, Sendable {
    /// The number behind the identifier.
    public let value: Int

    /// Wraps a number.
    public init(_ value: Int) {
        self.value = value
    }

    /// The one that was allotted first comes first.
    public static func < (left: RequestID, right: RequestID) -> Bool {
        left.value < right.value
    }
}

/// One banner view of a host, allotted by the coordinator, never reused.
public struct BannerID: Hashable, Comparable, Sendable {
    /// The number behind the identifier.
    public let value: Int

    /// Wraps a number.
    public init(_ value: Int) {
        self.value = value
    }

    /// The one that was allotted first comes first.
    public static func < (left: BannerID, right: BannerID) -> Bool {
        left.value < right.value
    }
}

/// One action, allotted by the coordinator when it begins, never reused.
public struct ActionID: Hashable, Comparable, Sendable {
    /// The number behind the identifier.
    public let value: Int

    /// Wraps a number.
    public init(_ value: Int) {
        self.value = value
    }

    /// The one that was allotted first comes first.
    public static func < (left: ActionID, right: ActionID) -> Bool {
        left.value < right.value
    }
}

/// Allots the coordinator's own identifiers, from 1.
struct IdentifierSupply: Sendable {
    private var requests = 0
    private var banners = 0
    private var actions = 0

    mutating func request() -> RequestID {
        requests += 1
        return RequestID(requests)
    }

    mutating func banner() -> BannerID {
        banners += 1
        return BannerID(banners)
    }

    mutating func action() -> ActionID {
        actions += 1
        return ActionID(actions)
    }
}
