public import LinuxSupport
public import Reachability

/// Finds the addresses of hosts without ever blocking the event loop: the hosts file first, then the name
/// servers of resolv.conf, over c-ares.
///
///     let resolver = NameResolver(loop: loop)
///     resolution = try resolver.resolve(Host("example.com")) { result in … }
///
/// Both files are read once, and again only after they have changed.
public final class NameResolver {
    /// Where it looks, and how long.
    public struct Options: Sendable {
        /// The hosts file.
        public var hostsFile = "/etc/hosts"
        /// The file that names the servers and search domains.
        public var resolverFile = "/etc/resolv.conf"
        /// Servers to ask in place of the file's: `ADDRESS[:PORT]` with commas between them.
        public var servers: String?
        /// How long one name may take altogether, in microseconds.
        public var resolutionMicroseconds = Limits.resolutionMicroseconds

        /// Creates the system's.
        public init() {}
    }

    /// Is called when the hosts file or resolv.conf has changed, so that old answers may be wrong.
    public var onConfigurationChange: () -> Void = {}
    /// Is told what could not be read and is done without.
    public var onNotice: (SystemError) -> Void = { _ in }
    /// Names that are being asked for.
    public private(set) var resolutions = 0

    private let loop: EventLoop
    private let options: Options
    private var configuration: AresConfiguration?
    private var hosts: HostsFile?
    private var resolverWatch: FileWatch?
    private var hostsWatch: FileWatch?

    /// Creates a resolver; files are read with the first name.
    public init(loop: EventLoop, options: Options = Options()) {
        self.loop = loop
        self.options = options
        resolverWatch = FileWatch(loop: loop, path: options.resolverFile) { [unowned self] in
            configuration = nil
            onConfigurationChange()
        }
        hostsWatch = FileWatch(loop: loop, path: options.hostsFile) { [unowned self] in
            hosts = nil
            onConfigurationChange()
        }
    }

    /// Finds the addresses of a host.
    ///
    /// - Parameter completion: is called once from the event loop, never before this returns, and not at all
    ///   once the resolution has been cancelled or let go of.
    /// - Throws: when the loop takes no further source.
    public func resolve(
        _ host: Host, completion: @escaping (Result<ResolvedHost, ResolutionFailure>) -> Void
    ) throws(SystemError) -> Resolution {
        guard resolutions < Limits.resolutionsMax else {
            return try Resolution(loop: loop, decided: .failure(.busy), onEnd: {}, completion: completion)
        }
        resolutions += 1
        let onEnd = { [weak self] in
            guard let self else { return }
            resolutions -= 1
        }
        switch host {
        case .address(let address):
            let known = ResolvedHost([address], lifetime: Limits.localLifetime)
            return try Resolution(loop: loop, decided: .success(known), onEnd: onEnd, completion: completion)
        case .name(let name):
            if let known = knownHere(name) {
                return try Resolution(
                    loop: loop, decided: .success(known), onEnd: onEnd, completion: completion)
            }
            switch openChannels() {
            case .success(let channels):
                return try Resolution(
                    loop: loop, asking: channels, for: name, within: options.resolutionMicroseconds,
                    onEnd: onEnd, completion: completion)
            case .failure(let failure):
                return try Resolution(
                    loop: loop, decided: .failure(failure), onEnd: onEnd, completion: completion)
            }
        }
    }

    /// What needs no server: the hosts file, and the names that always mean this machine (RFC 6761, 6.3).
    private func knownHere(_ name: String) -> ResolvedHost? {
        let name = name.hasSuffix(".") ? String(name.dropLast()) : name
        let listed = currentHosts().addresses(of: name)
        if !listed.isEmpty { return ResolvedHost(listed, lifetime: Limits.localLifetime) }
        guard name == "localhost" || name.hasSuffix(".localhost") else { return nil }
        let loopback = ["127.0.0.1", "::1"].compactMap { IPAddress($0) }
        return ResolvedHost(loopback, lifetime: Limits.localLifetime)
    }

    private func currentHosts() -> HostsFile {
        if hostsWatch?.check() == true { hosts = nil }
        if let hosts { return hosts }
        var content: [UInt8] = []
        do throws(SystemError) {
            content = try TextFile.read(options.hostsFile, maximum: Limits.hostsFileBytesMax)
        } catch {
            if !error.isMissing { onNotice(error) }
        }
        let read = HostsFile(content)
        hosts = read
        return read
    }

    private func currentConfiguration() throws(ResolutionFailure) -> AresConfiguration {
        if resolverWatch?.check() == true { configuration = nil }
        if let configuration { return configuration }
        let read = try AresConfiguration(file: options.resolverFile, servers: options.servers)
        configuration = read
        return read
    }

    private func openChannels() -> Result<[AresChannel], ResolutionFailure> {
        do throws(ResolutionFailure) {
            let current = try currentConfiguration()
            var channels: [AresChannel] = []
            for family in AddressFamily.allCases {
                channels.append(try AresChannel(loop: loop, configuration: current, family: family))
            }
            return .success(channels)
        } catch {
            return .failure(error)
        }
    }
}
