internal import AdSlots
public import Reachability

/// Something that a scenario brought about: an effect of the coordinator, or a notification.
public struct Report: Hashable, Sendable {
    /// A field's value.
    public enum Value: Hashable, Sendable {
        /// Text.
        case text(String)
        /// A whole number; moments and spans are in microseconds.
        case number(Int64)
        /// Yes or no.
        case flag(Bool)
        /// Fields of their own.
        case object([Field])
        /// Nothing.
        case none
    }

    /// A name and a value.
    public struct Field: Hashable, Sendable {
        /// The name.
        public let name: String
        /// The value.
        public let value: Value

        init(_ name: String, _ value: Value) {
            self.name = name
            self.value = value
        }
    }

    /// When it happened.
    public let at: Instant
    /// What it is: `reachability`, `link`, `restart`, or the name of an effect.
    public let kind: String
    /// What belongs to the kind.
    public let fields: [Field]
}

extension Report {
    init(_ kind: String, at now: Instant, _ fields: [(String, Value)] = []) {
        self.init(at: now, kind: kind, fields: fields.map { Field($0.0, $0.1) })
    }

    /// A change of reachability.
    init(_ change: ReachabilityChange, at now: Instant) {
        switch change {
        case .posted(let state): self.init("reachability", at: now, Report.fields(of: state))
        case .detail(let state): self.init("link", at: now, Report.fields(of: state))
        }
    }

    private static func fields(of state: ReachabilityState) -> [(String, Value)] {
        [
            ("status", .text(state.status.rawValue)), ("reachable", .flag(state.reachable)),
            ("connectionRequired", .flag(state.connectionRequired)), ("expensive", .flag(state.expensive)),
            ("ipv4", .flag(state.ipv4)), ("ipv6", .flag(state.ipv6)),
            ("interface", .optional(state.interface)), ("tunnel", .optional(state.tunnel)),
            ("reason", .text(state.reason.rawValue)), ("held", .flag(state.held)),
            ("sequence", .number(Int64(state.sequence))),
        ]
    }
}

/// The names by which the effects' identifiers are known outside.
struct ReportNames {
    /// The slot of a host.
    var slot: (HostID) -> String
    /// The name of a piece of work.
    var work: (WorkID) -> String
    /// The label of a begun action.
    var begin: (BeginID) -> String
}

extension Report {
    /// An effect.
    init(_ effect: Effect, at now: Instant, names: ReportNames) {
        switch effect {
        case .attached(let host): self.init("attached", at: now, [("slot", .text(names.slot(host)))])
        case .attachRefused(let host, let refusal):
            self.init(
                "attachRefused", at: now,
                [("slot", .text(names.slot(host))), ("reason", .text(refusal.word))])
        case .updateRefused(let host, let refusal):
            self.init(
                "updateRefused", at: now,
                [("slot", .text(names.slot(host))), ("reason", .text(refusal.word))])
        case .command(let host, let command):
            self.init(
                "command", at: now,
                [("slot", .text(names.slot(host))), ("command", .object(Report.fields(of: command)))])
        case .hostDropped(let host, let drop):
            self.init(
                "hostDropped", at: now,
                [("slot", .text(names.slot(host))), ("reason", .text(drop.rawValue))])
        case .request(let request):
            self.init(
                "request", at: now,
                [
                    ("request", .number(Int64(request.id.value))), ("slot", .text(request.slot)),
                    ("source", .text(request.source.name)), ("size", .size(request.size)),
                    ("deadline", .number(request.deadline.microseconds)),
                ])
        case .cancel(let request):
            self.init("cancel", at: now, [("request", .number(Int64(request.value)))])
        case .filled(let slot, let creative):
            self.init("filled", at: now, [("slot", .text(slot)), ("creative", .creative(creative))])
        case .dropped(let slot, let creative):
            self.init("dropped", at: now, [("slot", .text(slot)), ("creative", .creative(creative))])
        case .sourceFailed(let slot, let source, let error):
            self.init(
                "sourceFailed", at: now,
                [("slot", .text(slot)), ("source", .text(source)), ("error", .text(error.rawValue))])
        case .impression(let impression):
            self.init(
                "impression", at: now,
                [
                    ("slot", .text(impression.slot)), ("creative", .creative(impression.creative)),
                    ("start", .number(impression.start.microseconds)),
                    ("visible", .number(impression.visible.microseconds)),
                ])
        case .leftScreen(let time):
            self.init(
                "leftScreen", at: now,
                [
                    ("slot", .text(time.slot)), ("creative", .creative(time.creative)),
                    ("visible", .number(time.visible.microseconds)), ("counted", .flag(time.isCounted)),
                ])
        case .beginAnswered, .actionStarted, .actionEnded, .finishRefused:
            self.init(action: effect, at: now, names: names)
        case .registered, .registerRefused, .instruct, .pauseUnanswered, .tokenRefused, .workChanged:
            self.init(work: effect, at: now, names: names)
        case .enablementRefused(let slot, _): self.init("enablementRefused", at: now, [("slot", .text(slot))])
        case .slotChanged(let slot): self.init("slotChanged", at: now, [("slot", .text(slot))])
        }
    }

