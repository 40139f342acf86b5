internal import CLinux
internal import CSystemd
internal import Glibc

/// The protocol with systemd: sd_notify(3) and sd_listen_fds(3). Without systemd all of it does nothing.
public enum ServiceManager {
    /// Tells that the service is ready, with a line for `systemctl status`.
    public static func ready(status: String) {
        notify("READY=1\nSTATUS=\(status)")
    }

    /// Replaces the line that `systemctl status` shows.
    public static func status(_ text: String) {
        notify("STATUS=\(text)")
    }

    /// Tells that a reload has begun; ``ready(status:)`` ends it.
    public static func reloading() {
        notify("RELOADING=1\nMONOTONIC_USEC=\(SystemClock.monotonic())")
    }

    /// Tells that the service is on its way out.
    public static func stopping() {
        notify("STOPPING=1")
    }

    /// The sockets that systemd listens on for this service, in its order, made non-blocking: systemd hands
    /// them over as they are, and the loop must never wait in accept(2).
    /// - Throws: where one of them is no listening stream socket of the Unix domain.
    public static func listeners() throws(SystemError) -> [Int32] {
        let count = try checkNegative("sd_listen_fds", sd_listen_fds(1))
        var descriptors: [Int32] = []
        for descriptor in SD_LISTEN_FDS_START..<(SD_LISTEN_FDS_START + count) {
            let isOurs = try checkNegative(
                "sd_is_socket_unix", sd_is_socket_unix(descriptor, Int32(ADSLOT_SOCK_STREAM), 1, nil, 0))
            guard isOurs > 0 else {
                throw SystemError(
                    operation: "socket activation",
                    subject: "descriptor \(descriptor) (ListenStream= of a path)", code: EPROTOTYPE)
            }
            try UnixSocket.makeNonBlocking(descriptor)
            descriptors.append(descriptor)
        }
        return descriptors
    }

    private static func notify(_ state: String) {
        // A manager that does not listen is no reason to fail: its own time-out speaks then.
        _ = unsafe sd_notify(0, state)
    }
}
