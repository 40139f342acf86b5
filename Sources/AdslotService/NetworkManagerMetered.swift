internal import LinuxSupport

/// `NetworkManagerMetered=yes`: what NetworkManager thinks of the primary connection's cost, where it runs.
final class NetworkManagerMetered {
    private let property: BusProperty

    /// Follows the property. Where there is no NetworkManager, or no bus, that is said once and waited out.
    init(
        loop: EventLoop, log: Log, onChange: @escaping (_ isMetered: Bool) -> Void
    ) throws(SystemError) {
        property = BusProperty(
            loop: loop,
            name: BusProperty.Name(
                service: "org.freedesktop.NetworkManager", path: "/org/freedesktop/NetworkManager",
                interface: "org.freedesktop.NetworkManager", property: "Metered"),
            onValue: { onChange(Self.isMetered($0)) },
            onNotice: { log.write(.info, "NetworkManager", $0.description) })
        try property.start()
    }

    /// Of NMMetered (nm-dbus-interface.h) 1 says yes and 3 that it looks so; 0 is unknown, 2 no and 4 that it
    /// does not look so.
    static func isMetered(_ value: UInt32?) -> Bool { value == 1 || value == 3 }
}
