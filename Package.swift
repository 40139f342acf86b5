// swift-tools-version: 6.3
import PackageDescription

let strict: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .strictMemorySafety(),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
    name: "adslotd",
    products: [
        .library(name: "AdslotClient", targets: ["AdslotClient"]),
        .executable(name: "adslotd", targets: ["adslotd"]),
        .executable(name: "adslotctl", targets: ["adslotctl"]),
    ],
    targets: [
        // System libraries, and the few calls that Swift cannot make itself.
        .systemLibrary(
            name: "CNetlink", pkgConfig: "libnl-genl-3.0", providers: [.apt(["libnl-genl-3-dev"])]),
        .systemLibrary(name: "CSystemd", pkgConfig: "libsystemd", providers: [.apt(["libsystemd-dev"])]),
        .systemLibrary(name: "CAres", pkgConfig: "libcares", providers: [.apt(["libc-ares-dev"])]),
        .systemLibrary(name: "CInih", pkgConfig: "inih", providers: [.apt(["libinih-dev"])]),
        .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .target(name: "CLinux"),
        // Loaded when it is needed, so that only its headers are (libcurl4-openssl-dev).
        .target(name: "CCurl", linkerSettings: [.linkedLibrary("dl")]),

        // Pure: no clock, no randomness, no input or output.
        .target(name: "Reachability", swiftSettings: strict),
        .target(name: "AdSlots", dependencies: ["Reachability"], swiftSettings: strict),
        .target(name: "Campaigns", swiftSettings: strict),
        .target(name: "Timeline", dependencies: ["Campaigns"], swiftSettings: strict),
        .target(name: "JSON", swiftSettings: strict),
        .target(name: "OpenRTB", dependencies: ["JSON"], swiftSettings: strict),
        .target(
            name: "Configuration", dependencies: ["AdSlots", "Campaigns", "OpenRTB", "Reachability"],
            swiftSettings: strict),
        .target(
            name: "Simulation", dependencies: ["AdSlots", "Configuration", "Reachability"],
            swiftSettings: strict),

        // The shell.
        .target(name: "LinuxBase", dependencies: ["CLinux"], swiftSettings: strict),
        .target(
            name: "LinuxSupport", dependencies: ["CLinux", "CSystemd", "LinuxBase"], swiftSettings: strict),
        .target(name: "VarlinkCore", dependencies: ["JSON", "LinuxBase"], swiftSettings: strict),
        .target(name: "Varlink", dependencies: ["LinuxSupport", "VarlinkCore"], swiftSettings: strict),
        .target(name: "AdslotClient", dependencies: ["LinuxBase", "VarlinkCore"], swiftSettings: strict),
        .target(name: "HTTPClient", dependencies: ["CCurl", "LinuxSupport"], swiftSettings: strict),
        .target(
            name: "NetlinkWatcher", dependencies: ["CNetlink", "LinuxSupport", "Reachability"],
            swiftSettings: strict),
        .target(
            name: "NameResolution", dependencies: ["CAres", "LinuxSupport", "Reachability"],
            swiftSettings: strict),
        .target(
            name: "Ledger",
            dependencies: ["AdSlots", "CSQLite", "Campaigns", "LinuxSupport", "Reachability"],
            swiftSettings: strict),
        .target(
            name: "AdSources",
            dependencies: [
                "AdSlots", "Campaigns", "HTTPClient", "Ledger", "LinuxSupport", "OpenRTB", "Reachability",
            ],
            swiftSettings: strict),
        .target(
            name: "AdslotService",
            dependencies: [
                "AdSlots", "AdSources", "CInih", "Campaigns", "Configuration", "HTTPClient", "Ledger",
                "LinuxSupport", "NameResolution", "NetlinkWatcher", "OpenRTB", "Reachability", "Varlink",
            ],
            resources: [.embedInCode("Interfaces")],
            swiftSettings: strict),
        .executableTarget(
            name: "adslotd", dependencies: ["AdslotService", "LinuxSupport"], swiftSettings: strict),
        .executableTarget(
            name: "adslotctl",
            dependencies: [
                "AdslotClient", "Configuration", "LinuxSupport", "NetlinkWatcher", "Reachability",
                "Simulation", "Timeline", "Varlink",
            ],
            swiftSettings: strict),

        // Tests, and the tool that makes their networks.
        .executableTarget(
            name: "coordinator-bench", dependencies: ["AdSlots", "Reachability", "Simulation"],
            path: "Tests/Bench/Coordinator"),
        .executableTarget(
            name: "scheduler-bench", dependencies: ["Campaigns"], path: "Tests/Bench/Scheduler"),
        .executableTarget(
            name: "ledger-bench", dependencies: ["AdSlots", "Ledger", "Reachability"],
            path: "Tests/Bench/Ledger"),
        .executableTarget(name: "openrtb-bench", dependencies: ["OpenRTB"], path: "Tests/Bench/OpenRTB"),
        .executableTarget(
            name: "soak", dependencies: ["Reachability", "Simulation"], path: "Tests/Soak"),
        .executableTarget(name: "network-lab", path: "Tests/NetworkLab"),
        .executableTarget(
            name: "network-manager-mock", dependencies: ["CSystemd"], path: "Tests/NetworkManagerMock"),
        .executableTarget(name: "systemd-mock", dependencies: ["CSystemd"], path: "Tests/SystemdMock"),
        .testTarget(
            name: "ReachabilityTests", dependencies: ["Reachability", "Simulation"], swiftSettings: strict),
        .testTarget(
            name: "AdSlotsTests", dependencies: ["AdSlots", "Reachability", "Simulation"],
            swiftSettings: strict),
        .testTarget(
            name: "CampaignsTests", dependencies: ["Campaigns", "Simulation"], swiftSettings: strict),
        .testTarget(
            name: "TimelineTests", dependencies: ["Campaigns", "Timeline"], swiftSettings: strict),
        .testTarget(
            name: "SimulationTests", dependencies: ["AdSlots", "Reachability", "Simulation"],
            exclude: ["Scenarios"], swiftSettings: strict),
        .testTarget(
            name: "NameResolutionTests", dependencies: ["LinuxSupport", "NameResolution", "Reachability"],
            exclude: ["Support/dns-server.py"], swiftSettings: strict),
        .testTarget(
            name: "VarlinkTests", dependencies: ["LinuxSupport", "Simulation", "Varlink", "VarlinkCore"],
            swiftSettings: strict),
        .testTarget(
            name: "LinuxSupportTests", dependencies: ["LinuxBase", "LinuxSupport", "network-manager-mock"],
            swiftSettings: strict),
        .testTarget(
            name: "HTTPClientTests", dependencies: ["HTTPClient", "LinuxSupport"],
            exclude: ["tls-peer.py"], swiftSettings: strict),
        .testTarget(
            name: "NetlinkWatcherTests",
            dependencies: ["LinuxSupport", "NetlinkWatcher", "Reachability", "Simulation"],
            swiftSettings: strict),
        .testTarget(
            name: "ConfigurationTests",
            dependencies: ["AdSlots", "Campaigns", "Configuration", "OpenRTB", "Reachability", "Simulation"],
            swiftSettings: strict),
        .testTarget(
            name: "AdslotServiceTests",
            dependencies: [
                "AdSlots", "AdslotService", "Campaigns", "Configuration", "Ledger", "LinuxSupport",
                "Reachability", "Simulation", "Varlink",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "LedgerTests",
            dependencies: [
                "AdSlots", "Campaigns", "Ledger", "LinuxSupport", "Reachability", "Simulation",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "AdslotClientTests", dependencies: ["AdslotClient", "VarlinkCore"], swiftSettings: strict),
        .testTarget(
            name: "AdSourcesTests",
            dependencies: ["AdSlots", "AdSources", "Campaigns", "Ledger", "Reachability", "Simulation"],
            swiftSettings: strict),
        .testTarget(
            name: "OpenRTBTests", dependencies: ["JSON", "OpenRTB", "Simulation"], swiftSettings: strict),
        .testTarget(name: "TidyTests", dependencies: ["Varlink"], swiftSettings: strict),
        .testTarget(
            name: "DaemonTests",
            dependencies: [
                "AdslotClient", "LinuxSupport", "Varlink", "adslotctl", "adslotd", "network-lab",
                "network-manager-mock", "systemd-mock",
            ],
            exclude: [
                "Support/call_as.py", "Support/exchange.py", "Support/foreign_client.py",
                "Support/foreign_host.py", "Support/make-python-client.sh", "Support/notice_peer.py",
                "Support/openrtb_check.py", "Support/picture_server.py", "Support/plain_host.py",
                "Support/portal.py",
                "Support/terminal.py",
            ],
            swiftSettings: strict),
    ],
    swiftLanguageModes: [.v6]
)

// What `make fuzz` builds instead of the tests, apart from the rest: libFuzzer brings the main function.
if Context.environment["ADSLOTD_FUZZ"] != nil {
    package.targets.removeAll { $0.isTest }
    package.targets.append(
        .executableTarget(
            name: "fuzz",
            dependencies: [
                "AdslotService", "Campaigns", "Configuration", "NetlinkWatcher", "OpenRTB", "Reachability",
                "Varlink",
            ],
            path: "Tests/Fuzz", exclude: ["run", "seeds", "short"],
            swiftSettings: strict))
}
