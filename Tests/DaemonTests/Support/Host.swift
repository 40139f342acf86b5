import Testing
import Varlink

/// A program that hosts a slot: it carries out the daemon's commands and keeps what is on its screen. A command
/// that no host could carry out is an issue.
final class Host {
    /// A place on the screen.
    struct Rectangle: Equatable {
        var x, y, width, height: Int64

        init(_ x: Int64, _ y: Int64, _ width: Int64, _ height: Int64) {
            (self.x, self.y, self.width, self.height) = (x, y, width, height)
        }

        init(_ value: JSONValue?) throws {
            x = try #require(value?["x"]?.integer)
            y = try #require(value?["y"]?.integer)
            width = try #require(value?["width"]?.integer)
            height = try #require(value?["height"]?.integer)
        }
    }

    /// An instruction of the daemon.
    struct Command {
        let kind: String
        let banner: Int64
        let bannerFrame: Rectangle
        let contentFrame: Rectangle
        let creative: JSONObject?
        let reason: String
        let sequence: Int64

        init(_ value: JSONValue) throws {
            kind = try #require(value["kind"]?.string)
            banner = try #require(value["banner"]?.integer)
            bannerFrame = try Rectangle(value["bannerFrame"])
            contentFrame = try Rectangle(value["contentFrame"])
            creative = value["creative"]?.object
            reason = try #require(value["reason"]?.string)
            sequence = try #require(value["sequence"]?.integer)
        }
    }

    /// A banner view.
    struct Banner {
        let id: Int64
        var frame: Rectangle
        var creative: JSONObject?
        var isShown = false
    }

    /// The banner view, `nil` when there is none.
    private(set) var banner: Banner?
    /// The place of the host's own content; the whole viewport at the start.
    private(set) var content: Rectangle
    /// All commands so far.
    private(set) var commands: [Command] = []
    /// What its calls are allowed by.
    let lease: String

    private let daemon: DaemonProcess
    private let replies: Replies
    private let calls: Connection
    private var released: Set<Int64> = []

    /// Attaches to a slot.
    init(
        on daemon: DaemonProcess, slot: String = "banner", width: Int64 = 360, height: Int64 = 640,
        visible: Bool? = nil, name: String? = nil
    ) throws {
        var parameters: JSONObject = ["slot": .string(slot), "viewport": Self.size(width, height)]
        if let visible { parameters["visible"] = .bool(visible) }
        if let name { parameters["host"] = .string(name) }
        self.daemon = daemon
        calls = try daemon.connect()
        replies = try daemon.connect().open("org.adslotd.Slots.Attach", parameters)
        let reply = try replies.next()
        lease = try reply.text("lease")
        content = Rectangle(0, 0, width, height)
        if reply["command"].map({ !$0.isNull }) ?? false { Issue.record("the first reply carries a command") }
    }

    static func size(_ width: Int64, _ height: Int64) -> JSONValue {
        ["width": .integer(width), "height": .integer(height)]
    }

    /// Whether an advertisement can be seen.
    var isShowing: Bool { banner?.isShown ?? false }

    /// The kinds of all commands so far.
    var kinds: [String] { commands.map(\.kind) }

    /// Waits for the next command, which must be of this kind.
    @discardableResult
    func expect(_ kind: String, sourceLocation: SourceLocation = #_sourceLocation) throws -> Command {
        guard let command = try next(within: Deadline.patience) else {
            throw NotInTime(what: "command \(kind)", account: account)
        }
        #expect(command.kind == kind, "after \(kinds.dropLast())", sourceLocation: sourceLocation)
        return command
    }

    /// Waits until an advertisement is on screen, whatever comes before it.
    func waitUntilShown() throws {
        while !isShowing {
            guard try next(within: Deadline.patience) != nil else {
                throw NotInTime(what: "a banner on screen", account: account)
            }
        }
    }

    /// No command may come for so long.
    func expectNothing(for duration: Duration, sourceLocation: SourceLocation = #_sourceLocation) throws {
        if let command = try next(within: duration) {
            Issue.record("command \(command)", sourceLocation: sourceLocation)
        }
    }

