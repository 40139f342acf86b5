internal import CSystemd
internal import Glibc

/// A whole-number property of a service on the system's message bus, followed as long as this object lives.
///
///     let property = BusProperty(loop: loop, name: name, onValue: { … }, onNotice: { … })
///     property.start()
///
/// Nothing here waits: the value is asked for when the connection stands, when the service (re)appears and
/// when it says that its properties have changed. A service that is not there is not started, and a bus that
/// is not there is connected to when its socket appears.
@safe
public final class BusProperty {
    /// Which property of which object of which service.
    public struct Name: Hashable, Sendable {
        /// The service's well-known name.
        public var service: String
        /// The object.
        public var path: String
        /// The interface that the property belongs to.
        public var interface: String
        /// The property, of D-Bus type `u`.
        public var property: String

        /// Creates a name from its parts.
        public init(service: String, path: String, interface: String, property: String) {
            self.service = service
            self.path = path
            self.interface = interface
            self.property = property
        }
    }

    /// What is worth a line in the log.
    public enum Notice: Equatable, Sendable, CustomStringConvertible {
        /// There is no bus to connect to; it is waited for.
        case noBus(String)
        /// The connection broke, or could not be made; it is tried again.
        case disconnected
        /// The service is not there, or does not know the property; it is waited for.
        case absent(String)
        /// The service is there.
        case present

        /// The line for the log.
        public var description: String {
            switch self {
            case .noBus(let cause): "no message bus, waiting for one: \(cause)"
            case .disconnected: "the message bus is gone, connecting again"
            case .absent(let cause): "not there, waiting for it: \(cause)"
            case .present: "there"
            }
        }
    }

    private let loop: EventLoop
    private let name: Name
    private let address: String
    private let onValue: (UInt32?) -> Void
    private let onNotice: (Notice) -> Void
    private var bus: OpaquePointer?
    private var call: OpaquePointer?
    private var retry: LoopTimer?
    private var failures = 0
    private var value: UInt32?
    private var lastNotice: Notice?

    /// Prepares to follow a property.
    /// - Parameters:
    ///   - address: of the bus; nil for the system's (DBUS_SYSTEM_BUS_ADDRESS, or the usual socket).
    ///   - onValue: told each value that differs from the one before, nil while the service is not there.
    ///   - onNotice: told what differs from the notice before.
    public init(
        loop: EventLoop, name: Name, address: String? = nil, onValue: @escaping (UInt32?) -> Void,
        onNotice: @escaping (Notice) -> Void
    ) {
        self.loop = loop
        self.name = name
        self.address = address ?? BusConnection.systemAddress
        self.onValue = onValue
        self.onNotice = onNotice
    }

    deinit {
        close()
    }

    /// Connects, or waits for the bus. The first value comes later.
    public func start() throws(SystemError) {
        retry = try loop.makeTimer { [unowned self] in connect() }
        connect()
    }

    private func connect() {
        close()
        do throws(SystemError) {
            do {
                try open(waiting: false)
            } catch  where error.code == ENOENT || error.code == ECONNREFUSED {
                close()
                note(.noBus(error.description))
                try open(waiting: true)
            }
            try addMatches()
            read()
        } catch {
            note(.noBus(error.description))
            reconnectLater()
        }
    }

    /// - Parameter waiting: whether the socket may be yet to come.
    private func open(waiting: Bool) throws(SystemError) {
        try unsafe checkNegative("sd_bus_new", sd_bus_new(&bus))
        try unsafe checkNegative("sd_bus_set_address", sd_bus_set_address(bus, address))
        try unsafe checkNegative("sd_bus_set_bus_client", sd_bus_set_bus_client(bus, 1))
        try unsafe checkNegative("sd_bus_set_watch_bind", sd_bus_set_watch_bind(bus, waiting ? 1 : 0))
        let started = unsafe sd_bus_start(bus)
        if started < 0 { throw SystemError(operation: "sd_bus_start", subject: address, code: -started) }
        try unsafe checkNegative(
            "sd_bus_attach_event",
            sd_bus_attach_event(bus, loop.handle, Int32(EventPriority.normal.value)))
    }

    /// An answer that is under way is not wanted any more.
    private func forgetCall() {
        if let pending = unsafe call { _ = unsafe sd_bus_slot_unref(pending) }
        unsafe call = nil
    }

    private func close() {
        forgetCall()
        if let old = unsafe bus { _ = unsafe sd_bus_close_unref(old) }
        unsafe bus = nil
    }

    private func reconnectLater() {
        failures += 1
        let pause = min(
            Limits.reconnectPauseMicroseconds << min(failures - 1, 10), Limits.reconnectPauseMicrosecondsMax)
        retry?.arm(at: loop.now + pause)
    }

    private func note(_ notice: Notice) {
        guard notice != lastNotice else { return }
        lastNotice = notice
        onNotice(notice)
    }

