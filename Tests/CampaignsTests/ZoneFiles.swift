import Glibc

@testable import Campaigns

/// Time zone files: those of this machine, and made ones.
enum ZoneFiles {
    static let names = [
        "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Africa/Casablanca", "Pacific/Apia",
        "Europe/Dublin", "Asia/Kathmandu", "America/St_Johns", "Antarctica/Troll", "Asia/Gaza",
    ]

    /// Whether this machine has them (Debian: tzdata).
    static let arePresent = names.allSatisfy { bytes(of: $0) != nil }

    static func bytes(of name: String) -> [UInt8]? {
        guard let file = unsafe fopen("/usr/share/zoneinfo/\(name)", "r") else { return nil }
        defer { _ = unsafe fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = unsafe fread(&bytes, 1, bytes.count, file)
        return Array(bytes.prefix(count))
    }

    static func rules(_ name: String) throws -> TimeZoneRules {
        try TimeZoneRules(tzif: bytes(of: name) ?? [])
    }
}

/// A time zone file in the making (RFC 8536, section 3).
struct ZoneFile {
    var version: UInt8 = 0x32
    var transitions: [(time: Int64, type: UInt8)] = []
    var types: [(offset: Int32, isDaylight: UInt8, designation: UInt8)] = [(0, 0, 0)]
    var designations = [UInt8]("UTC\0".utf8)
    var leapSeconds: Int32 = 0
    var footer = "\n\n"

    /// A file without transitions, whose rule says it all.
    static func rule(_ text: String) -> ZoneFile {
        var file = ZoneFile()
        file.footer = "\n\(text)\n"
        return file
    }

    var bytes: [UInt8] {
        let stub = header(transitions: 0, types: 1, designations: 1) + [0, 0, 0, 0, 0, 0, 0]
        guard version != 0 else { return block(wide: false) }
        return stub + block(wide: true) + Array(footer.utf8)
    }

    var rules: TimeZoneRules {
        get throws { try TimeZoneRules(tzif: bytes) }
    }

    private func header(transitions: Int, types: Int, designations: Int) -> [UInt8] {
        let counts = [0, 0, leapSeconds, Int32(transitions), Int32(types), Int32(designations)]
        return Array("TZif".utf8) + [version] + Array(repeating: 0, count: 15) + counts.flatMap(big)
    }

    private func block(wide: Bool) -> [UInt8] {
        var bytes = header(
            transitions: transitions.count, types: types.count, designations: designations.count)
        for transition in transitions {
            bytes += wide ? big(transition.time) : big(Int32(truncatingIfNeeded: transition.time))
        }
        bytes += transitions.map(\.type)
        for type in types { bytes += big(type.offset) + [type.isDaylight, type.designation] }
        return bytes + designations
    }

    private func big(_ number: some FixedWidthInteger) -> [UInt8] {
        stride(from: number.bitWidth - 8, through: 0, by: -8).map { UInt8(truncatingIfNeeded: number >> $0) }
    }
}
