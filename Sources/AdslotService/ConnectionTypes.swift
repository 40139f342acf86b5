internal import OpenRTB
internal import Reachability

extension ConnectionType {
    /// What an exchange is told of a network.
    init(_ transport: Transport) {
        switch transport {
        case .ethernet: self = .ethernet
        case .wifi: self = .wifi
        case .cellular: self = .cellular
        case .none, .other: self = .unknown
        }
    }
}
