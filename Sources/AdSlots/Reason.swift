/// Why a slot is as it is, or why its host is told something. The raw value is the word on the wire.
public enum Reason: String, CaseIterable, Sendable {
    /// No host has attached.
    case noHost
    /// The network is lost, and no advertisement may be shown without it.
    case unreachable
    /// The operator has disabled the slot.
    case disabled
    /// The system is short of memory, and nobody sees the banner.
    case memoryPressure
    /// The host says that the banner would not be in view.
    case notVisible
    /// The banner is in view again.
    case visible
    /// No allowed size fits the viewport.
    case noSize
    /// The slot has no source.
    case noSource

    /// The sources are being asked and nothing is on screen.
    case loading
    /// A source filled.
    case filled
    /// A new advertisement took the place of one whose time was over.
    case refreshed
    /// A new advertisement took the place of one that no longer suited the viewport or the network.
    case replaced
    /// A new advertisement is being asked for while the old one is on screen.
    case refreshing
    /// The advertisement on screen no longer suits and waits for its replacement.
    case replacing
    /// The next request must wait for the least time between two.
    case minimumInterval

    /// The viewport changed.
    case viewport
    /// The configuration changed.
    case reload
    /// An advertisement may no longer be seen; as a failure, its answer came too late.
    case expired

    /// Work is being paused for an action.
    case pausing
    /// An action is running.
    case acting

    /// The host left.
    case detached
    /// The slot is no longer in the configuration.
    case slotRemoved
    /// The daemon stops.
    case shutdown

    /// The sources have nothing for this slot.
    case noFill
    /// A source answered with an error.
    case serverFailure
    /// A source did not answer in time.
    case timeout
    /// A source asks to be left alone.
    case throttled
    /// A source is not set up rightly.
    case configuration
    /// A source's advertisement cannot be shown.
    case invalidCreative
    /// A source could not be reached although the network is there.
    case sourceUnreachable
}

extension SourceError {
    /// The failure as a reason.
    var reason: Reason {
        switch self {
        case .noFill: .noFill
        case .serverFailure: .serverFailure
        case .timeout: .timeout
        case .throttled: .throttled
        case .configuration: .configuration
        case .invalidCreative: .invalidCreative
        case .unreachable: .sourceUnreachable
        case .expired: .expired
        }
    }
}
