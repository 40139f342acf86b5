import AdSlots
import Campaigns
import Configuration
import Reachability

/// One key: where it stands, what it reads as, and what it takes and refuses.
struct KeyCase: Sendable, CustomStringConvertible {
    let section: String
    let key: String
    /// The value in the configuration, as short text.
    let read: @Sendable (Configuration) -> String
    let defaultText: String
    /// Values, and what ``read`` makes of them.
    let accepted: [String: String]
    /// Values, and words that the refusal must have.
    let refused: [String: String]

    var description: String { "[\(section)] \(key)=" }

    init(
        _ section: String, _ key: String, default defaultText: String, accepted: [String: String],
        refused: [String: String], _ read: @escaping @Sendable (Configuration) -> String
    ) {
        self.section = section
        self.key = key
        self.defaultText = defaultText
        self.accepted = accepted
        self.refused = refused
        self.read = read
    }

    /// A key that holds a span of time between two bounds.
    /// - Parameters:
    ///   - low: the shortest span that goes with the other keys' defaults: the bound, unless `bounds` says.
    ///   - high: the longest such span.
    ///   - bounds: the range as the refusal names it.
    static func span(
        _ section: String, _ key: String, default defaultText: String, from low: String, to high: String,
        bounds: String? = nil, below: String?, above: String,
        _ read: @escaping @Sendable (Configuration) -> Duration?
    ) -> KeyCase {
        let range = "is out of range: it can be \(bounds ?? "\(low) to \(high)")"
        var refused = ["soon": "expected a time such as", "-1s": "expected a time", above: range]
        if let below { refused[below] = range }
        return KeyCase(
            section, key, default: defaultText, accepted: [low: low, high: high], refused: refused
        ) {
            read($0).map { DurationText.format($0) } ?? "nil"
        }
    }
}

private let urls = [
    "http://example.org", "https://example.org/generate_204", "HTTP://EXAMPLE.org:8080/?a=b#c",
    "http://192.0.2.1/", "http://[2001:db8::1]/", "http://[2001:db8::1]:81/a@b", "http://a-b_c.example./",
    "http://localhost:65535", "http://example.org/" + String(repeating: "x", count: 2_029),
]

