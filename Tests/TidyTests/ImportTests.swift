import Testing

@Suite("Imports")
struct ImportTests {
    /// What each target may import, its own C libraries included. A target that is not named here has no
    /// place in the architecture yet.
    private static let allowed: [String: Set<String>] = [
        // Pure: no clock, no randomness, no input or output.
        "Reachability": [],
        "AdSlots": ["Reachability"],
        "Campaigns": [],
        // Dates and times of day.
        "Timeline": ["Campaigns"],
        "JSON": [],
        "OpenRTB": ["JSON"],
        "Configuration": ["AdSlots", "Campaigns", "OpenRTB", "Reachability"],
        "Simulation": ["AdSlots", "Configuration", "Reachability"],
        // All C of the system in one house, of two storeys: what programs of others are to link is without
        // the event loop and its library.
        "LinuxBase": ["CLinux", "Glibc"],
        "LinuxSupport": ["CLinux", "CSystemd", "Glibc", "LinuxBase"],
        "VarlinkCore": ["JSON", "LinuxBase"],
        "Varlink": ["LinuxSupport", "VarlinkCore"],
        "AdslotClient": ["LinuxBase", "Synchronization", "VarlinkCore"],
        "HTTPClient": ["CCurl", "LinuxSupport"],
        "NetlinkWatcher": ["CNetlink", "LinuxSupport", "Reachability"],
        "NameResolution": ["CAres", "LinuxSupport", "Reachability"],
        "Ledger": ["AdSlots", "CSQLite", "Campaigns", "LinuxSupport", "Reachability"],
        "AdSources": [
            "AdSlots", "Campaigns", "HTTPClient", "Ledger", "LinuxSupport", "OpenRTB", "Reachability",
        ],
        "AdslotService": [
            "AdSlots", "AdSources", "CInih", "Campaigns", "Configuration", "HTTPClient", "Ledger",
            "LinuxSupport", "NameResolution", "NetlinkWatcher", "OpenRTB", "Reachability", "Varlink",
        ],
        "adslotd": ["AdslotService", "LinuxSupport"],
        // The decoder and the model, for replays; the simulator for scenarios; the reader of durations; the
        // picture of a day.
        "adslotctl": [
            "AdslotClient", "Configuration", "LinuxSupport", "NetlinkWatcher", "Reachability", "Simulation",
            "Timeline", "Varlink",
        ],
    ]

    private static let cTargets: Set<String> = [
        "CAres", "CCurl", "CInih", "CLinux", "CNetlink", "CSQLite", "CSystemd",
    ]

    /// The modules that a file imports.
    private func imports(of file: TextFile) -> Set<String> {
        var modules: Set<String> = []
        for line in file.lines {
            let words = line.split { $0 == " " || $0 == "\t" }
            guard let place = words.firstIndex(of: "import"), place < words.count - 1,
                words[..<place].allSatisfy({ $0.hasPrefix("@") || Self.accessLevels.contains(String($0)) })
            else { continue }
            // Of `import struct Module.Name` the module is what counts.
            let name = words.last ?? ""
            modules.insert(String(name.prefix { $0 != "." }))
        }
        return modules
    }

    private static let accessLevels: Set<String> = [
        "public", "package", "internal", "fileprivate", "private",
    ]

    @Test("Each target imports what the architecture allows, and nothing else")
    func allowedImports() {
        let files = Repository.files(under: "Sources", endingIn: ".swift")
        #expect(files.count > 100)
        for file in files {
            let target = String(file.path.split(separator: "/")[1])
            guard let allowed = Self.allowed[target] else {
                Issue.record("target \(target) is not in the table")
                continue
            }
            let surplus = imports(of: file).subtracting(allowed)
            #expect(surplus.isEmpty, "\(file) imports \(surplus.sorted().joined(separator: ", "))")
        }
    }

    @Test("A C library has one house")
    func cLibraries() {
        for module in Self.cTargets.union(["Glibc"]) {
            let houses = Self.allowed.filter { $0.value.contains(module) }.keys
            let isOneHouse = houses.count == 1 || houses.sorted() == ["LinuxBase", "LinuxSupport"]
            #expect(isOneHouse, "\(module): \(houses.sorted())")
        }
        #expect(Self.allowed.values.allSatisfy { !$0.contains("Foundation") })
    }
}
