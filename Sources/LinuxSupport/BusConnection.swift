internal import CSystemd
internal import Glibc

/// What a reply or a property on the message bus holds, where it is one of the simple types.
enum BusValue: Equatable {
    /// Types `s` and `o`.
    case text(String)
    /// Type `b`.
    case flag(Bool)
    /// Types `u` and `t`.
    case number(UInt64)
    /// Type `ay`.
    case bytes([UInt8])
    /// Nothing, or something of another type.
    case none
}

/// Why a call on the message bus brought no reply.
public enum BusError: Error, Equatable, Sendable, CustomStringConvertible {
    /// There is no bus, or its connection broke.
    case noBus(String)
    /// The other side refused: the D-Bus name of the error and its text.
    case remote(name: String, message: String)

    /// The error for people.
    public var description: String {
        switch self {
        case .noBus(let cause): "no message bus: \(cause)"
        case .remote(let name, let message): message.isEmpty ? name : "\(message) (\(name))"
        }
    }
}

/// A connection to the system's message bus for calls whose replies come by the loop.
///
/// It is made with the first call, and made again with the first one after it broke. A completion is called
/// exactly once, by the loop, unless this object goes first.
@safe
final class BusConnection {
    /// Called when the connection has been made, before anything else is sent on it.
    var onConnect: () -> Void = {}

    private let loop: EventLoop
    private let address: String
    private var bus: OpaquePointer?
    private var calls: [ObjectIdentifier: PendingCall] = [:]
    private var failures: [(call: PendingCall, error: BusError)] = []
    private var deferral: Deferral?

    /// Where the system's message bus is: what DBUS_SYSTEM_BUS_ADDRESS says, or the usual socket.
    static var systemAddress: String {
        ProcessContext.environment("DBUS_SYSTEM_BUS_ADDRESS") ?? "unix:path=/run/dbus/system_bus_socket"
    }

    /// - Parameter address: of the bus; nil for the system's.
    init(loop: EventLoop, address: String? = nil) {
        self.loop = loop
        self.address = address ?? Self.systemAddress
    }

    deinit { close() }

    /// A call that waits for its reply.
    @safe
    fileprivate final class PendingCall {
        unowned let connection: BusConnection
        let completion: (Result<BusValue, BusError>) -> Void
        var slot: OpaquePointer?

        init(_ connection: BusConnection, _ completion: @escaping (Result<BusValue, BusError>) -> Void) {
            self.connection = connection
            self.completion = completion
        }
    }

    /// Follows the changes of an object's properties, until it goes.
    @safe
    final class Match {
        fileprivate let handler: () -> Void
        fileprivate var slot: OpaquePointer?

        fileprivate init(_ handler: @escaping () -> Void) {
            self.handler = handler
        }

        deinit {
            // The slot keeps the connection it belongs to alive in memory, so this is safe in any order.
            if let slot = unsafe slot { _ = unsafe sd_bus_slot_unref(slot) }
        }
    }

    /// Calls a method whose arguments are texts.
    func call(
        service: String, path: String, interface: String, member: String, _ arguments: [String] = [],
        completion: @escaping (Result<BusValue, BusError>) -> Void
    ) {
        let pending = PendingCall(self, completion)
        do throws(SystemError) {
            try connect()
            var message: OpaquePointer?
            defer { _ = unsafe sd_bus_message_unref(message) }
            try unsafe checkNegative(
                "sd_bus_message_new_method_call",
                sd_bus_message_new_method_call(bus, &message, service, path, interface, member))
            for text in arguments {
                try unsafe checkNegative(
                    "sd_bus_message_append_basic",
                    text.withCString {
                        unsafe sd_bus_message_append_basic(message, CChar(UInt8(ascii: "s")), $0)
                    })
            }
            let context = unsafe Unmanaged.passUnretained(pending).toOpaque()
            try unsafe checkNegative(
                "sd_bus_call_async",
                sd_bus_call_async(
                    bus, &pending.slot, message,
                    { message, context, _ in
                        guard let context = unsafe context else { return 0 }
                        let call = unsafe Unmanaged<PendingCall>.fromOpaque(context).takeUnretainedValue()
                        unsafe call.connection.answered(call, message)
                        return 0
                    }, context, Limits.busCallMicrosecondsMax))
            calls[ObjectIdentifier(pending)] = pending
        } catch {
            fail(pending, .noBus(error.description))
        }
    }

    /// Calls `handler` whenever an object says that properties of it have changed, on this connection only:
    /// where that breaks, what is followed is gone with it and has to be looked at anew.
    func followProperties(
        service: String, path: String, handler: @escaping () -> Void
    ) throws(SystemError) -> Match {
        try connect()
        let match = Match(handler)
        let context = unsafe Unmanaged.passUnretained(match).toOpaque()
        let rule = """
            type='signal',sender='\(service)',path='\(path)',\
            interface='org.freedesktop.DBus.Properties',member='PropertiesChanged'
            """
        try unsafe checkNegative(
            "sd_bus_add_match_async",
            sd_bus_add_match_async(
                bus, &match.slot, rule,
                { _, context, _ in
                    guard let context = unsafe context else { return 0 }
                    unsafe Unmanaged<Match>.fromOpaque(context).takeUnretainedValue().handler()
                    return 0
                }, nil, context))
        return match
    }

