/// systemd's units: what they are, and freezing and thawing them (org.freedesktop.systemd1(5)).
public final class SystemdUnits {
    /// What systemd says of a unit.
    public struct Unit: Hashable, Sendable {
        /// Its main name.
        public var name: String
        /// `loaded`, or why it is not.
        public var loadState: String
        /// `active`, `inactive` …
        public var activeState: String
        /// `running`, `freezing`, `frozen`, `thawing`.
        public var freezerState: String
        /// Whether units of its kind can be frozen here.
        public var canFreeze: Bool
        /// Differs for each time that the unit is started, in hexadecimal digits; empty while it is not.
        public var invocation: String
        /// Where its processes are; empty for none.
        public var controlGroup: String
        /// Within which time it must give a sign of life, in microseconds; nil where it need not.
        public var watchdogMicroseconds: UInt64?

        /// Whether it runs, or is on the way there.
        public var isRunning: Bool { ["active", "reloading", "activating"].contains(activeState) }
    }

    private static let service = "org.freedesktop.systemd1"
    private static let manager = "org.freedesktop.systemd1.Manager"
    private static let managerPath = "/org/freedesktop/systemd1"

    private let bus: BusConnection

    /// Prepares; nothing is connected to before the first question.
    /// - Parameter address: of the bus; nil for the system's.
    public init(loop: EventLoop, address: String? = nil) {
        bus = BusConnection(loop: loop, address: address)
        // Without it systemd sends no signals.
        bus.onConnect = { [unowned self] in ask(Self.managerPath, Self.manager, "Subscribe", []) { _ in } }
    }

    /// Freezes a unit; completes when all of it stands still.
    public func freeze(_ name: String, completion: @escaping (BusError?) -> Void) {
        ask(Self.managerPath, Self.manager, "FreezeUnit", [name]) { completion($0.failure) }
    }

    /// Thaws a unit; completes when it runs.
    public func thaw(_ name: String, completion: @escaping (BusError?) -> Void) {
        ask(Self.managerPath, Self.manager, "ThawUnit", [name]) { completion($0.failure) }
    }

    /// The number at the start of systemd's version, `252` of `252.39-1~deb12u1`; nil where it has none.
    public func version(completion: @escaping (Result<Int?, BusError>) -> Void) {
        get(Self.managerPath, Self.manager, "Version") { result in
            completion(result.map { $0.text.map { Int($0.prefix { $0.isNumber }) } ?? nil })
        }
    }

    /// Says what a unit is; a name that nothing is known of is a unit whose load state is `not-found`.
    public func describe(_ name: String, completion: @escaping (Result<Unit, BusError>) -> Void) {
        ask(Self.managerPath, Self.manager, "LoadUnit", [name]) { [weak self] result in
            guard let self else { return }
            switch result {
            case .failure(let error): completion(.failure(error))
            case .success(let value): describe(name, at: value.text ?? "", completion)
            }
        }
    }

    private func describe(
        _ name: String, at path: String, _ completion: @escaping (Result<Unit, BusError>) -> Void
    ) {
        let general = "org.freedesktop.systemd1.Unit"
        let special = "org.freedesktop.systemd1." + Self.interface(of: name)
        var wanted = [
            "Id", "LoadState", "ActiveState", "FreezerState", "CanFreeze", "InvocationID",
        ].map { (general, $0) }
        wanted.append((special, "ControlGroup"))
        if special.hasSuffix(".Service") { wanted.append((special, "WatchdogUSec")) }
        var values: [String: BusValue] = [:]
        var (missing, hasFailed) = (wanted.count, false)
        for (interface, property) in wanted {
            get(path, interface, property) { result in
                missing -= 1
                guard !hasFailed else { return }
                switch result {
                case .success(let value): values[property] = value
                // A kind of unit that lacks a property says so; that is an answer as well.
                case .failure(.remote(let error, _)) where Self.unknown.contains(error): break
                case .failure(let error):
                    hasFailed = true
                    completion(.failure(error))
                    return
                }
                if missing == 0 { completion(.success(Unit(values))) }
            }
        }
    }

    private static let unknown: Set = [
        "org.freedesktop.DBus.Error.UnknownProperty", "org.freedesktop.DBus.Error.UnknownInterface",
    ]

    /// `Service` of `a.service`.
    private static func interface(of name: String) -> String {
        let suffix = name.split(separator: ".").last ?? ""
        return suffix.prefix(1).uppercased() + suffix.dropFirst()
    }

    /// Calls a handler whenever the properties of a unit change, for as long as what is returned lives.
    public func follow(_ name: String, handler: @escaping () -> Void) throws(SystemError) -> Following {
        let path = "/org/freedesktop/systemd1/unit/" + Self.escaped(name)
        return Following(
            match: try bus.followProperties(service: Self.service, path: path, handler: handler))
    }

    /// Keeps a unit followed.
    public final class Following {
        private let match: BusConnection.Match

        fileprivate init(match: BusConnection.Match) { self.match = match }
    }

    /// sd_bus_path_encode(3): all but letters and digits by number, and a leading digit as well.
    static func escaped(_ name: String) -> String {
        var path = ""
        for (index, byte) in name.utf8.enumerated() {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9") where index > 0 || byte > UInt8(ascii: "9"):
                path.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                path += "_" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
            }
        }
        return path
    }

    private func get(
        _ path: String, _ interface: String, _ property: String,
        completion: @escaping (Result<BusValue, BusError>) -> Void
    ) {
        ask(
            path, "org.freedesktop.DBus.Properties", "Get", [interface, property], completion: completion)
    }

    private func ask(
        _ path: String, _ interface: String, _ member: String, _ arguments: [String],
        completion: @escaping (Result<BusValue, BusError>) -> Void
    ) {
        bus.call(
            service: Self.service, path: path, interface: interface, member: member, arguments,
            completion: completion)
    }
}

extension SystemdUnits.Unit {
    fileprivate init(_ values: [String: BusValue]) {
        name = values["Id"]?.text ?? ""
        loadState = values["LoadState"]?.text ?? ""
        activeState = values["ActiveState"]?.text ?? ""
        freezerState = values["FreezerState"]?.text ?? "running"
        controlGroup = values["ControlGroup"]?.text ?? ""
        (canFreeze, invocation, watchdogMicroseconds) = (false, "", nil)
        if case .flag(let flag) = values["CanFreeze"] { canFreeze = flag }
        if case .bytes(let bytes) = values["InvocationID"] {
            invocation = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        }
        // Zero and infinity both stand for none.
        if case .number(let number) = values["WatchdogUSec"], number != 0, number != .max {
            watchdogMicroseconds = number
        }
    }
}

extension BusValue {
    fileprivate var text: String? {
        if case .text(let text) = self { return text }
        return nil
    }
}

extension Result {
    fileprivate var failure: Failure? {
        if case .failure(let error) = self { return error }
        return nil
    }
}
