/// A daemon on a wired network with a banner on screen, for tests of what happens when it is touched.
struct Stage {
    /// Work has all the time that it needs.
    static let patient = "[Actions]\nPauseTimeout=1min\n"

    let network: Network
    let daemon: DaemonProcess
    let host: Host

    init(
        _ configuration: String = Stage.patient, holds: DaemonProcess.Holds = .short,
        environment: [String: String] = [:]
    ) throws {
        network = try Network()
        try network.wired()
        daemon = try DaemonProcess(
            in: network, BannerTests.eager + configuration, holds: holds, environment: environment)
        host = try Host(on: daemon)
        try host.waitUntilShown()
    }
}
