import Foundation
import Testing

/// Whether and how this machine lets the tests make networks of their own.
enum Namespaces {
    /// The way to a network namespace. ADSLOTD_NAMESPACES=user or =plain leaves only that one.
    enum Manner: String, CaseIterable {
        /// As anybody: as root of a user namespace.
        case userNamespace = "user"
        /// As root, where user namespaces are not to be had.
        case plain

        var makeCommand: [String] {
            switch self {
            case .userNamespace: ["unshare", "--user", "--map-root-user", "--net"]
            case .plain: ["unshare", "--net"]
            }
        }
    }

    /// The first way that works, `nil` where there is none.
    static var manner: Manner? { probe.manner }

    /// Why there is no way.
    static var obstacle: String { "no network namespaces: \(probe.obstacle)".onOneLine }

    private static let probe: (manner: Manner?, obstacle: String) = {
        var obstacles: [String] = []
        let wanted = ProcessInfo.processInfo.environment["ADSLOTD_NAMESPACES"]
        for manner in Manner.allCases where wanted == nil || wanted == manner.rawValue {
            do {
                _ = try Network(manner)
                return (manner, "")
            } catch {
                obstacles.append("\(manner.rawValue): \(error)")
            }
        }
        return (nil, obstacles.joined(separator: "; "))
    }()

    static func enterCommand(pid: pid_t) -> [String] {
        switch manner {
        case .plain: ["nsenter", "--net", "--mount", "--target", "\(pid)"]
        case .userNamespace, nil:
            ["nsenter", "--preserve-credentials", "--user", "--net", "--mount", "--target", "\(pid)"]
        }
    }
}

/// What a test's network is made of, where that is not to be had everywhere.
enum NetworkPart: String, CaseIterable, Sendable {
    case tap, tun, bridge, dummy, ifb, vlan, macvlan, vrf, wireguard, ppp, gre, ipip

    /// Why this machine does not have it, `nil` where it does.
    var obstacle: String? { Self.obstacles[self] }

    private var trial: String {
        switch self {
        case .tap: "tap x0"
        case .tun: "tun x0"
        case .vlan: "ip link add link lo name x0 type vlan id 2"
        case .macvlan:
            "shell ip link add y0 type veth peer name y1 && ip link add link y0 name x0 type macvlan"
        case .vrf: "ip link add x0 type vrf table 10"
        case .ppp: "shell test -c /dev/ppp && head -c 0 /dev/ppp"
        case .gre: "ip tunnel add x0 mode gre remote 10.0.0.1 local 10.0.0.2"
        case .ipip: "ip tunnel add x0 mode ipip remote 10.0.0.1 local 10.0.0.2"
        case .bridge, .dummy, .ifb, .wireguard: "ip link add x0 type \(rawValue)"
        }
    }

    private static let obstacles: [NetworkPart: String] = {
        var result: [NetworkPart: String] = [:]
        for part in allCases {
            do {
                try Network().run(part.trial)
            } catch {
                result[part] = "no \(part.rawValue) here: \(error)".onOneLine
            }
        }
        return result
    }()
}

extension String {
    /// The text as it is told in a reason.
    var onOneLine: String {
        split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.joined(separator: "; ")
    }
}

extension Trait where Self == ConditionTrait {
    /// The test is skipped, with the reason, where the kernel lets nobody make networks.
    static var needsNamespaces: Self {
        .enabled(if: Namespaces.manner != nil, Comment(rawValue: Namespaces.obstacle))
    }

    /// The test is skipped, with the reason, where this machine lacks a kind of device.
    static func needs(_ part: NetworkPart) -> Self {
        let obstacle = Namespaces.manner == nil ? Namespaces.obstacle : part.obstacle
        return .enabled(if: obstacle == nil, Comment(rawValue: obstacle ?? ""))
    }
}
