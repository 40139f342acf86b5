internal import AdSlots
internal import AdSources
internal import Configuration
internal import LinuxSupport
internal import Varlink

/// Manager.Monitor: all that happens, in one order.
final class EventStream {
    /// The kinds of event, by the names on the wire.
    enum Kind: String {
        case reachability, slot, work, link, source, service
    }

    private let subscribers = Subscribers()
    private var sequence = 0

    func add(_ call: VarlinkCall) {
        subscribers.add(call)
    }

    /// Tells all subscribers. Without any, nothing is encoded.
    /// - Parameter data: writes the members of the kind's own object.
    func send(_ kind: Kind, text: @autoclosure () -> String, data: (inout JSONWriter) -> Void) {
        sequence += 1
        guard !subscribers.isEmpty else { return }
        subscribers.send(
            EncodedReply(continues: true) { writer in
                writer.member("kind", kind.rawValue)
                writer.member("time", SystemClock.realtime())
                writer.member("sequence", sequence)
                writer.member("text", text())
                writer.key("data")
                writer.object(data)
            })
    }
}

// org.adslotd.Manager.
extension Daemon {
    /// The interface as the server offers it.
    func managerInterface() -> VarlinkInterface {
        VarlinkInterface(
            name: "org.adslotd.Manager", description: InterfaceText.manager,
            methods: [
                "GetStatus": .reply { [unowned self] call throws(ParameterError) in
                    try call.expectNoParameters()
                    slots.settle()
                    call.reply(statusReply())
                },
                "Monitor": .stream { [unowned self] call throws(ParameterError) in
                    try call.expectNoParameters()
                    events.add(call)
                },
                "Record": .stream { [unowned self] call throws(ParameterError) in
                    try call.expectNoParameters()
                    guard slots.access.mayOperate(call.peer) else {
                        return call.failNotPermitted("take a flight record", "Manager")
                    }
                    guard flightRecords < Limits.flightRecordsMax else {
                        return call.fail(
                            "org.adslotd.Manager.TooManyRecords",
                            ["maximum": .integer(Int64(Limits.flightRecordsMax))])
                    }
                    flightRecords += 1
                    FlightRecordSender(reachability.flightRecord(), call) { [weak self] in
                        self?.flightRecords -= 1
                    }.send()
                },
                "Reload": .reply { [unowned self] call throws(ParameterError) in
                    try call.expectNoParameters()
                    guard slots.access.mayOperate(call.peer) else {
                        return call.failNotPermitted("reload the configuration", "Manager")
                    }
                    do throws(ConfigurationError) {
                        try reload()
                        call.reply()
                    } catch {
                        call.fail(
                            "org.adslotd.Manager.ConfigurationInvalid",
                            [
                                "file": .string(error.file), "line": .integer(Int64(error.line)),
                                "message": .string(error.message),
                            ])
                    }
                },
            ])
    }

    private func statusReply() -> EncodedReply {
        let statistics = server.statistics
        let wallClock = slots.currentWallClock()
        return EncodedReply { writer in
            writer.member("version", Product.version)
            writer.member("pid", Int(ProcessContext.pid))
            writer.member("started", wallClock.microseconds(at: started))
            writer.key("configuration")
            writer.array { writer in for file in configurationFiles { writer.value(file) } }
            writer.key("reachability")
            writer.object { writer in reachability.published?.write(to: &writer) }
            writer.member(slots: slots.coordinator.slots, wallClock: wallClock)
            writer.member(work: slots.coordinator.work)
            writer.key("sources")
            writer.array { writer in
                for source in slots.sources.settings {
                    let account = slots.sources.account(of: source.name)
                    writer.object { writer in
                        writer.member("name", source.name)
                        writer.member("kind", source.kind.rawValue)
                        writer.member("enabled", true)
                        writer.member("requests", account.requests)
                        writer.member("fills", account.fills)
                        writer.member("lastError", account.lastError?.rawValue)
                    }
                }
            }
            writer.key("schedule")
            if slots.house.ads.isInUse { writer.object(slots.house.write) } else { writer.null() }
            writer.member("clients", statistics.clients)
            writer.member("droppedClients", statistics.droppedClients)
            writer.member("linkEvents", reachability.linkEvents)
            writer.member("resyncs", reachability.resyncs)
        }
    }
}