    /// Sends what is still to be sent, waiting where it must.
    func flush() {
        if let bus = unsafe bus { _ = unsafe sd_bus_flush(bus) }
    }
}

extension BusConnection {
    private func connect() throws(SystemError) {
        guard unsafe bus == nil else { return }
        do throws(SystemError) {
            try unsafe checkNegative("sd_bus_new", sd_bus_new(&bus))
            try unsafe checkNegative("sd_bus_set_address", sd_bus_set_address(bus, address))
            try unsafe checkNegative("sd_bus_set_bus_client", sd_bus_set_bus_client(bus, 1))
            let started = unsafe sd_bus_start(bus)
            if started < 0 { throw SystemError(operation: "connect", subject: address, code: -started) }
            try unsafe checkNegative(
                "sd_bus_attach_event",
                sd_bus_attach_event(bus, loop.handle, Int32(EventPriority.normal.value)))
            try watchDisconnection()
        } catch {
            close()
            throw error
        }
        onConnect()
    }

    /// The library's own word for the end of the connection.
    private func watchDisconnection() throws(SystemError) {
        let rule = """
            type='signal',sender='org.freedesktop.DBus.Local',path='/org/freedesktop/DBus/Local',\
            interface='org.freedesktop.DBus.Local',member='Disconnected'
            """
        let me = unsafe Unmanaged.passUnretained(self).toOpaque()
        try unsafe checkNegative(
            "sd_bus_add_match_async",
            sd_bus_add_match_async(
                bus, nil, rule,
                { _, context, _ in
                    guard let context = unsafe context else { return 0 }
                    unsafe Unmanaged<BusConnection>.fromOpaque(context).takeUnretainedValue().disconnected()
                    return 0
                }, nil, me))
    }

    private func disconnected() {
        let waiting = calls.values.map { $0 }
        close()
        for call in waiting { fail(call, .noBus("the connection broke")) }
    }

    private func close() {
        for call in calls.values {
            if let slot = unsafe call.slot { _ = unsafe sd_bus_slot_unref(slot) }
            unsafe call.slot = nil
        }
        calls = [:]
        if let old = unsafe bus { _ = unsafe sd_bus_close_unref(old) }
        unsafe bus = nil
    }

    /// Completes a call with an error, but not before whoever made it has returned to the loop.
    private func fail(_ call: PendingCall, _ error: BusError) {
        failures.append((call, error))
        deferral = try? loop.makeDeferral { [unowned self] in
            let due = failures
            failures = []
            for (call, error) in due { call.completion(.failure(error)) }
        }
        deferral?.arm()
    }

    private func answered(_ call: PendingCall, _ message: OpaquePointer?) {
        calls[ObjectIdentifier(call)] = nil
        if let slot = unsafe call.slot { _ = unsafe sd_bus_slot_unref(slot) }
        unsafe call.slot = nil
        if unsafe sd_bus_message_is_method_error(message, nil) > 0 {
            let error = unsafe sd_bus_message_get_error(message)
            let name = unsafe error?.pointee.name.map { unsafe String(cString: $0) }
            let text = unsafe error?.pointee.message.map { unsafe String(cString: $0) }
            call.completion(.failure(.remote(name: name ?? "unknown", message: text ?? "")))
            return
        }
        call.completion(.success(unsafe Self.value(of: message)))
    }

    /// The first value of a message; that of a property is in a variant.
    private static func value(of message: OpaquePointer?) -> BusValue {
        var type: CChar = 0
        var contents: UnsafePointer<CChar>?
        guard unsafe sd_bus_message_peek_type(message, &type, &contents) > 0 else { return .none }
        if UInt8(bitPattern: type) == UInt8(ascii: "v") {
            guard unsafe sd_bus_message_enter_container(message, type, contents) > 0,
                unsafe sd_bus_message_peek_type(message, &type, &contents) > 0
            else { return .none }
        }
        switch UInt8(bitPattern: type) {
        case UInt8(ascii: "s"), UInt8(ascii: "o"):
            var text: UnsafePointer<CChar>?
            guard unsafe sd_bus_message_read_basic(message, type, &text) > 0, let text = unsafe text
            else { return .none }
            return .text(unsafe String(cString: text))
        case UInt8(ascii: "b"):
            var flag: Int32 = 0
            return unsafe sd_bus_message_read_basic(message, type, &flag) > 0 ? .flag(flag != 0) : .none
        case UInt8(ascii: "u"):
            var number: UInt32 = 0
            return unsafe sd_bus_message_read_basic(message, type, &number) > 0
                ? .number(UInt64(number)) : .none
        case UInt8(ascii: "t"):
            var number: UInt64 = 0
            return unsafe sd_bus_message_read_basic(message, type, &number) > 0 ? .number(number) : .none
        case UInt8(ascii: "a"):
            guard let contents = unsafe contents, unsafe String(cString: contents) == "y" else {
                return .none
            }
            var bytes: UnsafeRawPointer?
            var count = 0
            let byte = CChar(UInt8(ascii: "y"))
            guard unsafe sd_bus_message_read_array(message, byte, &bytes, &count) >= 0 else { return .none }
            return .bytes(unsafe Array(UnsafeRawBufferPointer(start: bytes, count: count)))
        default:
            return .none
        }
    }
}
