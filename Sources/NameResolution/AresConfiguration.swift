internal import CAres

/// The name servers and search domains as they stand, read from resolv.conf once: channels are copied from
/// it without another look at any file.
@safe
final class AresConfiguration {
    private let template: OpaquePointer

    private static let library = ares_library_init(ARES_LIB_INIT_ALL)

    /// Reads the file.
    /// - Parameters:
    ///   - file: the path of resolv.conf.
    ///   - servers: servers to be asked in place of those in the file, as `ares_set_servers_ports_csv(3)`
    ///     takes them.
    init(file: String, servers: String?) throws(ResolutionFailure) {
        try Self.check(Self.library)
        var created: OpaquePointer?
        var options = unsafe ares_options()
        // Aliases are read from a file that the environment names, anew for each question.
        unsafe options.flags = ARES_FLAG_NOALIASES
        unsafe options.timeout = Limits.serverMilliseconds
        unsafe options.tries = Limits.roundsMax
        let mask =
            ARES_OPT_FLAGS | ARES_OPT_TIMEOUTMS | ARES_OPT_TRIES | ARES_OPT_LOOKUPS | ARES_OPT_RESOLVCONF
        // The DNS alone: the hosts file is searched here, since c-ares would read it for each question.
        var lookups = Array("b".utf8CString)
        var path = Array(file.utf8CString)
        let status = unsafe lookups.withUnsafeMutableBufferPointer { lookups in
            unsafe path.withUnsafeMutableBufferPointer { path in
                unsafe options.lookups = lookups.baseAddress
                unsafe options.resolvconf_path = path.baseAddress
                return unsafe ares_init_options(&created, &options, mask)
            }
        }
        try Self.check(status)
        guard let created = unsafe created else { throw .resolver("no channel") }
        unsafe template = created
        if let servers { try unsafe Self.check(ares_set_servers_ports_csv(template, servers)) }
    }

    deinit {
        unsafe ares_destroy(template)
    }

    /// Copies the configuration into a channel of its own, after the manner of ares_dup(3), which would keep
    /// the template's socket callback.
    func makeChannel(
        socketContext: UnsafeMutableRawPointer, onSocket: @escaping ares_sock_state_cb
    ) throws(ResolutionFailure) -> OpaquePointer {
        var options = unsafe ares_options()
        var mask: Int32 = 0
        let saved = unsafe ares_save_options(template, &options, &mask)
        defer { unsafe ares_destroy_options(&options) }
        try Self.check(saved)
        unsafe options.sock_state_cb = onSocket
        unsafe options.sock_state_cb_data = socketContext
        var created: OpaquePointer?
        try unsafe Self.check(ares_init_options(&created, &options, mask | ARES_OPT_SOCK_STATE_CB))
        guard let created = unsafe created else { throw .resolver("no channel") }
        // The options carry only IPv4 servers on the usual port.
        var servers: UnsafeMutablePointer<ares_addr_port_node>?
        var status = unsafe ares_get_servers_ports(template, &servers)
        if Int(status) == ADSLOT_ARES_SUCCESS, let servers = unsafe servers {
            status = unsafe ares_set_servers_ports(created, servers)
            unsafe ares_free_data(servers)
        }
        do throws(ResolutionFailure) {
            try Self.check(status)
        } catch {
            unsafe ares_destroy(created)
            throw error
        }
        return unsafe created
    }

    private static func check(_ status: Int32) throws(ResolutionFailure) {
        guard Int(status) != ADSLOT_ARES_SUCCESS else { return }
        throw .resolver(text(of: status))
    }

    static func text(of status: Int32) -> String {
        guard let text = unsafe ares_strerror(status) else { return "error \(status)" }
        return unsafe String(cString: text)
    }
}
