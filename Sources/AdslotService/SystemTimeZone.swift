internal import Campaigns
internal import LinuxSupport

/// The rules of local time as the system keeps them (tzfile(5)).
enum SystemTimeZone {
    /// The database of time zones.
    private static let database = "/usr/share/zoneinfo"
    /// The file of the system's own zone.
    private static let local = "/etc/localtime"

    /// Why there are no rules to go by.
    struct Fault: Error {
        /// In a sentence.
        let message: String
    }

    /// Reads the rules of a zone.
    /// - Parameter name: its name in the database, nil for the system's own; where that is not set it is UTC,
    ///   as for localtime(3).
    static func rules(_ name: String?) throws(Fault) -> TimeZoneRules {
        let path = name.map { "\(database)/\($0)" } ?? local
        let bytes: [UInt8]
        do throws(SystemError) {
            bytes = try TextFile.read(path, maximum: Campaigns.Limits.zoneBytesMax)
        } catch {
            if name == nil, error.isMissing { return .utc }
            let found = name.map { ", found '\($0)'" } ?? ""
            throw Fault(message: "expected a time zone such as Europe/Berlin\(found): \(error)")
        }
        do throws(TimeZoneError) {
            return try TimeZoneRules(tzif: bytes)
        } catch {
            throw Fault(message: "\(path): \(error)")
        }
    }
}
