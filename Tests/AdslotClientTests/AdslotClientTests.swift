import Testing
import VarlinkCore

@testable import AdslotClient

@Suite("Waiting for a daemon that is gone")
struct BackoffTests {
    @Test("Each wait is twice the one before, up to the bound, give or take a fifth")
    func doubling() {
        var backoff = Backoff()
        var generator = SystemRandomNumberGenerator()
        var base = Limits.retryInterval
        for _ in 0..<200 {
            let wait = backoff.next(using: &generator)
            #expect(wait >= base * 0.8 && wait <= base * 1.2, "\(wait), not about \(base)")
            base = min(base * 2, Limits.retryMax)
        }
        backoff.reset()
        #expect(backoff.next(using: &generator) <= Limits.retryInterval * 1.2)
    }

    @Test("Two hosts do not come at the same moment")
    func jitter() {
        var generator = SystemRandomNumberGenerator()
        let waits = (0..<20).map { _ in
            var backoff = Backoff()
            return backoff.next(using: &generator)
        }
        #expect(Set(waits).count > 1)
    }
}

@Suite("What is on the screen when the daemon goes")
struct ScreenTests {
    private let viewport = Size(width: 400, height: 800)

    private func command(_ kind: Command.Kind, y: Int) -> Command {
        Command(
            kind: kind, banner: 7, bannerFrame: Rectangle(x: 40, y: y, width: 320, height: 50),
            contentFrame: Rectangle(x: 0, y: 0, width: 400, height: 800), creative: nil, reason: "test")
    }

    @Test(
        "A shown banner is hidden and released, at its own edge", arguments: [(-50, 0, -50), (800, 750, 800)])
    func shown(made: Int, shown: Int, hidden: Int) {
        var screen = Screen()
        screen.note(command(.create, y: made))
        screen.note(command(.show, y: shown))
        let commands = screen.clear(viewport: viewport)
        #expect(commands.map(\.kind) == [.hide, .release])
        #expect(commands.allSatisfy { $0.banner == 7 && $0.bannerFrame.y == hidden })
        #expect(commands[0].contentFrame == Rectangle(x: 0, y: 0, width: 400, height: 800))
        #expect(screen.clear(viewport: viewport).isEmpty)
    }

    @Test("One that is off screen is only released, one that is released not at all")
    func hidden() {
        var screen = Screen()
        screen.note(command(.create, y: 800))
        screen.note(command(.show, y: 750))
        screen.note(command(.hide, y: 800))
        #expect(screen.clear(viewport: viewport).map(\.kind) == [.release])
        screen.note(command(.create, y: 800))
        screen.note(command(.release, y: 800))
        #expect(screen.clear(viewport: viewport).isEmpty)
    }
}

@Suite("Commands as they come over the wire")
struct CommandTests {
    private let frame: JSONValue = ["x": 0, "y": 590, "width": 320, "height": 50]
    private let creative: JSONValue = [
        "id": "a", "source": "test", "mediaType": "text/html", "size": ["width": 320, "height": 50],
        "markup": "<p>", "advertiserDomains": ["example.org"],
    ]

    private func value(_ changes: [(String, JSONValue)]) -> JSONValue {
        var object: JSONObject = [
            "kind": "show", "banner": 3, "bannerFrame": frame, "contentFrame": frame, "creative": creative,
            "reason": "filled", "sequence": 2,
        ]
        for (key, value) in changes { object[key] = value }
        return .object(object)
    }

    @Test("All that it says is taken")
    func whole() throws {
        let command = try Command(value([]))
        #expect(command.kind == .show && command.banner == 3 && command.reason == "filled")
        #expect(command.bannerFrame == Rectangle(x: 0, y: 590, width: 320, height: 50))
        #expect(command.creative?.markup == "<p>" && command.creative?.path == nil)
        #expect(command.creative?.advertiserDomains == ["example.org"])
    }

    @Test(
        "What makes no sense is an error",
        arguments: [
            ("kind", "explode"), ("banner", "three"), ("bannerFrame", .null), ("creative", .null),
            ("kind", "hide"), ("reason", 4),
        ] as [(String, JSONValue)])
    func nonsense(key: String, with: JSONValue) {
        let broken = value([(key, with)])
        #expect(throws: AdslotError.self) { try Command(broken) }
    }
}
