import LinuxSupport
import Testing

extension LinuxSupportTests {
    @Suite("Timers and deferred work")
    final class TimerTests {
        private let loop: EventLoop
        private var log: [String] = []
        private var timers: [String: LoopTimer] = [:]
        private var deferrals: [String: Deferral] = [:]

        init() throws {
            loop = try EventLoop()
        }

        @discardableResult
        private func timer(
            _ name: String, priority: EventPriority = .normal, then: @escaping (LoopTimer) -> Void = { _ in }
        ) throws -> LoopTimer {
            let made = try loop.makeTimer(priority: priority) { [unowned self] in
                log.append(name)
                if let timer = timers[name] { then(timer) }
            }
            timers[name] = made
            return made
        }

        @discardableResult
        private func deferral(
            _ name: String, priority: EventPriority = .normal, then: @escaping (Deferral) -> Void = { _ in }
        ) throws -> Deferral {
            let made = try loop.makeDeferral(priority: priority) { [unowned self] in
                log.append(name)
                if let deferral = deferrals[name] { then(deferral) }
            }
            deferrals[name] = made
            return made
        }

        @Test("A timer that is not armed never fires; an armed one fires once, and not before its time")
        func once() throws {
            try timer("idle")
            let timer = try timer("a")
            let due = loop.now + 5_000
            timer.arm(at: due)
            try loop.turn(until: { !log.isEmpty })
            #expect(loop.now >= due)
            #expect(try !loop.runOnce(timeout: 20_000))
            #expect(log == ["a"])
        }

        @Test("A timer of an earlier time fires first, however they were armed")
        func order() throws {
            // Of two that are due in the same turn, which a busy machine brings about, sd-event promises no
            // order; so each is due only after the one before has been seen.
            let far = loop.now + 60_000_000
            for (first, second) in [("a", "b"), ("d", "c")] {
                let timers = try [timer(second), timer(first)]
                timers[0].arm(at: far)
                timers[1].arm(at: loop.now + 2_000)
                try loop.turn(until: { log.last == first })
                timers[0].arm(at: loop.now)
                try loop.turn(until: { log.last == second })
            }
            #expect(log == ["a", "b", "d", "c"])
        }

        @Test("A time that is past, before boot even, fires at once", arguments: [Int64(1), 0, -1, .min])
        func past(time: Int64) throws {
            try timer("a").arm(at: time)
            #expect(try loop.runOnce(timeout: 1_000_000))
            #expect(log == ["a"])
        }

        @Test("Arming again replaces the time, earlier or later")
        func rearmed() throws {
            let (sooner, later) = (try timer("sooner"), try timer("later"))
            let now = loop.now
            sooner.arm(at: now + 3_600_000_000)
            later.arm(at: now)
            sooner.arm(at: now)
            later.arm(at: now + 3_600_000_000)
            #expect(try loop.runOnce(timeout: 1_000_000))
            #expect(try !loop.runOnce(timeout: 2_000))
            #expect(log == ["sooner"])
        }

        @Test("A timer that has been disarmed, cancelled or released does not fire")
        func ended() throws {
            try timer("disarmed").arm(at: 0)
            try timer("cancelled").arm(at: 0)
            try timer("released").arm(at: 0)
            timers["disarmed"]?.disarm()
            timers["cancelled"]?.cancel()
            timers["cancelled"]?.arm(at: 0)
            timers["released"] = nil
            try loop.settle()
            #expect(log == [])
            timers["disarmed"]?.arm(at: 0)
            try loop.settle()
            #expect(log == ["disarmed"])
        }

        @Test("A timer may be armed, disarmed, cancelled and released in its own handler")
        func ownHandler() throws {
            try timer("thrice") { [unowned self] in
                if log.count(where: { $0 == "thrice" }) < 3 { $0.arm(at: 0) }
            }
            try timer("disarmed") {
                $0.arm(at: 0)
                $0.disarm()
            }
            try timer("cancelled") {
                $0.cancel()
                $0.arm(at: 0)
            }
            try timer("released") { [unowned self] in
                $0.arm(at: 0)
                timers["released"] = nil
            }
            for timer in timers.values { timer.arm(at: 0) }
            try loop.settle()
            #expect(log.sorted() == ["cancelled", "disarmed", "released", "thrice", "thrice", "thrice"])
        }

