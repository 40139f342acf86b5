internal import AdSlots
internal import LinuxSupport
internal import Varlink

// org.adslotd.Slots.
extension SlotService {
    /// The interface as the server offers it.
    func slotsInterface() -> VarlinkInterface {
        VarlinkInterface(
            name: "org.adslotd.Slots", description: InterfaceText.slots,
            methods: [
                "Attach": .stream { [unowned self] call throws(ParameterError) in try attach(call) },
                "Update": .reply { [unowned self] call throws(ParameterError) in try update(call) },
                "BeginAction": .reply { [unowned self] call throws(ParameterError) in try beginAction(call) },
                "FinishAction": .reply { [unowned self] call throws(ParameterError) in try finishAction(call)
                },
                "List": .reply { [unowned self] call throws(ParameterError) in
                    try call.expectNoParameters()
                    settle()
                    call.reply(
                        EncodedReply { [clock = currentWallClock()] writer in
                            writer.member(slots: coordinator.slots, wallClock: clock)
                        })
                },
                "Explain": .reply { [unowned self] call throws(ParameterError) in try explain(call) },
                "Disable": .reply { [unowned self] call throws(ParameterError) in try disable(call) },
                "Enable": .reply { [unowned self] call throws(ParameterError) in try enable(call) },
            ])
    }

    private func attach(_ call: VarlinkCall) throws(ParameterError) {
        let (slot, viewport, visible, host) = try call.read { parameters throws(ParameterError) in
            (
                try parameters.string("slot"), try parameters.object("viewport", readSize),
                try parameters.optionalBool("visible"), try parameters.optionalString("host")
            )
        }
        guard host.map({ $0.utf8.count <= AdSlots.Limits.nameBytesMax && $0 == $0.printable }) ?? true else {
            throw ParameterError("host")
        }
        guard access.mayHost(call.peer) else { return call.failNotPermitted("host slots", "Slots") }
        attach(call, slot: slot, viewport: viewport, visible: visible ?? true, name: host)
    }

    private func update(_ call: VarlinkCall) throws(ParameterError) {
        let (lease, viewport, visible) = try call.read { parameters throws(ParameterError) in
            (
                try parameters.string("lease"), try parameters.optionalObject("viewport", readSize),
                try parameters.optionalBool("visible")
            )
        }
        guard let host = host(lease, call) else { return }
        let effects = handle(.update(host: host, viewport: viewport, visible: visible))
        for case .updateRefused(host, let refusal) in effects {
            switch refusal {
            case .invalidViewport(let size, let message): return call.failInvalidViewport(size, message)
            case .notAttached: return call.fail("org.adslotd.Slots.UnknownLease")
            }
        }
        call.reply()
    }

    private func beginAction(_ call: VarlinkCall) throws(ParameterError) {
        let (lease, banner, leaves) = try call.read { parameters throws(ParameterError) in
            (
                try parameters.string("lease"), try parameters.int("banner"),
                try parameters.optionalBool("leavesApplication")
            )
        }
        guard let host = host(lease, call) else { return }
        begin(call, host: host, banner: BannerID(banner), leavesApplication: leaves ?? false)
    }

    private func finishAction(_ call: VarlinkCall) throws(ParameterError) {
        let (lease, number) = try call.read { parameters throws(ParameterError) in
            (try parameters.string("lease"), try parameters.int("action"))
        }
        guard let host = host(lease, call) else { return }
        let action = ActionID(number)
        guard !handle(.finishAction(host: host, action: action)).contains(.finishRefused(host, action)) else {
            return call.fail("org.adslotd.Slots.UnknownAction", ["action": .integer(Int64(number))])
        }
        call.reply()
    }

