internal import AdslotClient
internal import LinuxSupport
internal import Varlink

/// A slot host that prints what it is told instead of drawing it.
struct TerminalHost {
    private let request: AttachRequest
    private let options: Options
    private let style = Style()

    init(_ request: AttachRequest, _ options: Options) {
        self.request = request
        self.options = options
    }

    /// Hosts the slot until somebody ends the program, or the daemon the attachment.
    func run() throws(Failure) {
        var failure: Failure?
        /// Notes why this is the end.
        func attempt(_ body: () throws(Failure) -> Void) {
            do throws(Failure) { try body() } catch { failure = failure ?? error }
        }
        let host: SlotHost
        do throws(AdslotError) {
            host = try SlotHost(
                slot: request.slot, viewport: Size(width: request.width, height: request.height),
                visible: !request.hidden, name: request.host, socket: options.socketPath
            ) { event in
                attempt { () throws(Failure) in try take(event) }
            }
        } catch {
            throw Failure(code: .refused, message: error.description)
        }
        host.onReply = { reply in
            attempt { () throws(Failure) in
                guard try !Output.json(reply, options.manner) else { return }
                for line in CommandView.lines(reply, style) { try Output.line(line) }
            }
        }
        while failure == nil {
            // A signal is not the end of the wait that matters: what ends the program ends it.
            _ = try? Waiting.wait(for: .readable, on: host.descriptor, milliseconds: -1)
            host.process()
        }
        if let failure { throw failure }
    }

    private func take(_ event: SlotHost.Event) throws(Failure) {
        switch event {
        case .attached, .command:
            // Printed as the replies that they came with.
            break
        case .disconnected(let error, let retryIn):
            guard request.reconnect else { throw Failure(error) }
            let seconds = Double(Int(retryIn / .milliseconds(100))) / 10
            try? StandardStream.error.writeLine("adslotctl: \(error), next attempt in \(seconds) s")
        case .refused(let error):
            throw Failure(error)
        }
    }
}

extension Failure {
    /// Why a host has no slot.
    init(_ error: AdslotError) {
        let code: ExitCode
        switch error {
        case .noDaemon: code = .noDaemon
        case .refused, .disconnected, .malformed, .closed, .system: code = .refused
        }
        self.init(code: code, message: error.description)
    }
}