    /// Carries out the next command; `nil` when none came in time.
    func next(within duration: Duration) throws -> Command? {
        guard let reply = try replies.next(within: duration) else { return nil }
        let command = try Command(try #require(reply["command"]))
        carryOut(command)
        return command
    }

    /// Waits for the error with which the daemon lets this host go.
    func end() throws -> String {
        do {
            while try next(within: Deadline.patience) != nil {}
            throw NotInTime(what: "the end of the attachment", account: account)
        } catch let refusal as Refusal {
            return refusal.name
        }
    }

    /// The process is gone: all its connections are closed.
    func die() {
        replies.close()
        calls.close()
    }

    /// What it was told, and the daemon's log, for a failing test.
    private var account: String { "told: \(kinds)\n\(daemon.log.text)" }

    /// Closes the connection of its calls; the slot stays its own.
    func closeCalls() { calls.close() }

    private func carryOut(_ command: Command) {
        if let last = commands.last, command.sequence <= last.sequence {
            Issue.record("sequence: \(command)")
        }
        commands.append(command)
        switch (command.kind, banner) {
        case ("create", nil):
            if released.contains(command.banner) { Issue.record("a released banner comes back: \(command)") }
            banner = Banner(id: command.banner, frame: command.bannerFrame)
        case ("show", var view?) where view.id == command.banner:
            guard let creative = command.creative else {
                Issue.record("a blank banner: \(command)")
                return
            }
            (view.frame, view.creative, view.isShown) = (command.bannerFrame, creative, true)
            (banner, content) = (view, command.contentFrame)
        case ("resize", var view?) where view.id == command.banner:
            view.frame = command.bannerFrame
            (banner, content) = (view, command.contentFrame)
        case ("hide", var view?) where view.id == command.banner:
            (view.frame, view.isShown) = (command.bannerFrame, false)
            (banner, content) = (view, command.contentFrame)
        case ("release", let view?) where view.id == command.banner:
            if view.isShown { Issue.record("released while shown: \(command)") }
            released.insert(view.id)
            banner = nil
        default:
            Issue.record("cannot be carried out with \(banner.map { "\($0)" } ?? "no banner"): \(command)")
        }
    }
}

// What a host says.
extension Host {
    /// Its screen has changed.
    func update(width: Int64? = nil, height: Int64? = nil, visible: Bool? = nil) throws {
        var parameters: JSONObject = ["lease": .string(lease)]
        if let width, let height { parameters["viewport"] = Self.size(width, height) }
        if let visible { parameters["visible"] = .bool(visible) }
        try calls.call("org.adslotd.Slots.Update", parameters)
    }

    /// A person touches the banner; the answer comes when it comes.
    func beginAction() throws -> Click {
        let parameters: JSONObject = ["lease": .string(lease), "banner": .integer(banner?.id ?? 0)]
        return Click(try calls.open("org.adslotd.Slots.BeginAction", parameters))
    }

    /// A person touches the banner and the action is allowed.
    func click() throws -> Int64 { try beginAction().allowed() }

    /// The action is over.
    func finish(_ action: Int64) throws {
        try calls.call(
            "org.adslotd.Slots.FinishAction", ["lease": .string(lease), "action": .integer(action)])
    }
}

/// A touch of a banner, on its way through the daemon.
struct Click {
    enum Answer: Equatable {
        case allowed(Int64)
        case refused(String)
    }

    private let replies: Replies

    fileprivate init(_ replies: Replies) { self.replies = replies }

    /// The daemon's answer, which must come.
    func answer() throws -> Answer {
        let reply = try replies.next()
        if try reply.flag("allowed") { return .allowed(try reply.number("action")) }
        return .refused(try reply.text("reason"))
    }

    /// The action's number; the answer must come and allow it.
    @discardableResult
    func allowed() throws -> Int64 {
        let answer = try answer()
        guard case .allowed(let action) = answer else {
            throw NotInTime(what: "an allowed action", account: "\(answer)")
        }
        return action
    }

    /// The answer may not come for so long.
    func expectNoAnswer(for duration: Duration, sourceLocation: SourceLocation = #_sourceLocation) throws {
        if let reply = try replies.next(within: duration) {
            Issue.record("answered: \(JSONValue.object(reply))", sourceLocation: sourceLocation)
        }
    }
}