    private func explain(_ call: VarlinkCall) throws(ParameterError) {
        let name = try call.read { parameters throws(ParameterError) in try parameters.string("slot") }
        settle()
        guard let slot = coordinator.slot(named: name), let steps = coordinator.explain(slot: name) else {
            return call.failUnknownSlot(name, known: coordinator.slotNames)
        }
        let clock = currentWallClock()
        let campaigns = house.explanation(slot: name, size: coordinator.wantedSize(slot: name))
        call.reply(
            EncodedReply { writer in
                writer.key("slot")
                writer.value(slot, wallClock: clock)
                writer.key("steps")
                writer.array { writer in
                    for step in steps { writer.value(step.line(clock)) }
                    for line in campaigns { writer.value(line) }
                }
            })
    }

    /// The host behind a lease; where there is none, the call is answered.
    private func host(_ lease: String, _ call: VarlinkCall) -> HostID? {
        if case .host(let host) = leases.holder(of: lease, user: call.peer.uid) { return host }
        call.fail("org.adslotd.Slots.UnknownLease")
        return nil
    }
}

// org.adslotd.Work.
extension SlotService {
    /// The interface as the server offers it.
    func workInterface() -> VarlinkInterface {
        VarlinkInterface(
            name: "org.adslotd.Work", description: InterfaceText.work,
            methods: [
                "Register": .stream { [unowned self] call throws(ParameterError) in try register(call) },
                "Acknowledge": .reply { [unowned self] call throws(ParameterError) in
                    let (lease, token) = try call.read { parameters throws(ParameterError) in
                        (try parameters.string("lease"), try parameters.int("token"))
                    }
                    answer(call, lease: lease) { .acknowledged(work: $0, token: token) }
                },
                "Veto": .reply { [unowned self] call throws(ParameterError) in
                    let (lease, token, reason) = try call.read { parameters throws(ParameterError) in
                        (
                            try parameters.string("lease"), try parameters.int("token"),
                            try parameters.string("reason")
                        )
                    }
                    answer(call, lease: lease) { .vetoed(work: $0, token: token, reason: reason) }
                },
                "List": .reply { [unowned self] call throws(ParameterError) in
                    try call.expectNoParameters()
                    settle()
                    call.reply(EncodedReply { $0.member(work: coordinator.work) })
                },
            ])
    }

    private func answer(_ call: VarlinkCall, lease: String, _ event: (WorkID) -> Event) {
        guard case .work(let work) = leases.holder(of: lease, user: call.peer.uid) else {
            return call.fail("org.adslotd.Work.UnknownLease")
        }
        guard !pauser.paces(work) else {
            return call.failNotPermitted("answer for work that the daemon pauses itself", "Work")
        }
        for case .tokenRefused(work, let token, let refusal) in handle(event(work)) {
            switch refusal {
            case .unknownToken:
                return call.fail("org.adslotd.Work.UnknownToken", ["token": .integer(Int64(token))])
            case .unknownWork:
                return call.fail("org.adslotd.Work.UnknownLease")
            case .mayNotVeto:
                return call.failNotPermitted("veto without mayVeto", "Work")
            }
        }
        call.reply()
    }
}

private func readSize(_ parameters: inout Parameters) throws(ParameterError) -> Size {
    Size(width: try parameters.int("width"), height: try parameters.int("height"))
}

extension JSONWriter {
    /// Writes the member `slots`.
    mutating func member(slots: [SlotSnapshot], wallClock clock: WallClock) {
        key("slots")
        array { writer in for slot in slots { writer.value(slot, wallClock: clock) } }
    }

    /// Writes the member `work`.
    mutating func member(work: [WorkSnapshot]) {
        key("work")
        array { writer in for item in work { writer.value(item) } }
    }
}

extension VarlinkCall {
    /// Answers that the caller may not do `what`.
    /// - Parameter interface: the last label of the interface whose error it is.
    func failNotPermitted(_ what: String, _ interface: String) {
        fail(
            "org.adslotd.\(interface).NotPermitted",
            ["message": .string("user \(peer.uid) may not \(what)")])
    }
}