    private init(action effect: Effect, at now: Instant, names: ReportNames) {
        switch effect {
        case .beginAnswered(let begin, .allowed(let action)):
            self.init(
                "beginAnswered", at: now,
                [
                    ("label", .text(names.begin(begin))), ("allowed", .flag(true)),
                    ("action", .number(Int64(action.value))),
                ])
        case .beginAnswered(let begin, .refused(let refusal)):
            self.init(
                "beginAnswered", at: now,
                [
                    ("label", .text(names.begin(begin))), ("allowed", .flag(false)),
                    ("reason", .text(refusal.word)),
                ])
        case .actionStarted(let action, let slot, let creative, let leaves):
            self.init(
                "actionStarted", at: now,
                [
                    ("action", .number(Int64(action.value))), ("slot", .text(slot)),
                    ("creative", .creative(creative)), ("leavesApplication", .flag(leaves)),
                ])
        case .actionEnded(let action, let slot, let end):
            self.init(
                "actionEnded", at: now,
                [
                    ("action", .number(Int64(action.value))), ("slot", .text(slot)),
                    ("reason", .text(end.rawValue)),
                ])
        case .finishRefused(let host, let action):
            self.init(
                "finishRefused", at: now,
                [("slot", .text(names.slot(host))), ("action", .number(Int64(action.value)))])
        default: preconditionFailure("\(effect) is not about an action")
        }
    }

    private init(work effect: Effect, at now: Instant, names: ReportNames) {
        switch effect {
        case .registered(let work): self.init("registered", at: now, [("work", .text(names.work(work)))])
        case .registerRefused(let work, let refusal):
            self.init(
                "registerRefused", at: now,
                [("work", .text(names.work(work))), ("reason", .text(refusal.word))])
        case .instruct(let work, let instruction):
            self.init(
                "instruct", at: now,
                [
                    ("work", .text(names.work(work))), ("instruction", .text(instruction.kind.rawValue)),
                    ("token", .number(Int64(instruction.token))),
                    ("action", instruction.action.map { .number(Int64($0.value)) } ?? .none),
                    ("reason", .text(instruction.reason)),
                ])
        case .pauseUnanswered(let work):
            self.init("pauseUnanswered", at: now, [("work", .text(names.work(work)))])
        case .tokenRefused(let work, let token, let refusal):
            self.init(
                "tokenRefused", at: now,
                [
                    ("work", .text(names.work(work))), ("token", .number(Int64(token))),
                    ("reason", .text("\(refusal)")),
                ])
        case .workChanged(let work): self.init("workChanged", at: now, [("work", .text(names.work(work)))])
        default: preconditionFailure("\(effect) is not about work")
        }
    }

    private static func fields(of command: Command) -> [Field] {
        [
            Field("kind", .text(command.kind.rawValue)),
            Field("banner", .number(Int64(command.banner.value))),
            Field("bannerFrame", .rectangle(command.bannerFrame)),
            Field("contentFrame", .rectangle(command.contentFrame)),
            Field("creative", command.creative.map { .creative($0) } ?? .none),
            Field("reason", .text(command.reason.rawValue)),
            Field("sequence", .number(Int64(command.sequence))),
        ]
    }
}

extension Report.Value {
    fileprivate static func optional(_ text: String?) -> Report.Value { text.map { .text($0) } ?? .none }

    fileprivate static func size(_ size: Size) -> Report.Value {
        .object([
            Report.Field("width", .number(Int64(size.width))),
            Report.Field("height", .number(Int64(size.height))),
        ])
    }

    fileprivate static func rectangle(_ frame: Rectangle) -> Report.Value {
        .object([
            Report.Field("x", .number(Int64(frame.x))), Report.Field("y", .number(Int64(frame.y))),
            Report.Field("width", .number(Int64(frame.width))),
            Report.Field("height", .number(Int64(frame.height))),
        ])
    }

    /// What tells creatives apart; the markup is left out.
    fileprivate static func creative(_ creative: Creative) -> Report.Value {
        .object([
            Report.Field("id", .text(creative.id)), Report.Field("source", .text(creative.source)),
            Report.Field("size", .size(creative.size)),
            Report.Field("expires", creative.expires.map { .number($0.microseconds) } ?? .none),
        ])
    }
}

extension AttachRefusal {
    /// The refusal by the name of its error in the interface.
    var word: String {
        switch self {
        case .unknownSlot: "UnknownSlot"
        case .slotTaken: "SlotTaken"
        case .invalidViewport: "InvalidViewport"
        }
    }
}

extension UpdateRefusal {
    fileprivate var word: String {
        switch self {
        case .invalidViewport: "InvalidViewport"
        case .notAttached: "UnknownLease"
        }
    }
}

extension RegisterRefusal {
    fileprivate var word: String {
        switch self {
        case .nameTaken: "NameTaken"
        case .invalidName: "InvalidName"
        case .tooMany: "TooMany"
        }
    }
}