    private func publish(_ new: UInt32?) {
        guard new != value else { return }
        value = new
        onValue(new)
    }
}

// What the bus says.
extension BusProperty {
    private func addMatches() throws(SystemError) {
        try unsafe addMatch(
            """
            type='signal',sender='org.freedesktop.DBus',path='/org/freedesktop/DBus',\
            interface='org.freedesktop.DBus',member='NameOwnerChanged',arg0='\(name.service)'
            """
        ) { message, context, _ in
            guard let context = unsafe context else { return 0 }
            unsafe Unmanaged<BusProperty>.fromOpaque(context).takeUnretainedValue().ownerChanged(message)
            return 0
        }
        try unsafe addMatch(
            """
            type='signal',sender='\(name.service)',path='\(name.path)',\
            interface='org.freedesktop.DBus.Properties',member='PropertiesChanged',arg0='\(name.interface)'
            """
        ) { _, context, _ in
            guard let context = unsafe context else { return 0 }
            unsafe Unmanaged<BusProperty>.fromOpaque(context).takeUnretainedValue().read()
            return 0
        }
        // The library's own word for the end of the connection.
        try unsafe addMatch(
            """
            type='signal',sender='org.freedesktop.DBus.Local',path='/org/freedesktop/DBus/Local',\
            interface='org.freedesktop.DBus.Local',member='Disconnected'
            """
        ) { _, context, _ in
            guard let context = unsafe context else { return 0 }
            unsafe Unmanaged<BusProperty>.fromOpaque(context).takeUnretainedValue().disconnected()
            return 0
        }
    }

    private func addMatch(_ rule: String, _ handler: sd_bus_message_handler_t) throws(SystemError) {
        let me = unsafe Unmanaged.passUnretained(self).toOpaque()
        // Without a slot the match lives as long as the connection.
        try unsafe checkNegative(
            "sd_bus_add_match_async", sd_bus_add_match_async(bus, nil, rule, handler, nil, me))
    }

    /// Asks for the value, in place of an earlier question that is not answered yet.
    private func read() {
        forgetCall()
        do throws(SystemError) {
            var message: OpaquePointer?
            defer { _ = unsafe sd_bus_message_unref(message) }
            try unsafe checkNegative(
                "sd_bus_message_new_method_call",
                sd_bus_message_new_method_call(
                    bus, &message, name.service, name.path, "org.freedesktop.DBus.Properties", "Get"))
            try unsafe checkNegative(
                "sd_bus_message_set_auto_start", sd_bus_message_set_auto_start(message, 0))
            for text in [name.interface, name.property] {
                try unsafe checkNegative(
                    "sd_bus_message_append_basic",
                    text.withCString { unsafe sd_bus_message_append_basic(message, Self.string, $0) })
            }
            let me = unsafe Unmanaged.passUnretained(self).toOpaque()
            try unsafe checkNegative(
                "sd_bus_call_async",
                sd_bus_call_async(
                    bus, &call, message,
                    { message, context, _ in
                        guard let context = unsafe context else { return 0 }
                        unsafe Unmanaged<BusProperty>.fromOpaque(context).takeUnretainedValue()
                            .answered(message)
                        return 0
                    }, me, 0))
        } catch {
            // The connection has ended; its own signal says so.
            note(.absent(error.description))
            publish(nil)
        }
    }

    private static let string = CChar(bitPattern: UInt8(ascii: "s"))
    private static let number = CChar(bitPattern: UInt8(ascii: "u"))
    private static let variant = CChar(bitPattern: UInt8(ascii: "v"))

    private func answered(_ message: OpaquePointer?) {
        if unsafe sd_bus_message_is_method_error(message, nil) > 0 {
            let error = unsafe sd_bus_message_get_error(message)
            let text = unsafe error?.pointee.name.map { unsafe String(cString: $0) }
            note(.absent(text ?? "an error without a name"))
            publish(nil)
            return
        }
        var new: UInt32 = 0
        guard unsafe sd_bus_message_enter_container(message, Self.variant, "u") > 0,
            unsafe sd_bus_message_read_basic(message, Self.number, &new) > 0
        else {
            note(.absent("its \(name.property) is no number"))
            publish(nil)
            return
        }
        failures = 0
        note(.present)
        publish(new)
    }

    private func ownerChanged(_ message: OpaquePointer?) {
        var owner: UnsafePointer<CChar>?
        for _ in ["name", "old owner", "new owner"] {
            guard unsafe sd_bus_message_read_basic(message, Self.string, &owner) > 0 else { return }
        }
        let isThere = unsafe owner.map { unsafe $0.pointee != 0 } ?? false
        guard !isThere else { return read() }
        forgetCall()
        note(.absent("it left the bus"))
        publish(nil)
    }

    private func disconnected() {
        note(.disconnected)
        publish(nil)
        reconnectLater()
    }
}
