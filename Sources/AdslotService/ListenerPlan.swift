internal import LinuxSupport

/// Where the daemon listens: on the service manager's sockets, or on one of its own.
struct ListenerPlan: CustomStringConvertible {
    private enum Place {
        case inherited([Int32])
        /// Taken at the start, so that an occupied path is an error before anything else happens.
        case own(path: String, descriptor: Int32)
    }

    private let place: Place

    /// Takes the socket.
    /// - Parameter socketPath: the command line's path, which is preferred to inherited sockets.
    init(socketPath: String?) throws(SystemError) {
        let inherited = try ServiceManager.listeners()
        if socketPath == nil, !inherited.isEmpty {
            place = .inherited(inherited)
            return
        }
        let path = socketPath ?? Product.ownSocket
        try Directory.make(Directory.parent(of: path), mode: 0o755)
        // Reading is for everyone who reaches the socket; what changes things is checked by credentials.
        let socket = try UnixSocket.listen(path: path, mode: 0o666)
        place = .own(path: path, descriptor: socket.release())
    }

    /// The listening descriptors, to be taken over.
    var descriptors: [Int32] {
        switch place {
        case .inherited(let descriptors): descriptors
        case .own(_, let descriptor): [descriptor]
        }
    }

    /// Removes what was made.
    func cleanUp() {
        guard case .own(let path, _) = place else { return }
        // The next start would take it over in any case.
        try? Directory.remove(file: path)
    }

    var description: String {
        switch place {
        case .inherited(let descriptors): "\(descriptors.count) socket(s) of the service manager"
        case .own(let path, _): path
        }
    }
}
