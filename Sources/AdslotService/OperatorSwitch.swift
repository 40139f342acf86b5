internal import AdSlots
internal import LinuxSupport
internal import Reachability
internal import Varlink

// The operator's switch of org.adslotd.Slots.
extension SlotService {
    func disable(_ call: VarlinkCall) throws(ParameterError) {
        let (slot, microseconds) = try call.read { parameters throws(ParameterError) in
            (try parameters.string("slot"), try parameters.optionalInt("forMicroseconds"))
        }
        let duration = microseconds.map { Duration.microseconds($0) }
        guard duration.map({ $0 > .zero && $0 <= AdSlots.Limits.disableDurationMax }) ?? true else {
            throw ParameterError("forMicroseconds")
        }
        let now = Instant(microseconds: SystemClock.boottime())
        flip(call, slot, to: .disabled(until: duration.map { now + $0 }))
    }

    func enable(_ call: VarlinkCall) throws(ParameterError) {
        let slot = try call.read { parameters throws(ParameterError) in try parameters.string("slot") }
        flip(call, slot, to: .enabled)
    }

    private func flip(_ call: VarlinkCall, _ slot: String, to enablement: Enablement) {
        guard access.mayOperate(call.peer) else {
            return call.failNotPermitted("disable or enable slots", "Slots")
        }
        for case .enablementRefused(let slot, let known) in handle(.setEnablement(slot: slot, enablement)) {
            return call.failUnknownSlot(slot, known: known)
        }
        call.reply()
    }
}