private let reachabilityKeys: [KeyCase] = [
    .span("Reachability", "LossHold", default: "1.5s", from: "0", to: "1d", below: nil, above: "86401s") {
        $0.reachability.lossHold
    },
    .span("Reachability", "GainHold", default: "250ms", from: "0", to: "1d", below: nil, above: "25h") {
        $0.reachability.gainHold
    },
    .span("Reachability", "DampHalfLife", default: "15s", from: "100ms", to: "1d", below: "99ms", above: "2d")
    {
        $0.reachability.dampHalfLife
    },
    .span("Reachability", "DampMax", default: "1min", from: "0", to: "1d", below: nil, above: "2d") {
        $0.reachability.dampMax
    },
    KeyCase(
        "Reachability", "LookupAddresses", default: "1.1.1.1 2606:4700:4700::1111",
        accepted: [
            "9.9.9.9": "9.9.9.9", "2001:4860:4860::8888  8.8.8.8": "2001:4860:4860::8888 8.8.8.8",
            "8.8.8.1 8.8.8.2 8.8.8.3 8.8.8.4 8.8.8.5 8.8.8.6 8.8.8.7 8.8.8.8":
                "8.8.8.1 8.8.8.2 8.8.8.3 8.8.8.4 8.8.8.5 8.8.8.6 8.8.8.7 8.8.8.8",
        ],
        refused: [
            "example.org": "expected an IPv4 or IPv6 address", "1.1.1": "'1.1.1'",
            "1.1.1.1/32": "'1.1.1.1/32'",
            "fe80::1%eth0": "'fe80::1%eth0'", "0.0.0.0": "no address of the internet", "::": "no address",
            "127.0.0.1": "no address", "::1": "no address", "224.0.0.1": "no address",
            "ff02::1": "no address",
            "169.254.1.1": "no address", "fe80::1": "no address", "1.1.1.1 x": "'x'",
            "1.0.0.1 1.0.0.2 1.0.0.3 1.0.0.4 1.0.0.5 1.0.0.6 1.0.0.7 1.0.0.8 1.0.0.9":
                "more than 8 addresses",
        ]
    ) { $0.reachability.lookupAddresses.map(\.description).joined(separator: " ") },
    KeyCase(
        "Reachability", "Target", default: "nil",
        accepted: [
            "example.org": "example.org", "Ads.Example.": "ads.example.", "192.0.2.1": "192.0.2.1",
            "2001:DB8::1": "2001:db8::1", "10.0.0.1": "10.0.0.1",
        ],
        refused: [
            "a..b": "1 to 63 bytes each; found 'a..b'", "b\u{FC}cher.example": "xn--",
            "a b": "letters, digits",
            "example.org:80": "looks like an address", "1.1.1": "looks like an address",
            "127.0.0.1": "no address of the internet", "::": "no address", "fe80::1": "no address",
        ]
    ) { $0.reachability.targetHost?.description ?? "nil" },
    KeyCase(
        "Reachability", "ConnectivityCheck", default: "nil",
        accepted: Dictionary(uniqueKeysWithValues: urls.map { ($0, $0) }),
        refused: [
            "example.org": "expected a URL of http or https, found 'example.org'",
            "ftp://example.org/": "http or https", "file:///etc/passwd": "http or https",
            "//example.org/": "http or https", "http:/example.org": "http or https",
            "http:example.org": "http or https", "http://": "names no host", "http:///x": "names no host",
            "http://:80/": "names no host", "http://?x": "names no host", "http://...": "names no host",
            "http://me@example.org/": "credentials are not allowed",
            "http://me:secret@example.org/": "credentials are not allowed",
            "http://example.org:/": "a port that is none", "http://example.org:0/": "a port",
            "http://example.org:65536/": "a port", "http://example.org:80x/": "a port",
            "http://example.org:+80/": "a port", "http://[::1/": "no host", "http://[1.2.3.4]/": "no host",
            "http://[::1]x/": "no host", "http://[fe80::1%25eth0]/": "no host",
            "http://exa$mple.org/": "no host", "http://example.org/a b": "visible characters of ASCII",
            "http://exämple.org/": "visible characters", "http://example.org/\u{7F}": "visible characters",
            "http://example.org/" + String(repeating: "x", count: 2_048): "at most 2048",
        ]
    ) { $0.reachability.connectivity.url ?? "nil" },
    KeyCase(
        "Reachability", "ConnectivityStatus", default: "204",
        accepted: ["200": "200", "599": "599", "302": "302"],
        refused: [
            "199": "expected a number from 200 to 599, found '199'", "600": "200 to 599", "ok": "200 to 599",
            "+200": "200 to 599", "200.0": "200 to 599", "99999999999999999999": "200 to 599",
        ]
    ) { "\($0.reachability.connectivity.status)" },
    KeyCase(
        "Reachability", "ConnectivityText", default: "",
        accepted: ["NetworkManager is online": "NetworkManager is online", "é": "é"],
        refused: [String(repeating: "x", count: 1_025): "longer than 1024 bytes"]
    ) { $0.reachability.connectivity.text },
    .span(
        "Reachability", "ConnectivityInterval", default: "5min", from: "10s", to: "1d", below: "9.999s",
        above: "2d"
    ) { $0.reachability.connectivity.interval },
    .span(
        "Reachability", "ConnectivityTimeout", default: "5s", from: "100ms", to: "1min", below: "99ms",
        above: "61s"
    ) { $0.reachability.connectivity.timeout },
    KeyCase(
        "Reachability", "NetworkManagerMetered", default: "false", accepted: words,
        refused: ["maybe": "expected yes or no, found 'maybe'"]
    ) { "\($0.reachability.followsNetworkManager)" },
]

private let words = [
    "yes": "true", "true": "true", "on": "true", "1": "true", "no": "false", "false": "false", "off": "false",
    "0": "false",
]

