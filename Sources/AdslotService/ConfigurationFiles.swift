internal import Campaigns
public import Configuration
internal import LinuxSupport

/// A configuration file that is refused: which, where, why.
public struct ConfigurationError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The file's path.
    public let file: String
    /// The line, counted from 1; 0 when it is about the file as a whole.
    public let line: Int
    /// What is wrong.
    public let message: String

    /// `file:line: message`, or `file: message`.
    public var description: String {
        line > 0 ? "\(file):\(line): \(message)" : "\(file): \(message)"
    }
}

/// Where the configuration comes from, in systemd's manner.
public struct ConfigurationFiles: Sendable {
    /// The directories of the packaged, the volatile and the local configuration, the stronger last.
    static let systemDirectories = ["/usr/lib/adslotd", "/run/adslotd", "/etc/adslotd"]

    /// The files given on the command line; where there are none, the system's are searched.
    let named: [String]
    let directories: [String]

    /// Takes the files of the command line.
    public init(named: [String]) {
        self.init(named: named, directories: Self.systemDirectories)
    }

    init(named: [String], directories: [String]) {
        self.named = named
        self.directories = directories
    }

    /// Reads all files.
    /// - Returns: the configuration, and the files that it came from in the order of reading.
    public func read() throws(ConfigurationError) -> (configuration: Configuration, files: [String]) {
        let files = try named.isEmpty ? systemFiles() : named
        var contents: [(file: String, content: [UInt8])] = []
        for file in files {
            do throws(SystemError) {
                contents.append(
                    (file, try TextFile.read(file, maximum: Limits.configurationFileBytesMax)))
            } catch {
                throw ConfigurationError(file: file, line: 0, message: error.description)
            }
        }
        return (try Self.configuration(from: contents), files)
    }

    /// What files come to, the later ones replacing what the earlier ones say.
    package static func configuration(
        from contents: [(file: String, content: [UInt8])]
    ) throws(ConfigurationError) -> Configuration {
        var builder = ConfigurationBuilder()
        var origins = Origins()
        for (file, content) in contents {
            do throws(IniFile.Fault) {
                try IniFile.read(content) { entry, line throws(ConfigurationFault) in
                    switch entry {
                    case .section(let header):
                        try builder.open(header)
                        origins.note(section: header, key: nil, file: file, line: line)
                    case .assignment(let section, let key, let value):
                        try builder.set(key, to: value, in: section)
                        origins.note(section: section, key: key, file: file, line: line)
                    }
                }
            } catch {
                throw ConfigurationError(file: file, line: error.line, message: error.message)
            }
        }
        var configuration: Configuration
        do throws(ConfigurationBuilder.CrossFault) {
            configuration = try builder.finish()
        } catch {
            let place = origins.place(section: error.section, key: error.key)
            let key = error.key.map { "\($0)=: " } ?? ""
            throw ConfigurationError(
                file: place.file, line: place.line, message: "[\(error.section)] \(key)\(error.fault)")
        }
        do throws(SystemTimeZone.Fault) {
            configuration.schedule.zone = try configuration.zone()
        } catch {
            let place = origins.place(section: "Schedule", key: "TimeZone")
            throw ConfigurationError(
                file: place.file, line: place.line, message: "[Schedule] TimeZone=: \(error.message)")
        }
        return configuration
    }

    /// The main file of the strongest directory that has one, then the drop-ins of all by name; a drop-in
    /// replaces one of the same name in a weaker directory.
    private func systemFiles() throws(ConfigurationError) -> [String] {
        var main: String?
        var dropIns: [String: String] = [:]
        for directory in directories {
            for name in try names(in: directory) where name == "adslotd.conf" {
                main = "\(directory)/\(name)"
            }
            let folder = "\(directory)/adslotd.conf.d"
            for name in try names(in: folder) where name.hasSuffix(".conf") {
                dropIns[name] = "\(folder)/\(name)"
            }
        }
        return [main].compactMap { $0 } + dropIns.sorted { $0.key < $1.key }.map(\.value)
    }

    private func names(in directory: String) throws(ConfigurationError) -> [String] {
        do throws(SystemError) {
            return try Directory.names(in: directory)
        } catch {
            if error.isMissing { return [] }
            throw ConfigurationError(file: directory, line: 0, message: error.description)
        }
    }
}

extension Configuration {
    /// The rules of the zone that it names. The system's own zone is of no interest to who has no campaigns.
    fileprivate func zone() throws(SystemTimeZone.Fault) -> TimeZoneRules {
        guard schedule.timeZone != nil || sources.contains(where: { $0.kind == .house }) else { return .utc }
        return try SystemTimeZone.rules(schedule.timeZone)
    }
}

/// The place where each section and key was last said, for what only shows once all is read.
private struct Origins {
    private struct Place {
        let file: String
        let line: Int
    }

    private struct Key: Hashable {
        let section: String
        let key: String?
    }

    private var places: [Key: Place] = [:]

    mutating func note(section: String, key: String?, file: String, line: Int) {
        places[Key(section: section, key: key)] = Place(file: file, line: line)
    }

    /// The key's place; where the key is a default, its section's.
    func place(section: String, key: String?) -> (file: String, line: Int) {
        let place = places[Key(section: section, key: key)] ?? places[Key(section: section, key: nil)]
        return (place?.file ?? "(defaults)", place?.line ?? 0)
    }
}
