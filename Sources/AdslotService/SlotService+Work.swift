internal import AdSlots
internal import LinuxSupport
internal import Varlink

// Work, as the coordinator has it paused.
extension SlotService {
    /// Begins a registration; the coordinator's answer completes or refuses it.
    /// - Parameter target: what the daemon pauses itself, nil for work that does so when told.
    func register(
        _ call: VarlinkCall, name: String, kind: WorkKind, mayVeto: Bool, target: (any PauseTarget)? = nil
    ) {
        let work = WorkID(nextID())
        works[work] = call
        if let target { pauser.add(work, name: name, target) }
        call.onEnd { [unowned self] in forget(work) }
        handle(.register(work: work, name: name, kind: kind, mayVeto: mayVeto))
    }

    func grantWork(_ work: WorkID) {
        guard let call = works[work] else { return }
        let lease = leases.issue(to: .work(work), user: call.peer.uid)
        call.replyContinuing(["lease": .string(lease)])
    }

    func refuseWork(_ work: WorkID, _ refusal: RegisterRefusal) {
        pauser.remove(work)
        guard let call = works.removeValue(forKey: work) else { return }
        switch refusal {
        case .nameTaken(let name): call.fail("org.adslotd.Work.NameTaken", ["name": .string(name)])
        case .invalidName(let message):
            call.failInvalidTarget(message)
        case .tooMany(let max):
            call.failInvalidTarget("\(max) pieces of work are registered")
        }
    }

    func tell(_ work: WorkID, _ instruction: Instruction) {
        pauser.instruct(work, instruction)
        guard let call = works[work] else { return }
        call.reply(
            EncodedReply(continues: true) { writer in
                writer.key("instruction")
                writer.value(instruction)
            })
    }

    func forget(_ work: WorkID) {
        leases.withdraw(.work(work))
        guard works.removeValue(forKey: work) != nil else { return }
        handle(.workGone(work: work), then: .letGo(work))
    }

    /// What the work names is no longer there: the registration ends and says why.
    func endWork(_ work: WorkID, because text: String) {
        guard let call = works[work] else { return }
        forget(work)
        call.failInvalidTarget(text)
    }
}