private let linkKeys: [KeyCase] = [
    KeyCase(
        "Link wl*", "Kind", default: "nil",
        accepted: [
            "ethernet": "ethernet", "wifi": "wifi", "cellular": "cellular", "tunnel": "tunnel",
            "bridge": "bridge",
            "other": "other",
        ],
        refused: [
            "wlan": "expected one of ethernet, wifi, cellular, tunnel, bridge, other; found 'wlan'",
            "loopback": "expected one of ethernet, wifi, cellular, tunnel, bridge, other; found",
            "WiFi": "expected",
        ]
    ) { $0.reachability.linkRules.first?.kind?.rawValue ?? "nil" },
    KeyCase(
        "Link wl*", "Metered", default: "nil", accepted: words,
        refused: ["maybe": "expected yes or no, found 'maybe'", "YES": "expected yes or no", "2": "expected"]
    ) { $0.reachability.linkRules.first?.metered.map { "\($0)" } ?? "nil" },
    KeyCase(
        "Link wl*", "OnDemand", default: "nil", accepted: words,
        refused: ["ja": "expected yes or no, found 'ja'"]
    ) { $0.reachability.linkRules.first?.onDemand.map { "\($0)" } ?? "nil" },
]

private let manySizes = Array(repeating: "320x50", count: 64).joined(separator: " ")
private let manySources = Array(repeating: "test", count: 32).joined(separator: " ")

private let slotKeys: [KeyCase] = [
    KeyCase(
        "Slot banner", "Placement", default: "bottom", accepted: ["top": "top", "bottom": "bottom"],
        refused: ["left": "expected one of top, bottom; found 'left'", "Top": "expected one of"]
    ) { $0.coordinator.slots[0].placement.rawValue },
    KeyCase(
        "Slot banner", "Sources", default: "test", accepted: ["test": "test", manySources: manySources],
        refused: [manySources + " test": "more than 32 sources"]
    ) { $0.coordinator.slots[0].sources.map(\.name).joined(separator: " ") },
    KeyCase(
        "Slot banner", "Sizes", default: "320x50 480x32 728x90 768x66 1024x66 300x50 468x60 970x90",
        accepted: ["1x1": "1x1", "32768x32768 320x50": "32768x32768 320x50", manySizes: manySizes],
        refused: [
            "320": "expected a size such as 320x50, found '320'", "320x": "expected a size",
            "x50": "expected a size",
            "320x50x2": "expected a size", "320X50": "expected a size", "320 x 50": "expected a size",
            "0x50": "'0x50' is out of range: sides can be 1 to 32768", "320x-1": "out of range",
            "32769x50": "out of range", "99999999999999999999x1": "expected a size",
            manySizes + " 1x1": "more than 64 sizes",
        ]
    ) { $0.coordinator.slots[0].sizes.map(\.description).joined(separator: " ") },
    .span(
        "Slot banner", "RefreshInterval", default: "3min", from: "30s", to: "7d", below: "29.999s",
        above: "8d"
    ) { $0.coordinator.slots[0].refreshInterval },
    .span(
        "Slot banner", "RetryInterval", default: "30s", from: "1ms", to: "10min", bounds: "1ms to 7d",
        below: "999us", above: "8d"
    ) {
        $0.coordinator.slots[0].retryInterval
    },
    .span(
        "Slot banner", "RetryMax", default: "10min", from: "30s", to: "7d", bounds: "1ms to 7d", below: "0",
        above: "8d"
    ) {
        $0.coordinator.slots[0].retryMax
    },
    .span("Slot banner", "MinimumInterval", default: "5s", from: "0", to: "1d", below: nil, above: "25h") {
        $0.coordinator.slots[0].minimumInterval
    },
    .span("Slot banner", "MinimumView", default: "1s", from: "0", to: "1h", below: nil, above: "61min") {
        $0.coordinator.slots[0].minimumView
    },
    KeyCase(
        "Slot banner", "WhenUnreachable", default: "release",
        accepted: ["release": "release", "house": "house"],
        refused: ["hide": "expected one of release, house; found 'hide'"]
    ) { $0.coordinator.slots[0].whenUnreachable.rawValue },
    .span("Slot banner", "RequestTimeout", default: "10s", from: "1ms", to: "1h", below: "0", above: "2h") {
        $0.coordinator.slots[0].requestTimeout
    },
]