        @Test("A timer that is due too does not fire once another handler of the turn has ended it")
        func endsAnother() throws {
            for (name, other) in [("a", "b"), ("b", "a")] {
                try timer(name) { [unowned self] _ in
                    timers[other]?.disarm()
                    timers[other] = nil
                }.arm(at: 0)
            }
            try loop.settle()
            #expect(log.count == 1)
        }

        @Test("Deferred work runs once each time it is armed, and can be taken back")
        func deferred() throws {
            let work = try deferral("work")
            try loop.settle()
            #expect(log == [])
            work.arm()
            work.arm()
            try loop.settle()
            #expect(log == ["work"])
            work.arm()
            work.disarm()
            try loop.settle()
            #expect(log == ["work"])
            work.arm()
            deferrals["work"] = nil
            try loop.settle()
            #expect(log == ["work", "work"], "still held by the test itself")
        }

        @Test("Deferred work may arm itself again, and a released one never runs")
        func deferredAgain() throws {
            try deferral("again") { [unowned self] in if log.count < 3 { $0.arm() } }.arm()
            deferrals["gone"] = try loop.makeDeferral { [unowned self] in log.append("gone") }
            deferrals["gone"]?.arm()
            deferrals["gone"] = nil
            try loop.settle()
            #expect(log == ["again", "again", "again"])
        }

        @Test("Late work waits until all else of the turn is done")
        func late() throws {
            try deferral("late", priority: .late).arm()
            try deferral("facts", priority: .facts).arm()
            try timer("timer").arm(at: 0)
            try loop.settle()
            #expect(log == ["facts", "timer", "late"])
        }

        @Test("A turn ends when all that was ready has been served; what is always ready cannot hold it off")
        func turnEnd() throws {
            let pairs = try (0..<20).map { _ in try SocketPair() }
            var endless: [Deferral] = []
            func goOn() throws {
                // A new one each time, as whoever wants its turn among others does it.
                endless.append(
                    try loop.makeDeferral { [unowned self] in
                        log.append("endless")
                        try? goOn()
                    })
                endless.last?.arm()
            }
            let end = try loop.makeTurnEnd { [unowned self] in log.append("end") }
            let watches = try pairs.map { pair in
                try loop.watch(pair.near, for: .readable) { [unowned self] _ in
                    log.append("read")
                    var bytes: [UInt8] = []
                    _ = try? UnixSocket.receive(pair.near, into: &bytes, maximum: 16)
                    end.arm()
                }
            }
            for pair in pairs { try pair.sendToNear() }
            try goOn()
            try loop.turn(until: { log.contains("end") })
            #expect(log.firstIndex(of: "end").map { log[..<$0].count { $0 == "read" } } == pairs.count)
            #expect(log.count { $0 == "endless" } <= pairs.count + 3)
            withExtendedLifetime(watches) {}
        }

        @Test("The end of a turn comes once however often it is armed, may arm itself, can be taken back")
        func turnEndAgain() throws {
            var end: TurnEnd?
            end = try loop.makeTurnEnd { [unowned self] in
                log.append("end")
                if log.count < 2 { end?.arm() }
            }
            end?.arm()
            end?.arm()
            try loop.settle()
            #expect(log == ["end", "end"])
            end?.arm()
            end?.disarm()
            try loop.settle()
            #expect(log == ["end", "end"])
            end?.arm()
            _ = try loop.runOnce(timeout: 0)
            end?.disarm()
            try loop.settle()
            end?.arm()
            try loop.settle()
            #expect(log == ["end", "end", "end"])
            end?.arm()
            end = nil
            try loop.settle()
            #expect(log.count == 3)
        }

        @Test("The loop runs until it is told to end, with the code given there")
        func exit() throws {
            try timer("end") { [unowned self] _ in loop.exit(code: 7) }.arm(at: 0)
            try timer("never").arm(at: loop.now + 3_600_000_000)
            #expect(try loop.run() == 7)
            #expect(log == ["end"])
            // Nothing traps on a loop that has ended.
            timers["never"]?.arm(at: 0)
            timers["never"]?.disarm()
            loop.exit(code: 8)
        }

        @Test("Without a service manager nobody asks for a watchdog")
        func watchdog() throws {
            #expect(try !loop.enableWatchdog())
        }
    }
}
