internal import AdSlots
internal import Reachability
internal import Varlink

/// Types of org.adslotd.Slots and org.adslotd.Work as the wire shows them.
extension JSONWriter {
    mutating func member(_ key: String, _ size: Size?) {
        self.key(key)
        guard let size else { return null() }
        object { writer in
            writer.member("width", size.width)
            writer.member("height", size.height)
        }
    }

    mutating func member(_ key: String, _ rectangle: Rectangle) {
        self.key(key)
        object { writer in
            writer.member("x", rectangle.x)
            writer.member("y", rectangle.y)
            writer.member("width", rectangle.width)
            writer.member("height", rectangle.height)
        }
    }

    mutating func member(_ key: String, _ creative: Creative?) {
        self.key(key)
        guard let creative else { return null() }
        object { writer in
            writer.member("id", creative.id)
            writer.member("source", creative.source)
            writer.member("mediaType", creative.mediaType)
            writer.member("size", Optional(creative.size))
            writer.member("markup", creative.markup)
            writer.member("path", creative.path)
            writer.member("clickURL", creative.clickURL)
            writer.key("advertiserDomains")
            writer.array { writer in for domain in creative.advertiserDomains { writer.value(domain) } }
        }
    }

    /// Writes an instruction to a host, without null members.
    mutating func value(_ command: Command) {
        object { writer in
            writer.member("kind", command.kind.rawValue)
            writer.member("banner", command.banner.value)
            writer.member("bannerFrame", command.bannerFrame)
            writer.member("contentFrame", command.contentFrame)
            if let creative = command.creative { writer.member("creative", creative) }
            writer.member("reason", command.reason.rawValue)
            writer.member("sequence", command.sequence)
        }
    }

    /// Writes a slot.
    /// - Parameter wallClock: gives the microseconds since the Unix epoch of a moment.
    mutating func value(_ slot: SlotSnapshot, wallClock: WallClock) {
        object { $0.members(of: slot, wallClock: wallClock) }
    }

    /// Writes the members of a slot.
    mutating func members(of slot: SlotSnapshot, wallClock: WallClock) {
        member("name", slot.name)
        member("state", slot.state.rawValue)
        member("placement", slot.placement.rawValue)
        member("host", slot.host)
        member("banner", slot.banner?.value)
        member("creative", slot.creative)
        member("viewport", slot.viewport)
        member("visible", slot.visible)
        member("reason", slot.reason.rawValue)
        member("lastError", slot.lastError?.rawValue)
        member("nextAttempt", slot.nextAttempt.map { Int(wallClock.microseconds(at: $0)) })
        member("requests", slot.requests)
        member("fills", slot.fills)
        member("impressions", slot.impressions)
        member("actions", slot.actions)
        member("disabled", slot.enablement.isDisabled)
        member("disabledUntil", slot.enablement.until.map { Int(wallClock.microseconds(at: $0)) })
    }

    /// Writes a piece of work.
    mutating func value(_ work: WorkSnapshot) {
        object { $0.members(of: work) }
    }

    /// Writes the members of a piece of work.
    mutating func members(of work: WorkSnapshot) {
        member("name", work.name)
        member("kind", work.kind.rawValue)
        member("state", work.state.rawValue)
        key("actions")
        array { writer in for action in work.actions { writer.value(action.value) } }
        member("pauses", work.pauses)
        member("lastPauseMicroseconds", work.lastPause.map { Int($0.microseconds) })
    }

    /// Writes what a piece of work is told.
    mutating func value(_ instruction: Instruction) {
        object { writer in
            writer.member("kind", instruction.kind.rawValue)
            writer.member("token", instruction.token)
            if let action = instruction.action { writer.member("action", action.value) }
            writer.member("reason", instruction.reason)
        }
    }
}