private let otherKeys: [KeyCase] = [
    .span("Actions", "PauseTimeout", default: "500ms", from: "0", to: "1h", below: nil, above: "2h") {
        $0.coordinator.pauseTimeout
    },
    .span("Actions", "ActionTimeout", default: "5min", from: "1ms", to: "1d", below: "0", above: "25h") {
        $0.coordinator.actionTimeout
    },
    KeyCase(
        "Access", "HostGroup", default: "adslotd", accepted: ["kiosk": "kiosk", "a-b_c.9": "a-b_c.9"],
        refused: ["two groups": "a group's name has 1 to 32 letters", "a:b": "found 'a:b'"]
    ) { $0.hostGroup },
    KeyCase(
        "Access", "PauseGroup", default: "", accepted: ["kiosk": "kiosk"],
        refused: ["two groups": "a group's name has 1 to 32 letters", "a:b": "found 'a:b'"]
    ) { $0.pauseGroup ?? "" },
    KeyCase(
        "Schedule", "TimeZone", default: "nil",
        accepted: [
            "Europe/Berlin": "Europe/Berlin", "UTC": "UTC", "Etc/GMT+3": "Etc/GMT+3",
            "America/Argentina/Buenos_Aires": "America/Argentina/Buenos_Aires",
        ],
        refused: [
            "/etc/passwd": "expected a time zone such as Europe/Berlin, found '/etc/passwd'",
            "../../etc/passwd": "expected a time zone", "Europe/../UTC": "expected a time zone",
            "Europe//Berlin": "expected a time zone", "Europe/": "expected a time zone",
            "Europe Berlin": "expected a time zone",
            String(repeating: "x", count: 65): "expected a time zone",
        ]
    ) { $0.schedule.timeZone ?? "nil" },
    KeyCase(
        "Schedule", "Repeats", default: "whenAlone",
        accepted: ["whenAlone": "whenAlone", "never": "never"],
        refused: ["always": "expected one of whenAlone, never; found 'always'"]
    ) { $0.schedule.repeats.rawValue },
    KeyCase(
        "Schedule", "TrustClock", default: "synchronised",
        accepted: ["synchronised": "synchronised", "always": "always"],
        refused: ["yes": "expected one of synchronised, always; found 'yes'"]
    ) { $0.schedule.trustClock.rawValue },
    KeyCase(
        "Source test", "Kind", default: "test", accepted: ["test": "test", "house": "house"],
        refused: ["http": "expected one of test, house, openrtb; found 'http'"]
    ) { $0.sources[0].kind.rawValue },
    .span("Source test", "Delay", default: "50ms", from: "0", to: "1d", below: nil, above: "2d") {
        $0.sources[0].test.delay
    },
    KeyCase(
        "Source test", "Answer", default: "ok",
        accepted: ["ok": "ok", "noFill": "noFill", "serverFailure": "serverFailure", "timeout": "timeout"],
        refused: ["fail": "expected one of ok, noFill, serverFailure, timeout; found 'fail'"]
    ) { $0.sources[0].test.behaviour.rawValue },
    .span("Source test", "Expires", default: "nil", from: "100ms", to: "1d", below: "99ms", above: "2d") {
        $0.sources[0].test.expires
    },
]

private let keepingKeys: [KeyCase] = [
    KeyCase(
        "Ledger", "RetainDays", default: "90", accepted: ["1": "1", "3650": "3650"],
        refused: ["0": "expected a number from 1 to 3650", "-1": "found '-1'", "3651": "found '3651'"]
    ) { "\($0.ledger.retainDays)" },
    KeyCase(
        "Ledger", "SizeMax", default: "268435456",
        accepted: ["16M": "16777216", "1T": "1099511627776", "20000000": "20000000"],
        refused: ["15M": "expected a size from 16M to 1T", "2T": "found '2T'", "M": "found 'M'"]
    ) { "\($0.ledger.sizeMaxBytes)" },
    KeyCase(
        "Creatives", "SizeMax", default: "268435456", accepted: ["1M": "1048576", "1T": "1099511627776"],
        refused: ["1023K": "expected a size from 1M to 1T", "1025G": "found '1025G'", "1m": "found '1m'"]
    ) { "\($0.creatives.sizeMaxBytes)" },
    KeyCase(
        "Creatives", "MeteredBudget", default: "10485760",
        accepted: ["0": "0", "500K": "512000", "1T": "1099511627776"],
        refused: ["-1": "expected a size from 0 to 1T", "10MB": "found '10MB'"]
    ) { "\($0.creatives.meteredBudgetBytes)" },
]

/// Every key of every section.
let allKeys = reachabilityKeys + linkKeys + slotKeys + otherKeys + keepingKeys
